/**
 * Extractors count from the start of the range they saw. This moves what they found to the media's
 * own clock, and back for those who build on it: frames are shifted; a time that is a frame's start
 * is taken again from the other clock; a time between two frames (sound is exact to the sample)
 * keeps its distance from the start of the range.
 */
import { formatRational, rational, toNumber } from '../../domain/time/rational.ts'
import type { Rational } from '../../domain/time/rational.ts'
import { spanOf } from './clock.ts'
import type { FrameClock } from './clock.ts'

export interface Move {
  /** The clock on which the findings stand. */
  from: FrameClock
  to: FrameClock
  /** Frames to add: the range's first frame, or less than nothing on the way back. */
  by: number
  /** Maps a frame's place where frames are missing and an offset is not enough. */
  place?: (frame: number) => number
}

export function moveFindings<Value>(findings: Value, move: Move): Value {
  return move.by === 0 && !move.place ? findings : (moveValue(findings, move) as Value)
}

/**
 * `places` has the media's frame of each picture that was decoded, and one for their end. There and
 * back again; a picture that is missing is the next one on the way back.
 */
export function movesBetween(places: Int32Array): {
  there: (frame: number) => number
  back: (frame: number) => number
} {
  const last = places.length - 1
  return {
    there: (frame) => places[Math.min(Math.max(0, frame), last)] ?? frame,
    back(frame) {
      let [low, high] = [0, last]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((places[middle] ?? 0) < frame) low = middle + 1
        else high = middle
      }
      return low
    },
  }
}

function moveValue(value: unknown, move: Move): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => moveValue(item, move))
  if (typeof value !== 'object' || value === null) return value
  const { to, by, place = (at: number) => at + by } = move
  const moved: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) moved[key] = moveValue(inner, move)
  const { start_frame: start, end_frame: end, frame } = moved
  if (typeof start === 'number' && typeof end === 'number') {
    const span = spanOf(to, place(start), place(end))
    const starts = movedTime(moved.start_time, start, move)
    const ends = movedTime(moved.end_time, end, move)
    return {
      ...moved,
      ...span,
      ...(starts ? { start_time: formatRational(starts), start: toNumber(starts) } : {}),
      ...(ends ? { end_time: formatRational(ends), end: toNumber(ends) } : {}),
    }
  }
  if (typeof start === 'number') return { ...moved, start_frame: place(start) }
  if (typeof frame === 'number') {
    const time = to.timeOf(place(frame))
    const seconds = 'seconds' in moved ? { seconds: toNumber(time) } : {}
    return { ...moved, frame: place(frame), time: formatRational(time), ...seconds }
  }
  if ('peaks_per_second' in moved) return { ...moved, start: toNumber(to.timeOf(by)) }
  if (typeof moved.bytes === 'string' && typeof moved.frames === 'number') {
    // One byte a frame: what lies before the range, or could not be seen, has no score.
    const scores = Buffer.from(moved.bytes, 'base64')
    const bytes = Buffer.alloc(scores.length === 0 ? by : place(scores.length))
    scores.forEach((score, at) => (bytes[place(at)] = score))
    return { ...moved, bytes: bytes.toString('base64'), frames: bytes.length }
  }
  return moved
}

/** Moves a time; null if it is the frame's own time, which the other clock knows better. */
function movedTime(text: unknown, frame: number, { from, to, by }: Move): Rational | null {
  const parts = typeof text === 'string' ? /^(\d+)\/(\d+)$/.exec(text) : null
  if (!parts?.[1] || !parts[2]) return null
  const own = rational(BigInt(parts[1]), BigInt(parts[2]))
  if (formatRational(own) === formatRational(from.timeOf(frame))) return null
  const shift = by > 0 ? to.timeOf(by) : from.timeOf(-by)
  const sign = by > 0 ? 1n : -1n
  const sum = rational(own.num * shift.den + sign * shift.num * own.den, own.den * shift.den)
  return sum.num < 0n ? { num: 0n, den: 1n } : sum
}
