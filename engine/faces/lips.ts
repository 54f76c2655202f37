/**
 * Measures the motion of lips. Speaking opens and closes a mouth three to eight times a second; a
 * smile, a yawn or a held breath moves it once. So two figures count: how much the gap of the lips
 * changes within ±0.6 s, and how often it turns.
 */
import type { Seconds } from '../speech/voice/vad.ts'
import { openingsPerSecond } from './opening.ts'
import type { FaceTrack } from './recognise-faces.ts'

export const lipsPerSecond = 12.5

/** A stretch in which one face is followed without a break, on an even grid of times. */
export interface MouthRun {
  face: string
  /** Seconds of the first value; values follow at `lipsPerSecond`. */
  start: number
  gaps: Float32Array
  /** The gaps resampled to `openingsPerSecond`, to compare with sound. */
  fineGaps: Float32Array
  /** Mean change of the gap from value to value, around each value. */
  motion: Float32Array
  /** Turns of the gap around each value, small ones left out. */
  turns: Uint8Array
  /** Jitter of the mesh itself, at most, at this size of the face. */
  noise: number
}

/** A stretch in which a face talks or only seems to, and how sure that is. */
export interface FaceSpan extends Seconds {
  face: string
  score: number
}

/** Lip movement, beyond the mesh's jitter, from which somebody may be talking. */
export const talkingMotion = 0.012
const breakSeconds = 0.5
const half = Math.round(0.6 * lipsPerSecond)
const turnHeight = 0.015
/** Jitter of the mesh in pixels of the small frame, over the distance of the eyes. */
const jitterPixels = 0.12

/**
 * Splits a face's track at gaps longer than `breakSeconds`; `secondsOf` gives the time of a frame.
 */
export function mouthRuns(track: FaceTrack, secondsOf: (frame: number) => number): MouthRun[] {
  const runs: MouthRun[] = []
  const times = track.frames.map(secondsOf)
  let from = 0
  for (let at = 1; at <= times.length; at++) {
    if (at < times.length && times[at]! - times[at - 1]! <= breakSeconds) continue
    if (at - from >= 3) runs.push(makeRun(track, times, from, at))
    from = at
  }
  return runs
}

/** Stretches in which a condition holds; breaks of up to 0.3 s are bridged. */
export function stretches(run: MouthRun, holds: (at: number) => boolean): Seconds[] {
  const spans: Seconds[] = []
  const time = (at: number) => run.start + at / lipsPerSecond
  for (let at = 0; at < run.gaps.length; at++) {
    if (!holds(at)) continue
    const last = spans.at(-1)
    if (last && time(at) - last.end <= 0.3) last.end = time(at + 1)
    else spans.push({ start: time(at), end: time(at + 1) })
  }
  return spans
}

/** How much the lips move within a span, from 0 to 1. */
export function motionScore(run: MouthRun, span: Seconds): number {
  const from = Math.max(0, Math.round((span.start - run.start) * lipsPerSecond))
  const to = Math.min(run.gaps.length, Math.round((span.end - run.start) * lipsPerSecond))
  let sum = 0
  for (let at = from; at < to; at++) sum += run.motion[at]!
  const mean = to > from ? sum / (to - from) : 0
  return roundScore(Math.min(1, Math.max(0, (mean - run.noise) / 0.035)))
}

export function roundScore(value: number): number {
  return Math.round(value * 1000) / 1000
}

function makeRun(track: FaceTrack, times: number[], from: number, to: number): MouthRun {
  const seen = { times: times.slice(from, to), values: track.gaps.slice(from, to) }
  const gaps = resample(seen, lipsPerSecond)
  const eyes = track.eyes.slice(from, to).sort((a, b) => a - b)
  return {
    face: track.face,
    start: times[from]!,
    gaps,
    fineGaps: resample(seen, openingsPerSecond),
    motion: motionOf(gaps),
    turns: turnsOf(gaps),
    noise: jitterPixels / eyes[eyes.length >> 1]!,
  }
}

function resample(
  { times, values }: { times: number[]; values: number[] },
  perSecond: number,
): Float32Array {
  const start = times[0]!
  const count = Math.floor((times.at(-1)! - start) * perSecond + 1e-6) + 1
  let at = 0
  return Float32Array.from({ length: count }, (_, index) => {
    const time = start + index / perSecond
    while (at < times.length - 2 && times[at + 1]! <= time) at++
    const share = (time - times[at]!) / (times[at + 1]! - times[at]!)
    return values[at]! + (values[at + 1]! - values[at]!) * Math.min(1, Math.max(0, share))
  })
}

function motionOf(gaps: Float32Array): Float32Array {
  return gaps.map((_, at) => {
    const from = Math.max(1, at - half)
    const to = Math.min(gaps.length - 1, at + half)
    let sum = 0
    for (let near = from; near <= to; near++) sum += Math.abs(gaps[near]! - gaps[near - 1]!)
    return to >= from ? sum / (to - from + 1) : 0
  })
}

/** Counts, within the window of each value, the local extremes that exceed `turnHeight`. */
function turnsOf(gaps: Float32Array): Uint8Array {
  const isTurn = new Uint8Array(gaps.length)
  let direction = 0
  let extreme = 0
  for (let at = 1; at < gaps.length; at++) {
    const change = gaps[at]! - gaps[extreme]!
    if (direction >= 0 && change < -turnHeight) {
      isTurn[extreme] = 1
      direction = -1
      extreme = at
    } else if (direction <= 0 && change > turnHeight) {
      isTurn[extreme] = 1
      direction = 1
      extreme = at
    } else if (change * direction > 0) extreme = at
  }
  return isTurn.map((_, at) => {
    let count = 0
    for (let near = at - half; near <= at + half; near++) count += isTurn[near] ?? 0
    return count
  })
}
