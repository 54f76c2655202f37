/** Places the changes of speaker: the best path of small steps through the known voices. */
import type { Seconds } from '../speech/voice/vad.ts'
import { product } from './cluster.ts'

export interface Step extends Seconds {
  /** The sound that is heard for it, longer than the step itself. */
  window: Seconds
}

export interface Turn extends Seconds {
  speaker: number
}

const stepSeconds = 0.1
const windowSeconds = 0.7
/** Weight of a cosine, and cost of a change of speaker. */
const sharpness = 3.2
const changeCost = 4

export function stepsOf(speech: readonly Seconds[]): Step[] {
  return speech.flatMap((span) => {
    const count = Math.max(1, Math.round((span.end - span.start) / stepSeconds))
    const length = (span.end - span.start) / count
    return Array.from({ length: count }, (_, at) => {
      const start = span.start + at * length
      const earliest = Math.min(start + (length - windowSeconds) / 2, span.end - windowSeconds)
      const from = Math.max(span.start, earliest)
      const window = { start: from, end: Math.min(span.end, from + windowSeconds) }
      return { start, end: start + length, window }
    })
  })
}

/** The speaker of each step, as an index into the centres (vectors of length 1). */
export function findPath(
  voices: readonly Float32Array[],
  centres: readonly Float64Array[],
): Int32Array {
  const from: Int32Array[] = []
  let scores = new Float64Array(centres.length)
  voices.forEach((voice) => {
    const leader = highest(scores)
    const next = new Float64Array(centres.length)
    const back = new Int32Array(centres.length)
    centres.forEach((centre, speaker) => {
      const stays = scores[speaker]! >= scores[leader]! - changeCost
      back[speaker] = stays ? speaker : leader
      const before = stays ? scores[speaker]! : scores[leader]! - changeCost
      next[speaker] = before + sharpness * product(centre, voice)
    })
    from.push(back)
    scores = next
  })
  const path = new Int32Array(voices.length)
  let speaker = highest(scores)
  for (let at = voices.length - 1; at >= 0; at--) {
    path[at] = speaker
    speaker = from[at]![speaker]!
  }
  return path
}

/** Steps of one speaker become a turn, across pauses that are shorter than `pauseSeconds`. */
export function turnsOf(
  steps: readonly Step[],
  path: ArrayLike<number>,
  pauseSeconds: number,
): Turn[] {
  const turns: Turn[] = []
  steps.forEach((step, at) => {
    const last = turns.at(-1)
    if (last && last.speaker === path[at] && step.start - last.end < pauseSeconds) {
      last.end = step.end
    } else turns.push({ start: step.start, end: step.end, speaker: path[at]! })
  })
  return turns
}

function highest(scores: Float64Array): number {
  let best = 0
  for (let at = 1; at < scores.length; at++) if (scores[at]! > scores[best]!) best = at
  return best
}
