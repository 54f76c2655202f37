/** When each frame of a medium starts, as exactly as its findings tell. */
import type { Findings } from './findings.ts'
import { divide, formatRational, parseRational, rational } from './rational.ts'
import type { Rational } from './rational.ts'

/** Media without a picture counts frames at this rate. */
export const audioRate = '25/1'

/**
 * The time of any frame of the findings. In a variable source it is exact at every frame that a
 * finding names, and in a straight line between two of them.
 */
export function sourceTimes(findings: Findings): (frame: number) => Rational {
  const rate = parseRational(findings.media.frame_rate ?? audioRate)!
  if (!findings.media.variable_frame_rate) return (frame) => divide(rational(frame), rate)
  const anchors = knownTimes(findings)
  const frames = [...anchors.keys()].sort((a, b) => a - b)
  return (frame) => {
    const known = anchors.get(frame)
    if (known) return known
    const after = frames.findIndex((one) => one > frame)
    const [low, high] = [frames[Math.max(0, after - 1)]!, frames[after]]
    if (high === undefined) return anchors.get(frames.at(-1)!)!
    const [from, to] = [anchors.get(low)!, anchors.get(high)!]
    const num = from.num * to.den * BigInt(high - frame) + to.num * from.den * BigInt(frame - low)
    return rational(num, from.den * to.den * BigInt(high - low))
  }
}

/** The same, as it is sent and saved; null where frames last equally long. */
export function knownFrameTimes(findings: Findings): [number, string][] | null {
  if (!findings.media.variable_frame_rate) return null
  return [...knownTimes(findings)]
    .sort(([a], [b]) => a - b)
    .map(([frame, time]): [number, string] => [frame, formatRational(time)])
}

/** The frames whose time a finding tells, and the first and the last. */
export function knownTimes(findings: Findings): Map<number, Rational> {
  const anchors = new Map<number, Rational>()
  // Sound names the frame that it falls into; pictures, which know when it starts, come after.
  const { shots, thumbnail, cutpoints, text, ...sound } = findings
  collectAnchors([sound, cutpoints?.removals], anchors)
  anchors.delete(findings.media.frames)
  collectAnchors([shots, thumbnail, cutpoints?.points, text], anchors)
  anchors.set(0, rational(0))
  // The last frame ends with the picture where a finding says so: sound may go on.
  const { frames: count, duration_time: end } = findings.media
  if (!anchors.has(count)) anchors.set(count, parseRational(end)!)
  return anchors
}

function collectAnchors(value: unknown, anchors: Map<number, Rational>): void {
  if (Array.isArray(value)) {
    for (const item of value) collectAnchors(item, anchors)
    return
  }
  if (typeof value !== 'object' || value === null) return
  const fields = value as Record<string, unknown>
  for (const [frame, time] of [
    ['start_frame', 'start_time'],
    ['end_frame', 'end_time'],
    ['frame', 'time'],
  ] as const) {
    const text = fields[time]
    const number = fields[frame]
    const exact = typeof text === 'string' ? parseRational(text) : null
    if (typeof number === 'number' && exact) anchors.set(number, exact)
  }
  for (const inner of Object.values(fields)) collectAnchors(inner, anchors)
}
