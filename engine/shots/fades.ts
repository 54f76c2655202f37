/**
 * Finds fades: the contrast sinks to nothing (black, white or any plain colour), may stay there,
 * and rises again. Two numbers of each frame suffice, so a fade of any length is one change, from
 * the first dimmed frame to the first whole one.
 */
import type { Film } from './film.ts'

export interface Fade {
  start: number
  end: number
  score: number
  /** See `GradualScore`; a plain colour that swells and fades has nothing to classify. */
  isExplained?: boolean
}

/** A frame with less contrast is a plain colour. */
export const plainDeviation = 4.5
/** Within plain frames, a smaller change of brightness is not a fade. */
const minRamp = 60
/** Plain frames darker or lighter than these are black or white. */
const darkest = 45
const lightest = 215
/** A fade to another colour moves the brightness by at least this. */
const minShift = 30

export function findFades(film: Film, framesPerSecond: number): Fade[] {
  const fades: Fade[] = []
  // A fall or rise of fewer frames is a cut to or from the colour.
  const shortestSide = Math.max(4, Math.round(framesPerSecond * 0.12))
  const longestSide = Math.round(framesPerSecond * 5)
  const longestHold = Math.round(framesPerSecond * 2)
  for (const hold of plainRuns(film)) {
    const pulses = plainPulses(film, hold)
    if (pulses.length > 0) {
      for (const pulse of pulses) fades.push({ ...pulse, isExplained: true })
      continue
    }
    const start = hold.start - sideLength(film, hold.start, -1, longestSide)
    const end = hold.end + sideLength(film, hold.end - 1, 1, longestSide)
    const fallsSlowly = hold.start - start >= shortestSide && !isPlace(film, start, hold.start)
    const risesSlowly = end - hold.end >= shortestSide && !isPlace(film, end - 1, hold.end - 1)
    if (fallsSlowly && risesSlowly && hold.end - hold.start <= longestHold) {
      fades.push(scored(film, start, end))
      continue
    }
    // After a long hold the fall and the rise are two changes, with a plain shot between.
    if (fallsSlowly) fades.push(scored(film, start, Math.min(hold.end, hold.start + 1)))
    if (risesSlowly) fades.push(scored(film, hold.start === 0 ? 0 : hold.end - 1, end))
  }
  return fades
}

function plainRuns(film: Film): { start: number; end: number }[] {
  const runs: { start: number; end: number }[] = []
  for (let frame = 0; frame < film.frames; frame++) {
    if (film.deviation[frame]! >= plainDeviation) continue
    const last = runs.at(-1)
    if (last && frame - last.end <= 2) last.end = frame + 1
    else runs.push({ start: frame, end: frame + 1 })
  }
  return runs
}

/**
 * Finds colours that grow out of black and fade back: one fade from black to black to an editor,
 * though it shows no image.
 */
function plainPulses(film: Film, hold: { start: number; end: number }): Fade[] {
  const turns = [hold.start]
  let high = film.mean[hold.start]!
  let low = high
  let lowAt = hold.start
  let risen = false
  for (let frame = hold.start; frame < hold.end; frame++) {
    const mean = film.mean[frame]!
    const step = frame > hold.start ? Math.abs(mean - film.mean[frame - 1]!) : 0
    if (step > minRamp / 2) return []
    if (mean > low + minRamp && !risen) {
      risen = true
      if (lowAt > (turns.at(-1) ?? 0)) turns.push(lowAt)
      high = mean
    }
    if (risen) high = Math.max(high, mean)
    if (risen && mean < high - minRamp) {
      risen = false
      low = mean
      lowAt = frame
    }
    if (!risen && mean <= low) {
      low = mean
      lowAt = frame
    }
  }
  if (risen || lowAt > (turns.at(-1) ?? 0)) turns.push(risen ? hold.end : lowAt)
  const pulses = turns.slice(1).map((end, index) => ({ start: turns[index]!, end, score: 0.9 }))
  const spread = (pulse: Fade): boolean => {
    // Hours of a plain picture are one pulse: more values than a call takes arguments.
    const means = film.mean.subarray(pulse.start, pulse.end)
    let [lowest, highest] = [Infinity, -Infinity]
    for (const mean of means) {
      if (mean < lowest) lowest = mean
      if (mean > highest) highest = mean
    }
    return highest - lowest > minRamp
  }
  return pulses.filter(spread)
}

/** How many frames the contrast keeps rising, away from the plain frames. */
function sideLength(film: Film, from: number, direction: 1 | -1, longest: number): number {
  const base = film.deviation[from]!
  let length = 0
  for (let step = 1; step <= longest; step++) {
    const at = from + step * direction
    const ahead = at + 3 * direction
    if (at < 0 || at >= film.frames) break
    const risen = film.deviation[at]! - base
    const slope = risen / step
    const reach = Math.min(Math.max(0, ahead), film.frames - 1)
    const next = (film.deviation[reach]! - film.deviation[at]!) / Math.max(1, Math.abs(reach - at))
    length = step
    if (next <= Math.max(0.05, 0.25 * slope)) break
  }
  // A single step is a cut; the first whole frame is not part of a fall.
  return direction === 1 ? length : length - 1
}

/**
 * True if the plain frame is a place, such as a wall at which a camera comes to rest: the contrast
 * is lost, the brightness kept. Never true for black and white.
 */
export function isPlace(film: Film, whole: number, plain: number): boolean {
  const colour = film.mean[plain]!
  if (colour < darkest || colour > lightest) return false
  return Math.abs(film.mean[Math.min(Math.max(0, whole), film.frames - 1)]! - colour) < minShift
}

function scored(film: Film, start: number, end: number): Fade {
  const from = Math.max(0, start)
  const to = Math.min(film.frames, end)
  const whole = Math.max(
    film.deviation[from] ?? 0,
    film.deviation[Math.min(to, film.frames - 1)] ?? 0,
  )
  // The more contrast there was to lose, the surer.
  return { start: from, end: to, score: Math.min(0.99, 0.5 + whole / 60) }
}
