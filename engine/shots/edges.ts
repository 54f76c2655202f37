/**
 * Where a dissolve or wipe really begins and ends. The windows that find them come in a few lengths
 * only; here every frame around is measured as a mix of the clean frames on both sides, and the
 * ramp that fits the mix best gives the edges. A window longer than the change shrinks to it, and a
 * shorter one grows until there is clean film on both sides.
 */
import type { Film } from './film.ts'
import { layoutDistance, measureBetween, measureSteps } from './distance.ts'
import { thumbPixels } from './grid.ts'

export interface Edges {
  /** First blended frame. */
  start: number
  /** First clean frame. */
  end: number
}

const maxRounds = 4
/** A ramp that misses the mix by more than this is none. */
const worstFit = 0.12
const reach = 6

/** Fits the edges; null if there is no steady mix, in which case the window is more reliable. */
export function fitEdges(film: Film, window: Edges): Edges | null {
  let edges = window
  for (let round = 0; round < maxRounds; round++) {
    const margin = Math.max(3, (edges.end - edges.start) >> 2)
    const first = cleanFrame(film, edges.start, -margin, edges)
    const last = cleanFrame(film, edges.end, margin, edges)
    const mix = mixBetween(film, first, last)
    const fit = mix && fitRamp(mix)
    if (!fit || fit.error > worstFit || fit.end - fit.start < 3) return null
    const next = { start: first + fit.start, end: first + fit.end }
    if (next.start >= window.end || next.end <= window.start) return null
    const same = next.start === edges.start && next.end === edges.end
    edges = next
    if (same) break
  }
  return edges
}

/** Walks from an edge into the clean film; a cut on the way ends it. */
function cleanFrame(film: Film, from: number, margin: number, edges: Edges): number {
  const { start, end } = edges
  const whole = layoutDistance(film.imageAt(start), film.imageAt(Math.min(end, film.frames - 1)))
  const step = Math.sign(margin)
  let at = Math.min(from, film.frames - 1)
  for (let count = 0; count < Math.abs(margin); count++) {
    const next = at + step
    if (next < 0 || next >= film.frames || !film.isKept(next)) break
    if (film.layout[Math.max(at, next)]! > 0.4 * whole) break
    at = next
  }
  return at
}

/** The share of the last image in each frame: about 0 before the change, 1 after. */
function mixBetween(film: Film, first: number, last: number): Float64Array | null {
  const a = film.imageAt(first).thumb
  const b = film.imageAt(last).thumb
  const { squares: distance } = measureSteps(a, b)
  if (distance < thumbPixels) return null
  const mix = new Float64Array(last - first + 1)
  for (let frame = first; frame <= last; frame++) {
    mix[frame - first] = measureBetween(a, b, film.imageAt(frame).thumb).along / distance
  }
  return mix
}

/** The first guess runs through a fifth and four fifths of the mix; its neighbours are tried. */
function fitRamp(mix: Float64Array): (Edges & { error: number }) | null {
  const low = mix.findIndex((value) => value > 0.2)
  const high = mix.findIndex((value, at) => at >= low && value > 0.8)
  if (low < 0 || high < low) return null
  const beyond = Math.round((high - low) / 3)
  let best: (Edges & { error: number }) | null = null
  for (let start = low - beyond - reach; start <= low - beyond + reach; start++) {
    for (let end = high + beyond - reach; end <= high + beyond + reach; end++) {
      if (start < -1 || end > mix.length || end - start < 2) continue
      let error = 0
      for (let at = 0; at < mix.length; at++) {
        const ramp = Math.min(1, Math.max(0, (at - start) / (end - start)))
        error += (mix[at]! - ramp) ** 2
      }
      // The ramp starts on the last clean frame.
      if (!best || error < best.error) best = { start: start + 1, end, error }
    }
  }
  return best && { ...best, error: Math.sqrt(best.error / mix.length) }
}
