/** Times of FCPXML: exact seconds, over the denominator of the frame wherever one fits. */
import {
  add,
  compare,
  divide,
  floor,
  multiply,
  rational,
  subtract,
} from '../../../domain/time/rational.ts'
import type { Rational } from '../../../domain/time/rational.ts'
import { frameTime, nearestFrame } from '../../../domain/time/timecode.ts'
import type { Item, Source } from '../../timeline/timeline.ts'

/**
 * The duration of a frame; some readers need a denominator. Apple writes whole rates over
 * hundredths: 100/2500s.
 */
export function frameDurationOf(rate: Rational): { num: bigint; den: bigint } {
  return rate.den === 1n ? { num: 100n, den: rate.num * 100n } : { num: rate.den, den: rate.num }
}

export function timeOfFrames(frames: number, rate: Rational): string {
  const frame = frameDurationOf(rate)
  return `${BigInt(frames) * frame.num}/${frame.den}s`
}

export function timeText(time: Rational, rate: Rational): string {
  const frames = multiply(time, rate)
  return frames.den === 1n ? timeOfFrames(Number(frames.num), rate) : `${time.num}/${time.den}s`
}

/** The time of a frame of the file's own grid; a recorder's clock begins with a sample. */
export function fileTime({ fileGrid, clock }: Source, frame: number): Rational {
  const { format, startFrame } = fileGrid
  return clock
    ? add(clock, frameTime(frame, format.rate))
    : frameTime(startFrame + frame, format.rate)
}

/** The time in an item's file, `frames` timeline frames after the item's start. */
export function itemTime(item: Item, rate: Rational, frames = 0): string {
  const { grid, fileGrid } = item.source
  const start =
    fileGrid === grid
      ? fileTime(item.source, item.sourceIn)
      : add(fileTime(item.source, 0), startWithin(item, rate))
  const time = add(start, frameTime(frames, rate))
  return timeText(time, frames === 0 ? fileGrid.format.rate : rate)
}

/**
 * The start of an item in a file of another rate, chosen so that the item ends before the file
 * does.
 */
function startWithin({ source, sourceIn, sourceOut }: Item, rate: Rational): Rational {
  const { fileGrid } = source
  const fileRate = fileGrid.format.rate
  if (isFrameForFrame(source)) return frameTime(sourceIn, fileRate)
  const exact = frameTime(sourceIn, rate)
  const placed = frameTime(lastPlaced(sourceIn, rate, fileRate), fileRate)
  // With a handle, the item may start within a source frame.
  const start = nearestFrame(placed, rate) === sourceIn ? placed : exact
  const last = subtract(frameTime(fileGrid.frames, fileRate), frameTime(sourceOut - sourceIn, rate))
  return compare(start, last) < 0 ? start : last
}

/** 23.976 as 24: the file's own frame of the same number. */
export function isFrameForFrame({ grid, fileGrid }: Source): boolean {
  return !fileGrid.isByTime && !grid.isByTime
}

/**
 * The last source frame on a frame of the timeline: the cut's own frame or, if the timeline has
 * fewer frames, one after it, but never the last of the previous shot.
 */
function lastPlaced(frame: number, rate: Rational, fileRate: Rational): number {
  if (frame === 0) return 0
  const next = multiply(divide(rational(2 * frame + 1, 2), rate), fileRate)
  return Number(-floor({ num: -next.num, den: next.den })) - 1
}
