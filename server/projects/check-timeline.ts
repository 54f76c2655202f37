import type { ProjectChanges } from '../../contract/footage/projects.ts'
import {
  canDropFrame,
  parseRate,
  parseTimecode,
  timecodeFormat,
} from '../../domain/time/timecode.ts'
import { Refusal } from '../ground/refusal.ts'

/** Refuses a rate, drop-frame flag and start timecode that do not fit together. */
export function checkTimeline(
  timeline: Pick<ProjectChanges, 'frame_rate' | 'drop_frame' | 'start_timecode'>,
): void {
  const rate = timeline.frame_rate ? parseRate(timeline.frame_rate) : null
  const dropFrame = timeline.drop_frame ?? false
  if (dropFrame && (!rate || !canDropFrame(rate))) {
    throw new Refusal('invalid', 'Drop-frame timecode exists only at 29.97 and 59.94 fps.', {
      field: 'drop_frame',
    })
  }
  const start = timeline.start_timecode
  if (!start || !rate) return
  if (parseTimecode(start, timecodeFormat(rate, dropFrame)) === null) {
    throw new Refusal('invalid', `${start} does not exist at this frame rate.`, {
      field: 'start_timecode',
    })
  }
}
