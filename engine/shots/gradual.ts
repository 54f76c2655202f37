/**
 * Dissolves and wipes: windows of several lengths, each asked whether what lies between its ends is
 * a blend of them. A slow pan or zoom also changes the frame little by little; following the motion
 * tells it apart: where moved ends give the middle, nothing was blended.
 */
import type { Film } from './film.ts'
import { fitEdges } from './edges.ts'
import type { Edges } from './edges.ts'
import { isPlace } from './fades.ts'
import {
  histogramDistance,
  layoutDistance,
  measureBetween,
  measureSteps,
  movedDistance,
} from './distance.ts'
import { thumbPixels } from './grid.ts'
import { columnShift, motionResidual, rowShift } from './motion.ts'
import type { Image } from './picture.ts'
import { isWhip, measurePush } from './push.ts'
import type { GradualScore } from './push.ts'

export const gradualHalves = [3, 5, 8, 12, 18, 26]

/** Below this a window is not worth keeping as a candidate. */
const keepScore = 0.1
/** From here on its edges are worth measuring. */
const measureScore = 0.5
const minTypedFrames = 6
/** Mixes that leave no more than this of a change are it; false ones left .33 and more (0060). */
const explainedRest = 0.2
/** A pan is followed in so many steps, and goes over at least so many pixels of the small frame. */
const panSteps = 8
const minPan = 12

/**
 * A logistic regression over windows of recombined films, each sign fixed beforehand, so that more
 * evidence never lowers a score. How it was fitted and what it reaches: docs/decisions/0060.
 */
const weights = {
  // Lower by 0.85 than fitted: on real footage two in three windows with less were no change.
  bias: -9.95,
  histogram: 3.0679,
  restless: -1.8953,
  histogramStep: -1.4229,
  layoutStep: -2.6291,
  middleContrast: -1.875,
  minContrast: -7.7889,
  changed: 5.199,
  length: 0.8084,
  endContrast: 8.8677,
  cleanBlend: 1.7132,
  fade: 1.5328,
  layoutBurst: -3.7478,
  sharp: -1.516,
  settled: 1.7454,
  settledOneSide: 2.6573,
  across: 3.4079,
  unrest: -3.0094,
}
const maxAcross = 1.2

export function scoreGradual(
  film: Film,
  centre: number,
  half: number,
  scale: number,
): GradualScore | null {
  const start = centre - half
  const end = centre + half
  const a = film.imageAt(start)
  const b = film.imageAt(end)
  const histogram = histogramDistance(a, b)
  const layout = layoutDistance(a, b)
  let plainest = start
  for (let at = start; at <= end; at++) {
    if (film.deviation[at]! < film.deviation[plainest]!) plainest = at
  }
  const minDeviation = film.deviation[plainest]!
  const contrast = Math.max(a.deviation, b.deviation) + 1
  if (histogram < 0.08 && layout < 0.015 && minDeviation / contrast > 0.5) return null
  const outerStart = film.imageAt(Math.max(0, start - half))
  const outerEnd = film.imageAt(Math.min(film.frames - 1, end + half))
  let histogramStep = 0
  let residualStep = 0
  let layoutStep = 0
  for (let at = start + 1; at <= end; at++) {
    histogramStep = Math.max(histogramStep, film.histogram[at]!)
    residualStep = Math.max(residualStep, film.residual[at]!)
    layoutStep = Math.max(layoutStep, film.layout[at]! * 5)
  }
  const far = clamp(layout * 5, 0, 3)
  const isWall = isPlace(film, start, plainest) || isPlace(film, end, plainest)
  const fade = isWall ? 0 : clamp(1 - minDeviation / contrast / 0.35, 0, 1)
  // One step that does it all is a cut.
  if (fade === 0 && layoutStep > 0.85 * (far + 0.05)) return null
  const blend = measureBlend(film, start, end)
  const before = unrestBetween(outerStart, a)
  const after = unrestBetween(b, outerEnd)
  // At the start and end of the film one side has no frames; the other must stand for both.
  const [first, last] = [
    start >= half >> 1 ? before : after,
    end + (half >> 1) < film.frames ? after : before,
  ]
  const restless = first.colours + last.colours
  const [movedBefore, movedAfter] = [first.moved, last.moved]
  const size = clamp(histogram * 2 + far, 0, 1.5)
  const clean = clamp(1 - blend.rest / 0.8, 0, 1)
  const linear = clamp(1 - blend.uneven / 0.35, 0, 1)
  const sharp = clamp((sharpness(film, start, end) - 0.68) / 0.2, 0, 1)
  const notWiped = clamp((0.75 - blend.twoSided) / 0.15, 0, 1)
  const settled = (moved: number): number => clamp(1 - moved / (far + 0.1), 0, 1)
  const atRest = settled(Math.max(movedBefore, movedAfter))
  const sum =
    weights.bias +
    weights.histogram * histogram +
    weights.restless * restless +
    weights.histogramStep * histogramStep +
    weights.layoutStep * layoutStep +
    weights.middleContrast * (film.deviation[centre]! / contrast) +
    weights.minContrast * (minDeviation / contrast) +
    weights.changed * blend.changed +
    weights.length * clamp(half / scale / 13, 0, 3) +
    weights.endContrast * (Math.min(a.deviation, b.deviation) / contrast) +
    weights.cleanBlend * size * clean * linear +
    weights.fade * fade +
    weights.layoutBurst * clamp(layoutStep / (far + 0.05), 0, 1) +
    weights.sharp * sharp * notWiped * (1 - fade) +
    weights.settled * atRest +
    weights.settledOneSide * settled(Math.min(movedBefore, movedAfter)) * clamp(far, 0, 1) +
    weights.unrest * ((film.unrest[end]! - film.unrest[start]!) / (end - start))
  // Moving blocks and strips are costly to compare, so they are asked only where they can matter.
  if (chance(sum + weights.across * maxAcross) < keepScore) return null
  const push = atRest > 0.4 && blend.rest > 0.2 ? measurePush(film, start, end) : null
  if (push && isWhip(push)) {
    // Where all of it is seen, no other window need be asked.
    const isWhole = atRest > 0.8 && push.rest < 0.35
    return isWhole ? { start, end, edges: null, isExplained: true, score: 0, type: 'whip' } : null
  }
  const score = chance(sum + weights.across * Math.min(maxAcross, motionResidual(a, b)))
  if (score < keepScore) return null
  const type = fade > 0.3 ? 'fade' : typeOf(blend, sharpness(film, start, end))
  if (type !== 'fade' && isCameraMove(film, start, end)) return null
  // Motion is a pan, unless a seam moves along.
  const isSeamed = type === 'wipe' && push !== null && push.seam > 1.3
  if (type !== 'fade' && !isSeamed && isPan(film, start, end)) return null
  const measured = type !== 'fade' && score >= measureScore
  const edges = measured ? fitEdges(film, { start, end }) : null
  const between = edges ? blendBetween(film, edges) : null
  const isExplained = between !== null && between.rest <= explainedRest
  const isTyped = between !== null && edges!.end - edges!.start >= minTypedFrames
  const ownType = isTyped ? typeOf(between, sharpness(film, edges!.start - 1, edges!.end)) : type
  return { start, end, edges, isExplained, score, type: ownType }
}

function unrestBetween(a: Image, b: Image): { colours: number; moved: number } {
  return { colours: histogramDistance(a, b), moved: layoutDistance(a, b) * 5 }
}

function chance(sum: number): number {
  return 1 / (1 + Math.exp(-sum))
}

/**
 * A wipe leaves most of what changes wholly the one picture or the other and never dims it; what it
 * shows between is no mix of both.
 */
function typeOf(blend: { twoSided: number; rest: number }, sharp: number): 'wipe' | 'dissolve' {
  const sum = 9.62 * blend.twoSided + 3.26 * Math.min(1.5, sharp) + 3.18 * blend.rest - 8.4
  return sum > 0 ? 'wipe' : 'dissolve'
}

/**
 * A window much longer than the change holds clean frames of either side, which look like a wipe;
 * between the measured edges there are none.
 */
function blendBetween(film: Film, { start, end }: Edges) {
  return start < 1 || !film.isKept(end) ? null : measureBlend(film, start - 1, end)
}

/**
 * How well frames between the ends are a mix of both. `rest` is what no mix explains, `uneven` how
 * far the mix is from a steady one, `changed` the part of the picture that differs at all and
 * `twoSided` how much of that is wholly the one or the other, as in a wipe.
 */
function measureBlend(film: Film, start: number, end: number) {
  const a = film.imageAt(start).thumb
  const b = film.imageAt(end).thumb
  const { squares: whole, large } = measureSteps(a, b)
  const distance = whole + 1e-3
  const samples = 6
  let rest = 0
  let uneven = 0
  let twoSided = 0
  for (let sample = 1; sample <= samples; sample++) {
    const part = sample / (samples + 1)
    const middle = film.imageAt(start + Math.round((end - start) * part)).thumb
    const { along, squares, sided } = measureBetween(a, b, middle)
    const mix = along / distance
    rest += Math.sqrt(Math.max(0, squares - mix * mix * distance) / distance)
    uneven += Math.abs(mix - part)
    twoSided += large > 0 ? sided / large : 0
  }
  return {
    rest: Math.min(3, rest / samples),
    uneven: uneven / samples,
    twoSided: twoSided / samples,
    changed: large / thumbPixels,
  }
}

/**
 * Two unrelated frames on top of each other have about half the variance of each alone; a moving
 * camera keeps it. 0.5 speaks for a blend, 1 against.
 */
function sharpness(film: Film, start: number, end: number): number {
  const middle = film.deviation[(start + end) >> 1]! ** 2
  const ends = (film.deviation[start]! ** 2 + film.deviation[end]! ** 2) / 2
  return middle / (ends + 1)
}

/**
 * Whether the camera panned: step by step the whole frame moved, and moved back it is nearly the
 * one before. In a dissolve nothing moves.
 */
function isPan(film: Film, start: number, end: number): boolean {
  const steps = Math.min(panSteps, end - start)
  let [x, y, still, moved] = [0, 0, 0, 0]
  let before = film.imageAt(start)
  for (let step = 1; step <= steps; step++) {
    const after = film.imageAt(start + Math.round(((end - start) * step) / steps))
    const shiftX = columnShift(before, after)
    const shiftY = rowShift(before, after)
    x += shiftX
    y += shiftY
    still += movedDistance(before, after, 0, 0)
    moved += movedDistance(before, after, shiftX, shiftY)
    before = after
  }
  return Math.hypot(x, y) >= minPan && moved < 0.5 * still
}

/** Whether moving blocks alone lead from each quarter of the window to the next. */
function isCameraMove(film: Film, start: number, end: number): boolean {
  let before = film.imageAt(start)
  for (let part = 1; part <= 4; part++) {
    const after = film.imageAt(start + Math.round(((end - start) * part) / 4))
    // A zoom in explains the later picture by the earlier one, a zoom out the other way round.
    if (Math.min(motionResidual(before, after), motionResidual(after, before)) > 0.38) return false
    before = after
  }
  return true
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value
}
