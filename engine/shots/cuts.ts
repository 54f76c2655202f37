/**
 * Hard cuts. A cheap gate passes the few frames that differ from the one before more than their
 * neighbours do. For those, several cues are measured: whether the old shot comes back, whether the
 * step stands out from the steps around it, whether light alone explains it, and whether it is one
 * of many alike (shake, strobes, frames shown twice), which are compared by what they share.
 *
 * The score is a logistic regression over the cues. Each weight keeps the sign that was fixed
 * beforehand, so that more evidence never lowers a score (except where a caption stands out);
 * docs/decisions/0060 says how they were fitted and what they reach on sources that were left out.
 */
import { captionChange } from './burnt-in-captions.ts'
import type { Film } from './film.ts'
import { layoutDistance, lightShare, pixelDistance, texturedChange } from './distance.ts'
import { plainDeviation } from './fades.ts'
import { endOfFlash, maxFlashFrames } from './flashes.ts'
import { motionResidual } from './motion.ts'
import type { Image } from './picture.ts'

export interface CutScore {
  frame: number
  score: number
  /** See `CutCues`. */
  certain: number
  /** If a flash starts here, the first frame that shows the old image again; else null. */
  flashEnd: number | null
  /** True if the frame before is a mix of both shots, in a film in which that is usual. */
  isBehindBlend?: boolean
}

/** Evidence for a cut, or against it where its weight is negative. */
export interface CutCues {
  /**
   * The share of the new image that no moving block of the old one explains, then and later, if the
   * pixels change as much as between two unrelated images. No calm around it is needed: shots of a
   * few frames have none.
   */
  certain: number
  /** Logarithms of how far the change of colours and blocks stands out from its neighbours. */
  colourPeak: number
  blockPeak: number
  /** Logarithm of how far the change of pixels stands out from the two steps on either side. */
  stepPeak: number
  /** The change across the cut over the drift within the quieter side, as a logarithm. */
  across: number
  /** A step that stands out within a second, and changes what has texture: a jump cut. */
  jump: number
  /** The share of the change that is undone within two frames. */
  returns: number
  /** The share of the textured area that does not change. */
  kept: number
  /** The degree to which a caption changes over a continuing shot. */
  caption: number
  /** The share of the change that a change of light explains. */
  light: number
  /** Near 1 if light explains most of the change. */
  lit: number
  /** Many similar steps within a second that do not all show new images. */
  swarm: number
  /** Near 1 if the third-largest step around is as large, provided all are small. */
  alike: number
}

/** Steps are compared with those within this time on either side. */
const aroundSeconds = 0.5
const maxAround = 30

/** How many later frames a score needs. */
export function cutLookahead(framesPerSecond: number): number {
  return Math.max(maxFlashFrames, aroundFrames(framesPerSecond))
}

function aroundFrames(framesPerSecond: number): number {
  return Math.min(maxAround, Math.round(aroundSeconds * framesPerSecond))
}

/** Frames shown more often than this in a row are a still, not a changed rate. */
const maxRepeats = 4

const weights: CutCues & { bias: number } = {
  bias: -5.311,
  certain: 4.674,
  colourPeak: 1.703,
  blockPeak: 1.174,
  stepPeak: 1.297,
  across: 0.341,
  jump: 2.08,
  returns: -3.777,
  kept: -5.734,
  // Set by hand, as `lit` is: captions are rare in the footage that set the others.
  caption: -8,
  light: -8.955,
  // Set by hand: no real cut reaches it, and a bright pulse is never a cut.
  lit: -10,
  swarm: -3.879,
  alike: -4.486,
}

export function scoreCut(
  film: Film,
  frame: number,
  framesPerSecond: number,
): (CutScore & { cues: CutCues }) | null {
  // The last frame cannot show whether a change lasts.
  if (frame === film.frames - 1 || !standsOut(film, frame)) return null
  const cues = measureCut(film, frame, framesPerSecond)
  let sum = weights.bias
  for (const [name, value] of Object.entries(cues)) sum += weights[name as keyof CutCues] * value
  const flashEnd = endOfFlash(film, frame)
  // A flash remains a candidate, far below the threshold.
  const doubt = flashEnd === null ? 0 : 10
  const score = 1 / (1 + Math.exp(doubt - sum))
  return { frame, score, certain: cues.certain, flashEnd, cues }
}

/** True if a step differs enough from its neighbours to be measured. */
function standsOut({ residual, histogram, layout, step, frames }: Film, frame: number): boolean {
  const over = (values: Float32Array, floor: number, factor: number): boolean =>
    values[frame]! > floor && values[frame]! > factor * usual(values, frame, frames)
  return (
    over(histogram, 0.05, 1.6) ||
    over(layout, 0.01, 1.8) ||
    over(residual, 0.4, 1.35) ||
    over(step, 3, 2)
  )
}

function measureCut(film: Film, frame: number, framesPerSecond: number): CutCues {
  const before = film.imageAt(frame - 1)
  const after = film.imageAt(frame)
  const residual = film.residual[frame]!
  const step = film.step[frame]!
  const small = clamp(1 - step / (Math.max(before.deviation, after.deviation) + 4) / 0.9, 0, 1)
  // If few pixels change, whether that lasts is expensive to measure and of no use.
  const lasting = small > 0.5 ? 0 : Math.min(1.2, lastingChange(film, frame, residual))
  const beside = stepsBeside(film, frame, Math.max(lasting, residual, film.histogram[frame]!))
  const { across, within } = measureAcross(film, frame)
  const { alike, third } = stepsAround(film, frame, aroundFrames(framesPerSecond))
  const kept = clamp((0.75 - texturedChange(before, after)) / 0.6, 0, 1)
  const [nearest, nearestMean] = stepsNear(film, frame)
  const stepPeak = stepOver(step, nearest, -1)
  const light = lightShare(before, after)
  const unlike = lasting * (1 - small)
  const certain = clamp((unlike - 0.6) / 0.3, 0, 1)
  return {
    certain,
    colourPeak: peak(film.histogram, frame, beside, 0.01),
    blockPeak: peak(film.residual, frame, beside, 0.05),
    stepPeak,
    across: clamp(Math.log((across + 0.5) / (within + 0.5)), -1.5, 3),
    jump: clamp(third, 0, 1.5) * clamp(stepOver(step, nearestMean, 0), 0, 2) * (1 - kept),
    returns: clamp((comesBack(film, frame) - 0.4) / 0.6, 0, 1),
    kept,
    // Expensive to measure, and without weight if everything is new.
    caption: certain === 1 ? 0 : (1 - certain) * captionChange(film, frame, { kept, stepPeak }),
    light,
    lit: clamp((light - 0.5) / 0.3, 0, 1),
    swarm: clamp(alike / 4, 0, 1.5) * clamp(1 - unlike, 0, 1),
    alike: clamp((0.35 - third) / 0.5, 0, 1) * small,
  }
}

/** Logarithm of a step over others. */
function stepOver(step: number, others: number, min: number): number {
  return clamp(Math.log((step + 0.5) / (others + 0.5)), min, 3)
}

/** The largest and the mean of the two steps on either side. */
function stepsNear({ step, frames }: Film, frame: number): [number, number] {
  const near = [frame - 2, frame - 1, frame + 1, frame + 2]
    .filter((at) => at >= 1 && at < frames)
    .map((at) => step[at]!)
  if (near.length === 0) return [0, 0]
  return [Math.max(...near), near.reduce((sum, value) => sum + value, 0) / near.length]
}

/** How many steps around are as large, and how far this step exceeds the third-largest. */
function stepsAround(
  { step, frames }: Film,
  frame: number,
  reach: number,
): { alike: number; third: number } {
  const own = step[frame]!
  const around: number[] = []
  for (let at = Math.max(1, frame - reach); at <= Math.min(frames - 1, frame + reach); at++) {
    if (Math.abs(at - frame) > 1) around.push(step[at]!)
  }
  const alike = around.filter((value) => value > 0.6 * own).length
  around.sort((a, b) => b - a)
  return { alike, third: stepOver(own, around[2] ?? 0, -1) }
}

/** Pairs of frames before and after, counted from the last before and the first after. */
const pairsAcross = [
  [0, 1],
  [0, 2],
  [0, 4],
  [1, 0],
  [2, 0],
  [4, 0],
  [2, 2],
  [4, 4],
] as const

/** The least change across a cut, and the drift within the quieter of both sides. */
function measureAcross(film: Film, frame: number): { across: number; within: number } {
  const [last, first] = [frame - 1, frame]
  let across = Infinity
  for (const [back, ahead] of pairsAcross) {
    if (last - back < 0 || first + ahead >= film.frames) continue
    const [earlier, later] = [film.imageAt(last - back), film.imageAt(first + ahead)]
    across = Math.min(across, pixelDistance(earlier, later))
  }
  const drift = (from: number, way: 1 | -1): number | null => {
    const far = [2, 4].map((steps) => from + way * steps)
    const inside = far.filter((at) => at >= 0 && at < film.frames)
    if (inside.length === 0) return null
    const start = film.imageAt(from)
    return Math.max(...inside.map((at) => pixelDistance(start, film.imageAt(at))))
  }
  const drifts = [drift(last, -1), drift(first, 1)].filter((value) => value !== null)
  return {
    across: across === Infinity ? film.step[frame]! : across,
    within: drifts.length > 0 ? Math.min(...drifts) : 0,
  }
}

/** The smallest residual of the next frames against the old image: near 0 if that returns. */
function lastingChange(film: Film, frame: number, residual: number): number {
  let smallest = Infinity
  const before = film.imageAt(frame - 1)
  const isPlain = comesPlain(film, frame)
  const newness = (a: Image, b: Image): number =>
    Math.max(motionResidual(a, b), isPlain ? motionResidual(b, a) : 0)
  for (const ahead of [1, 2, 4]) {
    if (frame + ahead >= film.frames) continue
    smallest = Math.min(smallest, newness(before, film.imageAt(frame + ahead)))
  }
  const after = film.imageAt(frame)
  for (const back of [2, 3, 5]) {
    if (frame - back < 0) continue
    smallest = Math.min(smallest, newness(film.imageAt(frame - back), after))
  }
  return smallest === Infinity ? residual : smallest
}

/**
 * True if the image turns plain in one step. A plain image has no blocks to miss, so the other
 * image's blocks are compared as well. If it turns plain step by step, a shape closes or a light
 * goes out.
 */
function comesPlain(film: Film, frame: number): boolean {
  const step = film.layout[frame]!
  const beside = Math.max(film.layout[frame - 1]!, film.layout[frame + 1] ?? 0)
  return film.deviation[frame]! < plainDeviation && beside < 0.3 * step
}

/** The share (0 to 1) of the change that is undone within a few frames, or was there before. */
function comesBack(film: Film, frame: number): number {
  const before = film.imageAt(frame - 1)
  const after = film.imageAt(frame)
  const whole = film.layout[frame]! + 0.002
  let smallest = whole
  for (let step = 1; step <= 2; step++) {
    if (frame + step < film.frames) {
      smallest = Math.min(smallest, layoutDistance(before, film.imageAt(frame + step)))
    }
    if (frame - 1 - step >= 0) {
      smallest = Math.min(smallest, layoutDistance(film.imageAt(frame - 1 - step), after))
    }
  }
  return 1 - smallest / whole
}

/** The steps that a step is compared with: those next to it, and those beyond repeated frames. */
interface Beside {
  before: number
  after: number
  earlier: number
  later: number
  /** Weight, 0 to 1, of the steps beyond repeated frames. */
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
  for (let step = 1; step <= maxRepeats + 1; step++) {
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
  const over = (own: number, left: number, right: number): number =>
    Math.log((own + floor) / (Math.max(at(left), at(right)) + floor))
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
