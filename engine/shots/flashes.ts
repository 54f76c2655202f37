/** Flashes: light that washes a frame out for a moment, and is no cut. */
import { histogramDistance } from './distance.ts'
import { plainDeviation } from './fades.ts'
import type { Film } from './film.ts'
import { motionResidual } from './motion.ts'

/** The old image returns within this many frames. */
export const maxFlashFrames = 9
/** A flash is not as even as this for as many frames. */
const minHeld = 4

/**
 * A flash washes the picture out at once (the contrast collapses, the brightness jumps) and lets it
 * come back within a few frames. In fast action the old picture has moved on by then, so colours
 * are compared as well as blocks, and both with what the scene does anyway in that time.
 */
export function endOfFlash(film: Film, frame: number): number | null {
  const before = film.imageAt(frame - 1)
  const jump = film.mean[frame]! - before.mean
  const left = film.deviation[frame]! / (before.deviation + 1)
  const washed = (Math.abs(jump) > 40 && left < 0.4) || (Math.abs(jump) > 20 && left < 0.2)
  if (!washed) return null
  const last = Math.min(film.frames - 1, frame + maxFlashFrames - 1)
  for (let at = frame + 1; at <= last; at++) {
    const back = Math.abs(film.mean[at]! - before.mean) < 0.35 * Math.abs(jump)
    if (!back || film.deviation[at]! < 0.6 * before.deviation) continue
    const after = film.imageAt(at)
    const earlier = film.imageAt(Math.max(0, frame - 1 - (at - frame + 1)))
    const usualColours = histogramDistance(earlier, before)
    const usualBlocks = motionResidual(earlier, before)
    const blocksReturn = motionResidual(before, after) < Math.max(0.3, 1.1 * usualBlocks)
    if (blocksReturn) return at
    // A plain colour that holds separates two shots, which may have the same colours.
    if (isHeld(film, frame, at)) continue
    if (histogramDistance(before, after) < Math.max(0.38, 1.6 * usualColours)) return at
  }
  return null
}

/** True if only one plain colour is shown for several frames. */
function isHeld(film: Film, from: number, to: number): boolean {
  let plain = 0
  for (let at = from; at < to; at++) {
    const isSame = Math.abs(film.mean[at]! - film.mean[from]!) < 3
    if (film.deviation[at]! < plainDeviation && isSame) plain++
  }
  return plain >= minHeld
}
