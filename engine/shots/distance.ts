/**
 * How far two small frames are apart, without any search. With the motion-compensated residual
 * (motion.ts, blind to camera moves) these fail in different ways: a histogram by quadrant is blind
 * to small moves, a layout of block means to grain.
 */
import { smallHeight as height, smallWidth as width } from '../pass/plan.ts'
import {
  cellHeight,
  cellWidth,
  chromaPixels,
  blocks,
  lumaPixels,
  thumbPixels,
  thumbWidth,
} from './grid.ts'
import type { Image } from './picture.ts'

const cellPixels = cellWidth * cellHeight
/** Fewer cells allow no statement about their share. */
const fewestCells = 4
/** Fewer moving cells allow no statement about continuing motion. */
const minMovingCells = 3
/** Steps of a thumb that are larger than this are a change. */
const largeStep = 24

/** 0 (the same colours in each quadrant) to 1. */
export function histogramDistance(a: Image, b: Image): number {
  const [before, after] = [a.counts, b.counts]
  let light = 0
  let colour = 0
  for (let bin = 0; bin < 64; bin++) {
    light += Math.abs(before[bin]! - after[bin]!)
    colour += Math.abs(before[bin + 64]! - after[bin + 64]!)
  }
  return (0.3 * light) / lumaPixels + (0.2 * colour) / chromaPixels
}

/** The mean difference of the blocks; 0.02 is a small change, 0.2 another shot. */
export function layoutDistance(a: Image, b: Image): number {
  const [before, after] = [a.layout, b.layout]
  let sum = 0
  for (let at = 0; at < before.length; at++) sum += Math.abs(before[at]! - after[at]!)
  return sum / (blocks * 255)
}

/**
 * The largest difference of a small block, in levels of luma or chroma. For a held frame it stays
 * below one, whatever grain, coding and rounding do; motion is above three within a second.
 */
export function spotDistance(a: Image, b: Image): number {
  let largest = 0
  for (let at = 0; at < a.spots.length; at++) {
    const step = Math.abs(a.spots[at]! - b.spots[at]!)
    if (step > largest) largest = step
  }
  for (let at = blocks; at < a.layout.length; at++) {
    const step = Math.abs(a.layout[at]! - b.layout[at]!)
    if (step > largest) largest = step
  }
  return largest
}

/** The mean difference of the pixels: luma and both chromas, each in steps of 256. */
export function pixelDistance(a: Image, b: Image): number {
  const [before, after] = [a.yuv, b.yuv]
  let colour = 0
  for (let at = lumaPixels; at < before.length; at++) colour += Math.abs(before[at]! - after[at]!)
  return lumaDistance(a, b) + colour / chromaPixels
}

/** The mean step of each row of luma. */
export function rowSteps(a: Image, b: Image): Float32Array {
  const steps = new Float32Array(height)
  for (let y = 0; y < height; y++) {
    let sum = 0
    for (let at = y * width; at < (y + 1) * width; at++) {
      const step = a.yuv[at]! - b.yuv[at]!
      sum += step < 0 ? -step : step
    }
    steps[y] = sum / width
  }
  return steps
}

function lumaDistance({ yuv: before }: Image, { yuv: after }: Image): number {
  let sum = 0
  for (let at = 0; at < lumaPixels; at++) sum += Math.abs(before[at]! - after[at]!)
  return sum / lumaPixels
}

/** The mean difference of `b` and `a` moved by x, y, over the pixels that both show. */
export function movedDistance(a: Image, b: Image, dx: number, dy: number): number {
  const [fromX, toX] = [Math.max(0, -dx), Math.min(width, width - dx)]
  const [fromY, toY] = [Math.max(0, -dy), Math.min(height, height - dy)]
  let sum = 0
  for (let y = fromY; y < toY; y++) {
    const [fromAt, toAt] = [(y + dy) * width + dx, y * width]
    for (let x = fromX; x < toX; x++) {
      const step = b.yuv[toAt + x]! - a.yuv[fromAt + x]!
      sum += step < 0 ? -step : step
    }
  }
  return sum / ((toX - fromX) * (toY - fromY))
}

/**
 * The share of the textured area, of either, that a step changes. A cut changes nearly all of it; a
 * title or an inset does not. An untextured wall counts neither way.
 */
export function texturedChange(a: Image, b: Image): number {
  const { changedLimit, contrast } = cellLimits(a, b)
  const texture = Math.max(2.5, 0.1 * contrast) ** 2
  let changed = 0
  let textured = 0
  for (let y = 0; y < height; y += cellHeight) {
    for (let x = 0; x < width; x += cellWidth) {
      const isChanged = cellDistance(a.yuv, b.yuv, x, y) > changedLimit
      if (isChanged) changed++
      if (isChanged || Math.max(cellVariance(a.yuv, x, y), cellVariance(b.yuv, x, y)) > texture) {
        textured++
      }
    }
  }
  return changed / Math.max(fewestCells, textured)
}

/**
 * How much motion around a step goes on through it, beside what the step changes: that of a speaker
 * does through a caption, not through a cut. `moves` are pairs of frames on one side of the step.
 */
export function movingOn(a: Image, b: Image, moves: readonly (readonly [Image, Image])[]): number {
  const { changedLimit, movedLimit } = cellLimits(a, b)
  let changed = 0
  let goesOn = 0
  let moving = 0
  for (let y = 0; y < height; y += cellHeight) {
    for (let x = 0; x < width; x += cellWidth) {
      const isMoving = moves.some(
        ([one, other]) => cellDistance(one.yuv, other.yuv, x, y) > movedLimit,
      )
      if (isMoving) moving++
      if (cellDistance(a.yuv, b.yuv, x, y) > changedLimit) changed++
      else if (isMoving) goesOn++
    }
  }
  return moving < minMovingCells ? 0 : goesOn / Math.max(fewestCells, goesOn + changed)
}

/** Sums of a cell's steps above which it has changed across a cut, and above which it has moved. */
function cellLimits(
  a: Image,
  b: Image,
): { changedLimit: number; movedLimit: number; contrast: number } {
  const contrast = Math.max(a.deviation, b.deviation)
  const minStep = Math.min(3, Math.max(1, 0.12 * contrast))
  // Next to a burst of light or a large title everything else changes a little.
  const changedLimit = cellPixels * Math.max(minStep, 0.25 * lumaDistance(a, b))
  return { changedLimit, movedLimit: cellPixels * minStep, contrast }
}

function cellDistance(a: Uint8Array, b: Uint8Array, x: number, y: number): number {
  let sum = 0
  for (let row = y; row < y + cellHeight; row++) {
    for (let at = row * width + x; at < row * width + x + cellWidth; at++) {
      sum += Math.abs(a[at]! - b[at]!)
    }
  }
  return sum
}

function cellVariance(luma: Uint8Array, x: number, y: number): number {
  let [sum, squares] = [0, 0]
  for (let row = y; row < y + cellHeight; row++) {
    for (let at = row * width + x; at < row * width + x + cellWidth; at++) {
      const value = luma[at]!
      sum += value
      squares += value * value
    }
  }
  return squares / cellPixels - (sum / cellPixels) ** 2
}

/**
 * The part of a step that a change of light explains, 0 to 1: each part of the frame is the same
 * with another brightness and contrast, as in flashes, pulses, flicker and exposure.
 */
export function lightShare(a: Image, b: Image): number {
  // Bars are equal in every shot and would distort the fit.
  const left = Math.ceil(Math.max(a.inner.left, b.inner.left) / 2)
  const top = Math.ceil(Math.max(a.inner.top, b.inner.top) / 2)
  const wide = ((Math.min(a.inner.right, b.inner.right) >> 1) - left) >> 2
  const high = ((Math.min(a.inner.bottom, b.inner.bottom) >> 1) - top) >> 1
  if (wide < 2 || high < 2) return 0
  let [steps, rests, alike] = [0, 0, 0]
  for (let part = 0; part < 8; part++) {
    const from = (top + high * (part >> 2)) * thumbWidth + left + wide * (part & 3)
    const fit = fitLight(a.thumb, b.thumb, { from, wide, high })
    steps += fit.step
    rests += fit.rest
    alike += fit.alike * fit.step
  }
  const explained = 1 - Math.sqrt((rests + 1) / (steps + 1))
  return clampPart((alike / (steps + 1e-9) - 0.6) / 0.35) * clampPart(explained / 0.6)
}

/** The mean squared step of a part, its rest after the best fit, and the correlation. */
function fitLight(
  a: Uint8Array,
  b: Uint8Array,
  { from, wide, high }: { from: number; wide: number; high: number },
): { step: number; rest: number; alike: number } {
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0]
  for (let row = 0; row < high; row++) {
    const start = from + row * thumbWidth
    for (let at = start; at < start + wide; at++) {
      const [left, right] = [a[at]!, b[at]!]
      sumA += left
      sumB += right
      squaresA += left * left
      squaresB += right * right
      products += left * right
    }
  }
  const count = wide * high
  const [meanA, meanB] = [sumA / count, sumB / count]
  const varianceA = squaresA / count - meanA ** 2
  const varianceB = squaresB / count - meanB ** 2
  const common = products / count - meanA * meanB
  const alike = clampPart(common / Math.sqrt((varianceA + 1) * (varianceB + 1)))
  return {
    step: (squaresA + squaresB - 2 * products) / count,
    rest: varianceB * (1 - alike ** 2),
    alike,
  }
}

function clampPart(value: number): number {
  return Math.min(1, Math.max(0, value))
}

/**
 * The mean difference of a thumb and the rows of this stride. Gives up above `limit`: most
 * positions of a strip are far off, and the first rows show it.
 */
export function stripError(
  strip: Uint8Array,
  from: number,
  stride: number,
  thumb: Uint8Array,
  limit: number,
): number {
  const enough = limit * thumbPixels
  let sum = 0
  let stripAt = from
  for (let thumbAt = 0; thumbAt < thumbPixels; thumbAt += thumbWidth) {
    for (let x = 0; x < thumbWidth; x++) {
      sum += Math.abs(strip[stripAt + x]! - thumb[thumbAt + x]!)
    }
    if (sum > enough) break
    stripAt += stride
  }
  return sum / thumbPixels
}

/** The sum of squared steps of two thumbs, and how many pixels differ much. */
export function measureSteps(a: Uint8Array, b: Uint8Array): { squares: number; large: number } {
  let squares = 0
  let large = 0
  for (let at = 0; at < thumbPixels; at++) {
    const step = b[at]! - a[at]!
    squares += step * step
    if (step > largeStep || step < -largeStep) large++
  }
  return { squares, large }
}

/**
 * A third thumb on the way from one to the other: its steps from `a` multiplied with the whole
 * steps, squared, and how many of the large ones are wholly on one side (within 15 % of it).
 */
export function measureBetween(
  a: Uint8Array,
  b: Uint8Array,
  middle: Uint8Array,
): { along: number; squares: number; sided: number } {
  let [along, squares, sided] = [0, 0, 0]
  for (let at = 0; at < thumbPixels; at++) {
    const whole = b[at]! - a[at]!
    const moved = middle[at]! - a[at]!
    along += whole * moved
    squares += moved * moved
    const size = whole < 0 ? -whole : whole
    if (size <= largeStep) continue
    const left = moved - whole
    if (20 * (moved < 0 ? -moved : moved) < 3 * size) sided++
    else if (20 * (left < 0 ? -left : left) < 3 * size) sided++
  }
  return { along, squares, sided }
}
