import type { FindingsOf, Media } from '../../../../domain/findings/findings.ts'
import type { Job } from '../../../../contract/footage/jobs.ts'

/** Says why there is no preview, and what to do about it. */
export function withoutPicture(input: {
  job: Job
  media: Media
  thumbnail: FindingsOf<'thumbnail'> | undefined
}): string {
  const { job, media, thumbnail } = input
  // It was made, but what is needed to show it is still on its way.
  if (thumbnail?.proxy || thumbnail?.poster) return 'Loading…'
  const run = job.extractors.find(({ id }) => id === 'thumbnail')
  switch (run?.status) {
    case 'waiting':
    case 'running':
      return 'The preview appears here when it’s ready.'
    case 'done':
    case 'reused':
      return thumbnail ? 'We couldn’t make a preview of this clip.' : 'Loading…'
    case 'failed':
      return 'We couldn’t make a preview of this clip. Retry it above.'
    case 'skipped':
    case undefined:
      return media.kind === 'audio'
        ? 'This file has no video. Run Thumbnails to play its audio here.'
        : 'No preview. Run Thumbnails to play this clip here.'
  }
}
