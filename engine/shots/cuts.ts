/**
 * Hard cuts. A cheap gate passes the few frames that differ from the one before more than their
 * neighbours do. For those the question is whether the picture comes back: the last frame before is
 * compared with several after, and the first after with several before. A flash, a strobe or a
 * passing hand comes back; a cut does not.
 *
 * The score is a logistic regression whose weights were kept positive, so that more evidence never
 * lowers it. It was fitted on films and composed clips that no test or benchmark uses.
 */
import type { Film } from './detector.ts'
import { plainDeviation } from './fades.ts'
import { histogramDistance, layoutDistance, motionResidual, partWithinBars } from './picture.ts'
import type { Picture } from './picture.ts'
import { cells } from './record.ts'

export interface CutScore {
  frame: number
  score: number
  /** Where a flash starts here: the first frame that shows the old picture again. */
  flashEnd: number | null
}

/** How many frames of future a score needs. */
export const cutLookahead = 9

/** A flash is not as even as this for as many frames. */
const leastHeld = 4

/** Pictures shown more often than this in a row are a still, not a changed rate. */
const mostRepeats = 4

const weights = {
  bias: -7.3572,
  lasting: 6.9823,
  histogramPeak: 0.4016,
  residualPeak: 2.2978,
  layoutPeak: 0.5697,
  lastingOverUsual: 0.759,
  returns: -6,
  partial: -5,
}

export function scoreCut(film: Film, frame: number): CutScore | null {
  const residual = film.residual[frame]!
  const histogram = film.histogram[frame]!
  const layout = film.layout[frame]!
  const usualResidual = usual(film.residual, frame, film.frames)
  const stands =
    (histogram > 0.05 && histogram > 1.6 * usual(film.histogram, frame, film.frames)) ||
    (layout > 0.01 && layout > 1.8 * usual(film.layout, frame, film.frames)) ||
    (residual > 0.4 && residual > 1.35 * usualResidual)
  if (!stands) return null
  const lasting = Math.min(1.2, lastingChange(film, frame, residual))
  const overUsual = clamp(Math.log((residual + 0.05) / (usualResidual + 0.05)), 0, 2)
  const returns = clamp((comesBack(film, frame) - 0.4) / 0.6, 0, 1)
  const beside = stepsBeside(film, frame, Math.max(lasting, residual, histogram))
  const sum =
    weights.bias +
    weights.lasting * lasting +
    weights.histogramPeak * peak(film.histogram, frame, beside, 0.01) +
    weights.residualPeak * peak(film.residual, frame, beside, 0.05) +
    weights.layoutPeak * peak(film.layout, frame, beside, 0.002) +
    weights.lastingOverUsual * lasting * overUsual +
    weights.returns * returns +
    weights.partial * clamp((0.75 - newShare(film, frame)) / 0.6, 0, 1)
  const flashEnd = endOfFlash(film, frame)
  // A flash stays as a candidate for those who want it, far below the threshold.
  const doubt = flashEnd === null ? 0 : 6
  return { frame, score: 1 / (1 + Math.exp(doubt - sum)), flashEnd }
}

/**
 * A flash washes the picture out at once (the contrast collapses, the brightness jumps) and lets it
 * come back within a few frames. In fast action the old picture has moved on by then, so colours
 * are compared as well as blocks, and both with what the scene does anyway in that time.
 */
function endOfFlash(film: Film, frame: number): number | null {
  const before = film.pictureAt(frame - 1)
  const jump = film.mean[frame]! - before.mean
  const left = film.deviation[frame]! / (before.deviation + 1)
  const washed = (Math.abs(jump) > 40 && left < 0.4) || (Math.abs(jump) > 20 && left < 0.2)
  if (!washed) return null
  const last = Math.min(film.frames - 1, frame + cutLookahead - 1)
  for (let at = frame + 1; at <= last; at++) {
    const back = Math.abs(film.mean[at]! - before.mean) < 0.35 * Math.abs(jump)
    if (!back || film.deviation[at]! < 0.6 * before.deviation) continue
    const after = film.pictureAt(at)
    const earlier = film.pictureAt(Math.max(0, frame - 1 - (at - frame + 1)))
    const usualColours = histogramDistance(earlier, before)
    const usualBlocks = motionResidual(earlier, before)
    const blocksReturn = motionResidual(before, after) < Math.max(0.3, 1.1 * usualBlocks)
    if (blocksReturn) return at
    // A plain colour that holds is a slug between two shots, and those may have the same colours.
    if (isHeld(film, frame, at)) continue
    if (histogramDistance(before, after) < Math.max(0.38, 1.6 * usualColours)) return at
  }
  return null
}

/** Whether nothing but one plain colour is shown for several frames. */
function isHeld(film: Film, from: number, to: number): boolean {
  let plain = 0
  for (let at = from; at < to; at++) {
    const isSame = Math.abs(film.mean[at]! - film.mean[from]!) < 3
    if (film.deviation[at]! < plainDeviation && isSame) plain++
  }
  return plain >= leastHeld
}

/** The smallest residual across the frame: near 0 where the old picture comes back. */
function lastingChange(film: Film, frame: number, residual: number): number {
  let least = Infinity
  const before = film.pictureAt(frame - 1)
  const isPlain = comesPlain(film, frame)
  const newness = (one: Picture, other: Picture): number =>
    Math.max(motionResidual(one, other), isPlain ? motionResidual(other, one) : 0)
  for (const ahead of [1, 2, 4]) {
    if (frame + ahead >= film.frames) continue
    least = Math.min(least, newness(before, film.pictureAt(frame + ahead)))
  }
  const after = film.pictureAt(frame)
  for (const back of [2, 3, 5]) {
    if (frame - back < 0) continue
    least = Math.min(least, newness(film.pictureAt(frame - back), after))
  }
  return least === Infinity ? residual : least
}

/**
 * The part of the picture, bars aside, that the step changes at all. A cut changes nearly all of it;
 * a title, a picture in the picture or something that jumps in front of a plain wall does not.
 */
function newShare(film: Film, frame: number): number {
  const before = film.pictureAt(frame - 1)
  const after = film.pictureAt(frame)
  const contrast = Math.max(before.deviation, after.deviation)
  const changed = after.kernel.changedCells(before.at, after.at, clamp(0.12 * contrast, 1, 3))
  return changed / (cells * Math.max(partWithinBars(before), partWithinBars(after)))
}

/**
 * A plain picture has no blocks that could be missed, so where it comes at once the other one is
 * asked for its own as well. Where it comes step by step a shape closes or a light goes out.
 */
function comesPlain(film: Film, frame: number): boolean {
  const step = film.layout[frame]!
  const beside = Math.max(film.layout[frame - 1]!, film.layout[frame + 1] ?? 0)
  return film.deviation[frame]! < plainDeviation && beside < 0.3 * step
}

/** How much of the change is taken back within a few frames, or had been there before: 0 to 1. */
function comesBack(film: Film, frame: number): number {
  const before = film.pictureAt(frame - 1)
  const after = film.pictureAt(frame)
  const whole = film.layout[frame]! + 0.002
  let least = whole
  for (let step = 1; step <= 2; step++) {
    if (frame + step < film.frames) {
      least = Math.min(least, layoutDistance(before, film.pictureAt(frame + step)))
    }
    if (frame - 1 - step >= 0) {
      least = Math.min(least, layoutDistance(film.pictureAt(frame - 1 - step), after))
    }
  }
  return 1 - least / whole
}

/** The steps that a step is compared with: those next to it, and those beyond repeated frames. */
interface Beside {
  before: number
  after: number
  earlier: number
  later: number
  /** How much the steps beyond repetitions count, 0 to 1. */
  trust: number
}

/**
 * Film at another rate shows frames twice, and a step between repetitions always stands alone. So
 * the steps beyond them count as well, the less the surer it is that all is new: quick
 * cutting between stills looks the same.
 */
function stepsBeside(film: Film, frame: number, newness: number): Beside {
  return {
    before: frame - 1,
    after: frame + 1,
    earlier: beyondRepeats(film, frame, -1),
    later: beyondRepeats(film, frame, 1),
    trust: clamp((0.85 - newness) / 0.3, 0, 1),
  }
}

function beyondRepeats(film: Film, frame: number, direction: 1 | -1): number {
  for (let step = 1; step <= mostRepeats + 1; step++) {
    const at = frame + step * direction
    if (at < 1 || at >= film.frames) break
    const repeats =
      film.layout[at]! < 0.002 && film.residual[at]! < 0.06 && film.histogram[at]! < 0.02
    if (!repeats) return at
  }
  return frame + direction
}

/**
 * How far a step stands out from those beside it, as a logarithm. A cut between the two fields of a
 * frame takes two steps, of which each counts as one that stands out from the rest.
 */
function peak(values: Float32Array, frame: number, beside: Beside, floor: number): number {
  const at = (index: number): number => (index >= 1 ? (values[index] ?? 0) : 0)
  const over = (own: number, one: number, other: number): number =>
    Math.log((own + floor) / (Math.max(at(one), at(other)) + floor))
  const { before, after, earlier, later, trust } = beside
  const own = values[frame]!
  const alone = over(own, before, after)
  const halved = Math.max(
    over(Math.min(own, at(before)), before - 1, after),
    over(Math.min(own, at(after)), before, after + 1),
  )
  const stands = Math.max(alone, halved - 0.3)
  const beyond = Math.min(stands, over(own, earlier, later))
  return clamp(stands + trust * (beyond - stands), -2, 3)
}

/** The median of five frames on each side. */
function usual(values: Float32Array, frame: number, frames: number): number {
  const near: number[] = []
  for (let at = frame - 5; at <= frame + 5; at++) {
    if (at !== frame && at >= 1 && at < frames) near.push(values[at]!)
  }
  near.sort((a, b) => a - b)
  return near[near.length >> 1] ?? 0
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value
}
