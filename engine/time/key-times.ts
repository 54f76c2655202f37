/**
 * The times of a variable clip in few words: frames between which all others lie on a straight
 * line. A cut that begins or ends at any frame is then placed where the frame is, not where an even
 * pace between two findings would put it.
 */
import { formatRational, toNumber } from '../../domain/time/rational.ts'
import type { FrameClock } from './clock.ts'

/** Much less than a frame lasts at any rate. */
const toleranceSeconds = 0.001
const maxKeys = 1000

export function keyTimes(clock: FrameClock): { frame: number; time: string }[] {
  const seconds = Float64Array.from({ length: clock.frames + 1 }, (_, frame) =>
    toNumber(clock.timeOf(frame)),
  )
  let tolerance = toleranceSeconds
  let keys = keyFrames(seconds, tolerance)
  while (keys.length > maxKeys) {
    tolerance *= 2
    keys = keyFrames(seconds, tolerance)
  }
  return keys.map((frame) => ({ frame, time: formatRational(clock.timeOf(frame)) }))
}

/** No frame lies further than the tolerance from the line between the keys around it. */
function keyFrames(seconds: Float64Array, tolerance: number): number[] {
  const keys = [0]
  let [from, low, high] = [0, -Infinity, Infinity]
  for (let frame = 1; frame < seconds.length; frame += 1) {
    if (frame - from > 1) {
      const pace = (seconds[frame]! - seconds[from]!) / (frame - from)
      if (pace < low || pace > high) {
        from = frame - 1
        keys.push(from)
        ;[low, high] = [-Infinity, Infinity]
      }
    }
    const [since, steps] = [seconds[frame]! - seconds[from]!, frame - from]
    low = Math.max(low, (since - tolerance) / steps)
    high = Math.min(high, (since + tolerance) / steps)
  }
  if (seconds.length > 1) keys.push(seconds.length - 1)
  return keys
}
