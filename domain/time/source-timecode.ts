/** The timecode that a clip brings along. */
import type { Media } from '../findings/findings.ts'
import { divide, multiply, parseRational, rational } from './rational.ts'
import type { Rational } from './rational.ts'
import { audioRate } from './source-times.ts'
import {
  canDropFrame,
  countAlike,
  countedRate,
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

type Timed = Pick<Media, 'frame_rate' | 'drop_frame' | 'start_timecode'> &
  Partial<Pick<Media, 'variable_frame_rate' | 'frames' | 'duration_time'>>
type Recorded = Pick<Media, 'kind' | 'time_reference'>

/** Timecode names of a clip's frames. */
export interface SourceNames {
  format: TimecodeFormat
  /** The name of frame 0, as a number of frames of the format. */
  startFrame: number
  /** From frame 0 to a frame, in frames of the format; `time` is its exact one, if known. */
  countTo: (frame: number, time?: string) => number
  /** The first frame that is counted so far or further. */
  frameAt: (count: number) => number
}

/** A frame in the clip's timecode, named by its exact `time` where `sourceNames` goes by time. */
export function sourceTimecode(
  media: Timed | null | undefined,
  frame: number,
  time: Rational | null = null,
): string {
  const { format, startFrame, countTo } = sourceNames(media, time && (() => time))
  return toTimecode(startFrame + countTo(frame), format)
}

/**
 * Frames are named one after the other. Where they vary in length, or no timecode counts their
 * rate, each is named by its time, as in an export: `timeOf` gives it, else they are taken to be
 * equally long.
 */
export function sourceNames(
  media: Timed | null | undefined,
  timeOf: ((frame: number) => Rational) | null = null,
): SourceNames {
  const { format, startFrame } = sourceFormat(media)
  const rate = rateOf(media)
  const varies = Boolean(media?.variable_frame_rate)
  if (!varies && countAlike(rate, format.rate)) {
    return { format, startFrame, countTo: (frame) => frame, frameAt: (count) => count }
  }
  const times = timeOf ?? evenTimes(media, rate)
  const countTo = (frame: number, time = ''): number =>
    nearestFrame(parseRational(time) ?? times(frame), format.rate)
  const last = media?.frames ?? Number.MAX_SAFE_INTEGER
  return { format, startFrame, countTo, frameAt: (count) => firstReaching(countTo, count, last) }
}

/**
 * The timecode format of a clip and the number of its first frame. Cameras set the drop-frame flag
 * at rates that have none; there it means nothing.
 */
export function sourceFormat(media: Timed | null | undefined): {
  format: TimecodeFormat
  startFrame: number
} {
  const rate = countedRate(rateOf(media))
  const format = timecodeFormat(rate, Boolean(media?.drop_frame) && canDropFrame(rate))
  const start = media?.start_timecode ? parseSourceTimecode(media.start_timecode, format) : 0
  return { format, startFrame: start ?? 0 }
}

function rateOf(media: Timed | null | undefined): Rational {
  return parseRate(media?.frame_rate ?? audioRate) ?? rational(25)
}

/**
 * A variable rate may be that of the shortest frames, so there the frames share the whole length,
 * sound behind the last one included: the media does not say where the video alone ends.
 */
function evenTimes(media: Timed | null | undefined, rate: Rational): (frame: number) => Rational {
  const length = media?.variable_frame_rate ? parseRational(media.duration_time ?? '') : null
  const frames = media?.frames ?? 0
  const pace = length && frames > 0 ? divide(length, rational(frames)) : divide(rational(1), rate)
  return (frame) => multiply(pace, rational(frame))
}

/** Counts never go back, so the first frame that reaches one is found by halving. */
function firstReaching(countTo: (frame: number) => number, count: number, last: number): number {
  let [low, high] = [0, 1]
  while (high < last && countTo(high) < count) high *= 2
  high = Math.min(high, last)
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (countTo(middle) < count) low = middle + 1
    else high = middle
  }
  return low
}

/** Second of the day at which a recorder's file begins, to the sample; null for any other file. */
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
 * A frame of a source's timecode as another format counts it. A timecode keeps its name; a
 * recorder's clock is real time, which each rate counts in its own way.
 */
export function convertTimecode(
  frame: number,
  { kind, from, to }: { kind: Media['kind']; from: TimecodeFormat; to: TimecodeFormat },
): number {
  if (kind === 'audio') return nearestFrame(frameTime(frame, from.rate), to.rate)
  const number = numberOfFrame(frame, from)
  return frameOfNumber(Math.round((number * to.nominal) / from.nominal), to)
}
