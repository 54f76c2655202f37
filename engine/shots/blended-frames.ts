/**
 * Scores cuts behind mixed frames, which film has that was brought to another rate: one frame shows
 * both shots, and the cut takes two steps of which neither is the whole change. It is measured as
 * if that frame were not there.
 *
 * A lamp switched on within a frame is mixed too, so mixed frames count only in a film where at
 * least as many cuts have one as have none, and not where all becomes lighter or darker.
 */
import { scoreCut } from './cuts.ts'
import type { CutScore } from './cuts.ts'
import {
  histogramDistance,
  layoutDistance,
  measureBetween,
  measureSteps,
  pixelDistance,
} from './distance.ts'
import type { Film } from './film.ts'
import { thumbPixels } from './grid.ts'
import { motionResidual } from './motion.ts'

/** A frame with a smaller share of either shot counts as one of its neighbours. */
const minShare = 0.06
/** The largest share of a mixed frame that no mix of its neighbours may leave unexplained. */
const maxRest = 0.4
/** Log odds by which unexplained change makes a cut less likely. */
const doubt = 25
/** Steps beside those of a mixed frame are at most this part of both. */
const maxBeside = 0.35
/** A cut is compared with at most 30 frames on either side; this leaves room. */
const reach = 40
const believed = 0.5
/** Cuts with a mixed frame that show a changed rate, if they are no fewer than the others. */
const minBlends = 2
/** Light only adds or takes: of a lamp nearly all that changes becomes lighter, or darker. */
const maxOneSided = 0.9
/** From this residual on, moving blocks alone prove that the shot is new. */
const surelyNew = 0.5

/** The score of a cut after a mixed frame; null if the frame before is not mixed. */
export function scoreBlendedCut(
  film: Film,
  frame: number,
  framesPerSecond: number,
): CutScore | null {
  const rest = restOfBlend(film, frame - 1)
  if (rest === null) return null
  const plain = scoreCut(leaveOut(film, frame - 1), leftFrames(frame - 1), framesPerSecond)
  if (!plain || plain.flashEnd !== null) return null
  const { score, certain } = plain
  if (certain < surelyNew && oneSided(film, frame) > maxOneSided) return null
  const doubted = score / (score + (1 - score) * Math.exp(doubt * rest))
  return { frame, score: doubted, certain, flashEnd: null }
}

/** The cuts of a film; includes cuts after mixed frames if the film has such frames. */
export function withBlendedCuts(
  cuts: readonly CutScore[],
  blended: readonly CutScore[],
): readonly CutScore[] {
  // The last frame of a flash is mixed as well.
  const isInFlash = (frame: number): boolean =>
    cuts.some((cut) => cut.flashEnd !== null && frame >= cut.frame && frame <= cut.flashEnd + 1)
  const sure = blended.filter(({ frame, score }) => score >= believed && !isInFlash(frame))
  const isBlended = (frame: number): boolean =>
    sure.some((cut) => cut.frame === frame || cut.frame === frame + 1)
  const plain = cuts.filter(({ frame, score }) => score >= believed && !isBlended(frame))
  if (sure.length < minBlends || sure.length < plain.length) return cuts
  const byFrame = new Map(cuts.map((cut) => [cut.frame, cut]))
  for (const cut of blended) {
    if (isInFlash(cut.frame)) continue
    const plain = byFrame.get(cut.frame)
    const better = plain && plain.score >= cut.score ? plain : cut
    byFrame.set(cut.frame, { ...better, isBehindBlend: cut.score >= believed })
  }
  return [...byFrame.values()]
}

/** The unexplained share of a mix of two neighbours; null for a frame that is not a mix. */
function restOfBlend({ step, frames, imageAt }: Film, frame: number): number | null {
  if (frame < 1 || frame + 1 >= frames) return null
  const beside = Math.max(step[frame - 1]!, step[frame + 2] ?? 0)
  if (beside >= maxBeside * (step[frame]! + step[frame + 1]!)) return null
  const [before, after] = [imageAt(frame - 1).thumb, imageAt(frame + 1).thumb]
  const { squares: whole } = measureSteps(before, after)
  if (whole < thumbPixels) return null
  const { along, squares } = measureBetween(before, after, imageAt(frame).thumb)
  const share = along / whole
  if (share < minShare || share > 1 - minShare) return null
  const rest = Math.sqrt(Math.max(0, squares - share * share * whole) / whole)
  return rest > maxRest ? null : rest
}

/** The share (0 to 1) of the change across a mixed frame that has one sign. */
function oneSided(film: Film, frame: number): number {
  const [before, after] = [film.imageAt(frame - 2).thumb, film.imageAt(frame).thumb]
  let [sum, size] = [0, 0]
  for (let at = 0; at < thumbPixels; at++) {
    const step = after[at]! - before[at]!
    sum += step
    size += Math.abs(step)
  }
  return Math.abs(sum) / (size + 1)
}

/** The film around a frame, without it; the next frame gets the number `leftFrames`. */
function leaveOut(film: Film, frame: number): Film {
  const left = leftFrames(frame)
  const start = frame - left
  const end = Math.min(film.frames, frame + 1 + reach)
  const [before, after] = [film.imageAt(frame - 1), film.imageAt(frame + 1)]
  const without = (values: Float32Array, own = values[frame + 1]!): Float32Array => {
    const others = new Float32Array(end - start - 1)
    others.set(values.subarray(start, frame))
    others.set(values.subarray(frame + 1, end), left)
    others[left] = own
    return others
  }
  const place = (at: number): number => start + at + (at >= left ? 1 : 0)
  return {
    ...film,
    frames: end - start - 1,
    residual: without(film.residual, motionResidual(before, after)),
    histogram: without(film.histogram, histogramDistance(before, after)),
    layout: without(film.layout, layoutDistance(before, after)),
    step: withPairs(without(film.step, pixelDistance(before, after)), left),
    mean: without(film.mean),
    deviation: without(film.deviation),
    imageAt: (at) => film.imageAt(place(at)),
    isKept: (at) => film.isKept(place(at)),
  }
}

/** Measures the other steps over two frames too, or each jolt between mixed frames stands out. */
function withPairs(steps: Float32Array, own: number): Float32Array {
  return steps.map((step, at) => {
    if (at === own) return step
    const next = at < own ? at - 1 : at + 1
    return step + (steps[next] ?? 0)
  })
}

function leftFrames(frame: number): number {
  return Math.min(frame, reach)
}
