/** Fits a line through points with outliers: Theil and Sen's median slope, then least squares. */
import { soundRate } from './sound.ts'

interface Point {
  x: number
  y: number
}

interface FittedLine {
  slope: number
  /** Value at x = 0. */
  at: number
  /** Its slope is known to a few millionths. */
  isSure: boolean
}

const minPoints = 4
/** Twice the error that the slope may have stays below the ten millionths that are promised. */
const maxSlopeError = 2.5e-6
/** Over less, the echoes of changing words bend the line by as much as a clock does. */
const minSpan = 15 * soundRate

/** Fits a line; null if there are too few points. */
export function fitLine(points: readonly Point[]): FittedLine | null {
  if (points.length < minPoints) return null
  const slopes: number[] = []
  for (const [index, a] of points.entries()) {
    for (const b of points.slice(index + 1)) {
      if (Math.abs(b.x - a.x) > 1) slopes.push((b.y - a.y) / (b.x - a.x))
    }
  }
  if (slopes.length === 0) return null
  const slope = median(slopes)
  const rest = points.map(({ x, y }) => y - slope * x)
  const middle = median(rest)
  const spread = median(rest.map((value) => Math.abs(value - middle))) * 1.4826
  const kept = points.filter((_, at) => Math.abs(rest[at]! - middle) <= Math.max(0.5, 3 * spread))
  if (kept.length < minPoints) return null
  return leastSquares(kept)
}

function leastSquares(points: readonly Point[]): FittedLine {
  const count = points.length
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / count
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / count
  const width = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / width
  const at = meanY - slope * meanX
  const left = points.reduce((sum, { x, y }) => sum + (y - at - slope * x) ** 2, 0)
  // Peaks that agree by chance still have the error of a fraction of a sample.
  const error = Math.sqrt(Math.max(left / Math.max(1, count - 2), 0.05 ** 2) / width)
  const span = Math.max(...points.map(({ x }) => x)) - Math.min(...points.map(({ x }) => x))
  return { slope, at, isSure: error <= maxSlopeError && span >= minSpan }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}
