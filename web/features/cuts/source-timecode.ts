import type { Media } from '../../../contract/findings.ts'
import { audioRate } from '../../../contract/source-times.ts'
import {
  canDropFrame,
  parseRate,
  parseSourceTimecode,
  timecodeFormat,
  toTimecode,
} from '../../../contract/timecode.ts'
import type { TimecodeFormat } from '../../../contract/timecode.ts'

/** A frame in the clip's own timecode. */
export function sourceTimecode(media: Media | undefined, frame: number): string {
  const { format, startFrame } = sourceFormat(media)
  return toTimecode(startFrame + frame, format)
}

export function sourceFormat(media: Media | undefined): {
  format: TimecodeFormat
  startFrame: number
} {
  const rate = parseRate(media?.frame_rate ?? audioRate) ?? { num: 25n, den: 1n }
  const format = timecodeFormat(rate, Boolean(media?.drop_frame) && canDropFrame(rate))
  const start = media?.start_timecode ? parseSourceTimecode(media.start_timecode, format) : 0
  return { format, startFrame: start ?? 0 }
}
