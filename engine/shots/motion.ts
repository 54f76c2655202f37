/** Where blocks of one frame went in another. */
import { smallHeight as height, smallWidth as width } from '../pass/plan.ts'
import { blockHeight, blockPixels, blocks, blocksAcross, blockWidth } from './grid.ts'
import { blockSum, noBars } from './picture.ts'
import type { Image } from './picture.ts'

/** Every move by up to two pixels, the nearest first: a good match ends the search early. */
const moves = Array.from(
  { length: 25 },
  (_, at) => [(at % 5) - 2, Math.floor(at / 5) - 2] as const,
).toSorted((a, b) => Math.hypot(...a) - Math.hypot(...b))
const movesX = Int8Array.from(moves, ([x]) => x)
const movesY = Int8Array.from(moves, ([, y]) => y)
const profileReach = { columns: 20, rows: 10 }

/** The best match so far for the block being matched. */
const best = { error: 0, x: 0, y: 0 }

/**
 * How badly `b` is predicted from `a` by moving blocks, over the blocks' own texture: well below 1
 * where the shot goes on, about 1 where it has nothing to do with the one before. Brightness alone
 * does not count: each block is compared without its mean.
 */
export function motionResidual(a: Image, b: Image): number {
  const skipped = blocksOnBars(a, b)
  let [total, texture, counted] = [0, 0, 0]
  let shift: { x: number; y: number } | null = null
  best.x = 0
  best.y = 0
  for (let block = 0; block < blocks; block++) {
    if ((skipped >>> block) & 1) continue
    const x = (block & (blocksAcross - 1)) * blockWidth
    const y = ((block / blocksAcross) | 0) * blockHeight
    const mean = blockMean(b.sums, x, y)
    const own = ownTexture(b.yuv, x, y, mean)
    const enough = 0.15 * own + 40
    const [lastX, lastY] = [best.x, best.y]
    counted++
    texture += own
    best.error = 1 << 30
    tryMove(a, b, x, y, 0, 0, mean)
    // A block that has not moved needs no search, one that moved like its neighbour a short one.
    if (best.error > enough && (lastX | lastY) !== 0) tryMove(a, b, x, y, lastX, lastY, mean)
    if (best.error > enough) searchAround(a, b, x, y, 0, 0, mean, enough)
    if (best.error > enough) {
      shift ??= { x: columnShift(a, b), y: rowShift(a, b) }
      if ((shift.x | shift.y) !== 0) searchAround(a, b, x, y, shift.x, shift.y, mean, enough)
    }
    // Worse than unrelated says no more than unrelated.
    total += Math.min(best.error, 1.5 * own + 40)
  }
  return total / (texture + counted * blockPixels * 0.8 + 1)
}

function searchAround(
  a: Image,
  b: Image,
  x: number,
  y: number,
  centreX: number,
  centreY: number,
  mean: number,
  enough: number,
): void {
  for (let move = 0; move < movesX.length; move++) {
    tryMove(a, b, x, y, centreX + movesX[move]!, centreY + movesY[move]!, mean)
    if (best.error <= enough) return
  }
}

function tryMove(
  a: Image,
  b: Image,
  x: number,
  y: number,
  dx: number,
  dy: number,
  mean: number,
): void {
  const [toX, toY] = [x + dx, y + dy]
  if (toX < 0 || toX > width - blockWidth || toY < 0 || toY > height - blockHeight) return
  const lift = blockMean(a.sums, toX, toY) - mean
  const error = blockError(a.yuv, toY * width + toX, b.yuv, y * width + x, lift, best.error)
  if (error >= best.error) return
  best.error = error
  best.x = dx
  best.y = dy
}

/** Σ |a − b − lift| over two blocks; gives up once it is no better than `limit`. */
function blockError(
  a: Uint8Array,
  fromA: number,
  b: Uint8Array,
  fromB: number,
  lift: number,
  limit: number,
): number {
  let sum = 0
  let atA = fromA
  let atB = fromB
  for (let row = 0; row < blockHeight; row++) {
    // Written out: the loop over a row of eight pixels would cost as much as its work.
    sum +=
      Math.abs(a[atA]! - b[atB]! - lift) +
      Math.abs(a[atA + 1]! - b[atB + 1]! - lift) +
      Math.abs(a[atA + 2]! - b[atB + 2]! - lift) +
      Math.abs(a[atA + 3]! - b[atB + 3]! - lift) +
      Math.abs(a[atA + 4]! - b[atB + 4]! - lift) +
      Math.abs(a[atA + 5]! - b[atB + 5]! - lift) +
      Math.abs(a[atA + 6]! - b[atB + 6]! - lift) +
      Math.abs(a[atA + 7]! - b[atB + 7]! - lift)
    if (sum >= limit) return sum
    atA += width
    atB += width
  }
  return sum
}

/** Σ |b − mean| over a block. */
function ownTexture(b: Uint8Array, x: number, y: number, mean: number): number {
  let sum = 0
  for (let row = y; row < y + blockHeight; row++) {
    for (let at = row * width + x; at < row * width + x + blockWidth; at++) {
      const step = b[at]! - mean
      sum += step < 0 ? -step : step
    }
  }
  return sum
}

function blockMean(sums: Int32Array, x: number, y: number): number {
  return ((blockSum(sums, x, y) + blockPixels / 2) / blockPixels) | 0
}

/** How far the columns moved, from −20 to 20. */
export function columnShift(a: Image, b: Image): number {
  return profileShift(a.columns, b.columns, profileReach.columns)
}

export function rowShift(a: Image, b: Image): number {
  return profileShift(a.rows, b.rows, profileReach.rows)
}

/** Profiles are laid upon each other at every shift, without the difference of their means. */
function profileShift(a: Float32Array, b: Float32Array, reach: number): number {
  const { length } = a
  let lowest = Infinity
  let bestShift = 0
  for (let shift = -reach; shift <= reach; shift++) {
    const from = shift < 0 ? -shift : 0
    const to = shift > 0 ? length - shift : length
    let lift = 0
    for (let at = from; at < to; at++) lift += a[at + shift]! - b[at]!
    lift /= to - from
    let error = 0
    for (let at = from; at < to; at++) error += Math.abs(a[at + shift]! - b[at]! - lift)
    error = error / (to - from) + 0.02 * Math.abs(shift)
    if (error < lowest) {
      lowest = error
      bestShift = shift
    }
  }
  return bestShift
}

/** The edge of a bar is the same in every shot and stronger than any texture: it must not count. */
function blocksOnBars(a: Image, b: Image): number {
  if (a.inner === noBars) return 0
  let skipped = 0
  for (let block = 0; block < blocks; block++) {
    const x = (block % blocksAcross) * blockWidth
    const y = Math.floor(block / blocksAcross) * blockHeight
    const isOnBar =
      cuts(x, blockWidth, a.inner.left, b.inner.left) ||
      cuts(x, blockWidth, a.inner.right, b.inner.right) ||
      cuts(y, blockHeight, a.inner.top, b.inner.top) ||
      cuts(y, blockHeight, a.inner.bottom, b.inner.bottom)
    if (isOnBar) skipped |= 1 << block
  }
  return skipped
}

/** Whether an edge that both frames have runs through a block. */
function cuts(from: number, length: number, edge: number, other: number): boolean {
  return Math.abs(edge - other) <= 1 && from < edge && from + length > edge
}
