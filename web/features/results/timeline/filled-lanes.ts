/** Which lanes have something to show, or will once their extractor has finished. */
import type { ExtractorId } from '../../../../domain/money/catalogue.ts'
import type { Findings, Media } from '../../../../domain/findings/findings.ts'
import type { Job } from '../../../../contract/footage/jobs.ts'
import type { LaneId } from './timeline-lanes.ts'

export function filledLanes(
  job: Pick<Job, 'extractors'> | null,
  media: Pick<Media, 'kind' | 'audio'>,
  findings: Partial<Findings>,
): ReadonlySet<LaneId> {
  const isComing = (id: ExtractorId): boolean =>
    job?.extractors.some(
      (item) => item.id === id && (item.status === 'waiting' || item.status === 'running'),
    ) ?? false
  const hasPicture = media.kind !== 'audio'
  const { thumbnail, shots, talking, cutpoints } = findings
  const voices = talking && [...talking.talking, ...talking.voice_only, ...talking.lip_flap]
  const lanes: Partial<Record<LaneId, boolean>> = {
    thumbnails: hasPicture && (Boolean(thumbnail?.sprite) || isComing('thumbnail')),
    shots: hasPicture && (Boolean(shots?.shots.length) || isComing('shots')),
    talking: Boolean(voices?.length) || isComing('talking'),
    audio: Boolean(thumbnail?.waveform) || (media.audio.length > 0 && isComing('thumbnail')),
    cutpoints: Boolean(cutpoints?.points.length) || isComing('cutpoints'),
  }
  return new Set((Object.keys(lanes) as LaneId[]).filter((id) => lanes[id]))
}
