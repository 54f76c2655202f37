/**
 * Times of a few frames of a variable-frame-rate clip, from which the time of every other frame
 * follows by linear interpolation. Thus a cut at any frame starts at its true time, not at one
 * interpolated between two findings.
 */
import { formatRational, toNumber } from '../../domain/time/rational.ts'
import type { FrameClock } from './clock.ts'

/** Much less than the duration of a frame at any rate. */
const toleranceSeconds = 0.001
const maxAnchors = 1000

export function anchorTimes(clock: FrameClock): { frame: number; time: string }[] {
  const seconds = Float64Array.from({ length: clock.frames + 1 }, (_, frame) =>
    toNumber(clock.timeOf(frame)),
  )
  let tolerance = toleranceSeconds
  let anchors = anchorFrames(seconds, tolerance)
  while (anchors.length > maxAnchors) {
    tolerance *= 2
    anchors = anchorFrames(seconds, tolerance)
  }
  return anchors.map((frame) => ({ frame, time: formatRational(clock.timeOf(frame)) }))
}

/**
 * Picks frames so that interpolating between neighbours is never off by more than the tolerance.
 */
function anchorFrames(seconds: Float64Array, tolerance: number): number[] {
  const anchors = [0]
  let [from, low, high] = [0, -Infinity, Infinity]
  for (let frame = 1; frame < seconds.length; frame += 1) {
    if (frame - from > 1) {
      const pace = (seconds[frame]! - seconds[from]!) / (frame - from)
      if (pace < low || pace > high) {
        from = frame - 1
        anchors.push(from)
        ;[low, high] = [-Infinity, Infinity]
      }
    }
    const [since, steps] = [seconds[frame]! - seconds[from]!, frame - from]
    low = Math.max(low, (since - tolerance) / steps)
    high = Math.min(high, (since + tolerance) / steps)
  }
  if (seconds.length > 1) anchors.push(seconds.length - 1)
  return anchors
}
