import type { FindingsOf, Media } from '../../../../domain/findings/findings.ts'
import type { ContentItem } from '../../../../contract/footage/content.ts'
import type { Job } from '../../../../contract/footage/jobs.ts'
import type { UploadAddress } from '../../../playback/upload-address.ts'

/** Says why there is no preview, and what to do about it. */
export function withoutPicture(input: {
  job: Job | null
  isLoading: boolean
  clip: Pick<ContentItem, 'content_type'> | null
  media: Media
  thumbnail: FindingsOf<'thumbnail'> | undefined
  upload: Pick<UploadAddress, 'isUnplayable' | 'message'>
}): string {
  const { job, isLoading, clip, media, thumbnail, upload } = input
  // It was made, but what is needed to show it is still on its way.
  if (thumbnail?.proxy || thumbnail?.poster || isLoading) return 'Loading…'
  const isTimed = media.kind === 'video' || media.kind === 'audio'
  const run = job?.extractors.find(({ id }) => id === 'thumbnail')
  const isOnItsWay = run?.status === 'waiting' || run?.status === 'running'
  if (upload.message && !isOnItsWay) return upload.message
  if (clip?.content_type === 'upload' && isTimed && !upload.isUnplayable) return 'Loading…'
  const cannot = upload.isUnplayable ? 'This browser can’t play the file itself. ' : ''
  switch (run?.status) {
    case 'waiting':
    case 'running':
      return `${cannot}The preview appears here when it’s ready.`
    case 'done':
    case 'reused':
      return thumbnail ? 'We couldn’t make a preview of this clip.' : 'Loading…'
    case 'failed':
      return 'We couldn’t make a preview of this clip. Retry it under What to find.'
    case 'skipped':
    case undefined:
      if (cannot) return `${cannot}Run Thumbnails to play this clip here.`
      return media.kind === 'audio'
        ? 'This file has no video. Run Thumbnails to play its audio here.'
        : 'No preview. Run Thumbnails to play this clip here.'
  }
}
