/** Gaps in which the clock of a broadcast jumped ahead, and how much of them counts. */
import { toNumber } from '../../domain/time/rational.ts'
import type { FrameClock } from '../time/clock.ts'

export interface ClockJump {
  /** Number of the first frame after the gap. */
  frame: number
  seconds: number
}

/**
 * Upper limit on a gap that counts: no broadcast goes without video for longer, and the rest is not
 * processed.
 */
const maxGapSeconds = 10

export function findJumps(pts: Float64Array, tick: number): ClockJump[] {
  const jumps: ClockJump[] = []
  for (let frame = 1; frame < pts.length; frame++) {
    const seconds = (pts[frame]! - pts[frame - 1]!) * tick
    if (seconds > maxGapSeconds) jumps.push({ frame, seconds })
  }
  return jumps
}

/** The seconds between two moments that do not count. */
export function jumpedSeconds(
  { clock, jumps = [] }: { clock: FrameClock; jumps?: readonly ClockJump[] },
  { start, end }: { start: number; end: number },
): number {
  let sum = 0
  for (const { frame, seconds } of jumps) {
    const after = toNumber(clock.timeOf(frame))
    const inside = Math.min(after, end) - Math.max(after - seconds, start)
    sum += Math.max(0, inside - maxGapSeconds)
  }
  return sum
}
