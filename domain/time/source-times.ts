/** When each frame of a medium starts, as exactly as its findings tell. */
import type { Findings } from '../findings/findings.ts'
import {
  add,
  compare,
  divide,
  formatRational,
  multiply,
  parseRational,
  rational,
  subtract,
} from './rational.ts'
import type { Rational } from './rational.ts'

/** Media without a picture counts frames at this rate. */
export const audioRate = '25/1'

/**
 * The time of any frame of the findings. In a variable source it is exact at every frame that the
 * metadata or a finding of the picture names, and in a straight line between two known ones.
 */
export function sourceTimes(findings: Findings): (frame: number) => Rational {
  const rate = rateOf(findings)
  if (!findings.media.variable_frame_rate) return (frame) => divide(rational(frame), rate)
  const timeAt = between(knownTimes(findings))
  return (frame) => timeAt(frame).time
}

/** The same, as it is sent and saved; null where frames last equally long. */
export function knownFrameTimes(findings: Findings): [number, string][] | null {
  if (!findings.media.variable_frame_rate) return null
  return [...knownTimes(findings)]
    .sort(([a], [b]) => a - b)
    .map(([frame, time]): [number, string] => [frame, formatRational(time)])
}

/**
 * The frames whose start a finding tells, and the first and the last. The picture knows when a
 * frame starts. Sound begins within its start frame and ends before its end frame, so it bounds
 * where the line between two pictures may lie; times never run backwards.
 */
export function knownTimes(findings: Findings): Map<number, Rational> {
  const { shots, thumbnail, cutpoints, text, media, ffprobe, ...sound } = findings
  const exact = new Map([[0, rational(0)]])
  for (const { frame, time } of momentsIn([
    ...[shots, thumbnail, cutpoints?.points, text, ffprobe?.frame_times],
  ])) {
    if (frame > 0) exact.set(frame, time)
  }
  // The last frame ends with the picture where a finding says so: sound may go on.
  if (!exact.has(media.frames)) exact.set(media.frames, parseRational(media.duration_time)!)
  const heard = momentsIn([sound, cutpoints?.removals]).filter(
    ({ frame }) => frame < media.frames && !exact.has(frame),
  )
  const known = new Map(exact)
  const lineAt = between(exact)
  const usual = divide(rational(1), rateOf(findings))
  let last = rational(0)
  for (const moment of heard.sort((a, b) => a.frame - b.frame)) {
    const { time, pace, low, high } = lineAt(moment.frame)
    const length = later(pace, usual)
    const [from, to] = moment.isEnd
      ? [moment.time, add(moment.time, length)]
      : [subtract(moment.time, length), moment.time]
    const bounded = within(known.get(moment.frame) ?? time, from, to)
    last = within(bounded, later(low, last), high)
    known.set(moment.frame, last)
  }
  return known
}

function rateOf({ media }: Findings): Rational {
  return parseRational(media.frame_rate ?? audioRate)!
}

/** The time of a frame on the straight line between two known ones, which are `low` and `high`. */
function between(known: ReadonlyMap<number, Rational>) {
  const frames = [...known.keys()].sort((a, b) => a - b)
  return (frame: number): { time: Rational; pace: Rational; low: Rational; high: Rational } => {
    let [to, last] = [1, frames.length - 1]
    while (to < last) {
      const middle = (to + last) >> 1
      if (frames[middle]! > frame) last = middle
      else to = middle + 1
    }
    const [lowFrame, highFrame] = [frames[to - 1]!, frames[to]!]
    const [low, high] = [known.get(lowFrame)!, known.get(highFrame)!]
    const pace = divide(subtract(high, low), rational(highFrame - lowFrame))
    const since = rational(Math.min(frame, highFrame) - lowFrame)
    return { time: add(low, multiply(pace, since)), pace, low, high }
  }
}

interface Moment {
  frame: number
  time: Rational
  /** The end of a range, whose frame is the first that it does not reach. */
  isEnd: boolean
}

function momentsIn(value: unknown): Moment[] {
  if (Array.isArray(value)) return value.flatMap(momentsIn)
  if (typeof value !== 'object' || value === null) return []
  const fields = value as Record<string, unknown>
  const own = [
    ['start_frame', 'start_time'],
    ['end_frame', 'end_time'],
    ['frame', 'time'],
  ].flatMap(([frame, time]): Moment[] => {
    const [number, text] = [fields[frame!], fields[time!]]
    const exact = typeof text === 'string' ? parseRational(text) : null
    if (typeof number !== 'number' || !exact) return []
    return [{ frame: number, time: exact, isEnd: frame === 'end_frame' }]
  })
  return [...own, ...Object.values(fields).flatMap(momentsIn)]
}

function within(time: Rational, from: Rational, to: Rational): Rational {
  const atLeast = later(time, from)
  return compare(atLeast, to) > 0 ? to : atLeast
}

function later(a: Rational, b: Rational): Rational {
  return compare(a, b) < 0 ? b : a
}
