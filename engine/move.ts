/**
 * Extractors count from the start of the range they saw. This moves what they found to the media's
 * own clock: every frame is shifted, and every time is taken anew from the exact clock.
 */
import { fractionText, spanOf, toNumber } from './clock.ts'
import type { FrameClock } from './clock.ts'

export function moveFindings<Value>(findings: Value, clock: FrameClock, startFrame: number): Value {
  return startFrame === 0 ? findings : (moveValue(findings, clock, startFrame) as Value)
}

function moveValue(value: unknown, clock: FrameClock, by: number): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => moveValue(one, clock, by))
  if (typeof value !== 'object' || value === null) return value
  const moved: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) moved[key] = moveValue(inner, clock, by)
  const { start_frame: start, end_frame: end, frame } = moved
  if (typeof start === 'number' && typeof end === 'number') {
    return { ...moved, ...spanOf(clock, start + by, end + by) }
  }
  if (typeof start === 'number') return { ...moved, start_frame: start + by }
  if (typeof frame === 'number') {
    const time = clock.timeOf(frame + by)
    const seconds = 'seconds' in moved ? { seconds: toNumber(time) } : {}
    return { ...moved, frame: frame + by, time: fractionText(time), ...seconds }
  }
  if ('peaks_per_second' in moved) return { ...moved, start: toNumber(clock.timeOf(by)) }
  if (typeof moved.bytes === 'string' && typeof moved.frames === 'number') {
    // One byte a frame: what lies before the range has no score.
    const bytes = Buffer.concat([Buffer.alloc(by), Buffer.from(moved.bytes, 'base64')])
    return { ...moved, bytes: bytes.toString('base64'), frames: bytes.length }
  }
  return moved
}
