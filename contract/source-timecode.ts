/** The timecode that a clip brings along. */
import type { Media } from './findings.ts'
import { rational } from './rational.ts'
import type { Rational } from './rational.ts'
import { audioRate } from './source-times.ts'
import {
  canDropFrame,
  frameOfNumber,
  frameTime,
  nearestFrame,
  numberOfFrame,
  parseRate,
  parseSourceTimecode,
  timecodeFormat,
  toTimecode,
} from './timecode.ts'
import type { TimecodeFormat } from './timecode.ts'

type Timed = Pick<Media, 'frame_rate' | 'drop_frame' | 'start_timecode'>
type Recorded = Pick<Media, 'kind' | 'time_reference'>

/** A frame in the clip's own timecode. */
export function sourceTimecode(media: Timed | null | undefined, frame: number): string {
  const { format, startFrame } = sourceFormat(media)
  return toTimecode(startFrame + frame, format)
}

/**
 * How the clip counts, and the number of its first frame. Cameras set the flag of drop frame at rates
 * that have none; there it means nothing.
 */
export function sourceFormat(media: Timed | null | undefined): {
  format: TimecodeFormat
  startFrame: number
} {
  const rate = parseRate(media?.frame_rate ?? audioRate) ?? rational(25)
  const format = timecodeFormat(rate, Boolean(media?.drop_frame) && canDropFrame(rate))
  const start = media?.start_timecode ? parseSourceTimecode(media.start_timecode, format) : 0
  return { format, startFrame: start ?? 0 }
}

/** The second of the day at which the file of a recorder begins, to the sample; null for any other. */
export function recordedAt({ kind, time_reference: clock }: Recorded): Rational | null {
  return kind === 'audio' && clock ? rational(clock.samples, clock.sample_rate) : null
}

/** The number of a clip's first frame as another format counts it. */
export function firstFrameIn(media: Timed & Recorded, to: TimecodeFormat): number {
  const clock = recordedAt(media)
  if (clock) return nearestFrame(clock, to.rate)
  const { format, startFrame } = sourceFormat(media)
  return convertTimecode(startFrame, { kind: media.kind, from: format, to })
}

/**
 * A frame of a source's timecode as another format counts it. A timecode keeps its name; a recorder's
 * clock is real time, which each rate counts in its own way.
 */
export function convertTimecode(
  frame: number,
  { kind, from, to }: { kind: Media['kind']; from: TimecodeFormat; to: TimecodeFormat },
): number {
  if (kind === 'audio') return nearestFrame(frameTime(frame, from.rate), to.rate)
  const number = numberOfFrame(frame, from)
  return frameOfNumber(Math.round((number * to.nominal) / from.nominal), to)
}
