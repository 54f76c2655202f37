/**
 * Recognises captions that change over a shot that goes on. Large ones change a third of a frame at
 * once and stay, as a cut does, but motion goes on beside them and the rows above and below stay.
 */
import { movingOn, rowSteps } from './distance.ts'
import type { Film } from './film.ts'
import { smallHeight } from '../pass/plan.ts'
import type { Image } from './picture.ts'

/** Distances in frames, on either side. */
const movingReach = [2, 4, 8, 14]
/** The share of textured area that a caption keeps; a cut keeps less. */
const minKept = { beside: 0.3, band: 0.03 }
/** A caption and its box fill at most this share of the rows in which anything changes. */
const bandShare = 0.5
/** Mean luma step of a row, below which the row rests. */
const restingStep = 0.6
/** Logarithms: the minimum for the whole step, the maximum for the other rows. */
const minStepPeak = 1.25
const maxOtherPeak = 1

/** 0 to 1. `kept` and `stepPeak` are cues of the cut that this might be. */
export function captionChange(
  film: Film,
  frame: number,
  { kept, stepPeak }: { kept: number; stepPeak: number },
): number {
  const goesOn =
    kept > minKept.beside ? goesOnBeside(film, frame) * ramp(kept, minKept.beside, 0.25) : 0
  if (stepPeak < minStepPeak || kept <= minKept.band) return goesOn
  return Math.max(goesOn, bandChange(film, frame) * ramp(kept, minKept.band, 0.1))
}

/** The degree to which motion on either side continues across a step, as a speaker's does. */
function goesOnBeside(film: Film, frame: number): number {
  const [before, after] = [film.imageAt(frame - 1), film.imageAt(frame)]
  const moves: [Image, Image][] = []
  for (const reach of movingReach) {
    if (frame - 1 - reach >= 0) moves.push([before, film.imageAt(frame - 1 - reach)])
    if (frame + reach < film.frames) moves.push([after, film.imageAt(frame + reach)])
  }
  return ramp(movingOn(before, after, moves), 0.12, 0.12)
}

/** The degree to which a step stands out in one band of rows alone. */
function bandChange(film: Film, frame: number): number {
  const own = stepsAt(film, frame)
  const beside = [frame - 2, frame - 1, frame + 1, frame + 2]
    .filter((at) => at >= 1 && at < film.frames)
    .map((at) => stepsAt(film, at))
  if (beside.length === 0) return 0
  const usual = own.map(
    (_, row) => beside.reduce((sum, rows) => sum + rows[row]!, 0) / beside.length,
  )
  const active = Array.from({ length: smallHeight }, (_, row) => row).filter(
    (row) => own[row]! > restingStep || usual[row]! > restingStep,
  )
  const [from, to] = strongestBand(active.map((row) => own[row]! - usual[row]!))
  const others = active.filter((_, place) => place < from || place >= to)
  if (others.length === 0) return 0
  const mean = (steps: Float32Array): number =>
    others.reduce((sum, row) => sum + steps[row]!, 0) / others.length
  const peak = Math.log((mean(own) + 0.5) / (mean(usual) + 0.5))
  return ramp(-peak, -maxOtherPeak, 0.5)
}

function stepsAt(film: Film, frame: number): Float32Array {
  return rowSteps(film.imageAt(frame - 1), film.imageAt(frame))
}

/** First and last row of the band of a caption's height with the largest sum. */
function strongestBand(steps: readonly number[]): [number, number] {
  const length = Math.ceil(bandShare * steps.length)
  let best = { from: 0, sum: -Infinity }
  for (let from = 0; from + length <= steps.length; from++) {
    let sum = 0
    for (let at = from; at < from + length; at++) sum += steps[at]!
    if (sum > best.sum) best = { from, sum }
  }
  return [best.from, best.from + length]
}

/** 0 up to `from`, 1 from `width` above it on. */
function ramp(value: number, from: number, width: number): number {
  return Math.min(1, Math.max(0, (value - from) / width))
}
