/**
 * What the shot detector keeps of one small frame, and how far two of them are apart. Three
 * distances that fail in different ways: a motion-compensated residual (blind to camera moves), a
 * histogram by quadrant (blind to small moves) and a layout of block means (blind to grain).
 */
import { smallBytes, smallHeight as height, smallWidth as width } from '../pass/plan.ts'
import type { Kernel } from './kernel.ts'
import { blockHeight, blocks, blocksAcross, blockWidth, parts } from './record.ts'

export interface Picture {
  kernel: Kernel
  /** Where its record lies in the kernel's memory. */
  at: number
  /** Where the picture lies within black bars, half open. */
  inner: Inner
  mean: number
  deviation: number
}

interface Inner {
  left: number
  right: number
  top: number
  bottom: number
}

/** Rows and columns that are darker than this on average belong to a bar. */
const barLuma = 18
const noBars: Inner = { left: 0, right: width, top: 0, bottom: height }

export function readPicture(yuv: Uint8Array, kernel: Kernel, slot: number): Picture {
  const at = kernel.addressOf(slot)
  kernel.bytes.set(yuv.length === smallBytes ? yuv : yuv.subarray(0, smallBytes), at)
  const { mean, deviation } = kernel.read(at)
  return { kernel, at, inner: withinBars(kernel, at), mean, deviation }
}

function withinBars({ floats }: Kernel, at: number): Inner {
  const columns = (at + parts.columns) / 4
  const rows = (at + parts.rows) / 4
  const [left, right] = litWithin(floats, columns, width)
  const [top, bottom] = litWithin(floats, rows, height)
  if (left >= right || top >= bottom) return noBars
  const isWhole = left === 0 && top === 0 && right === width && bottom === height
  return isWhole ? noBars : { left, right, top, bottom }
}

/** From the first to the last that is lit. */
function litWithin(floats: Float32Array, from: number, length: number): [number, number] {
  let first = 0
  let end = length
  while (first < length && !(floats[from + first]! > barLuma)) first++
  while (end > first && !(floats[from + end - 1]! > barLuma)) end--
  return [first, end]
}

/** How much of the frame is no bar. */
export function partWithinBars({ inner }: Picture): number {
  return ((inner.right - inner.left) * (inner.bottom - inner.top)) / (width * height)
}

/** 0 (the same colours in each quadrant) to 1. */
export function histogramDistance(a: Picture, b: Picture): number {
  return b.kernel.histogramDistance(a.at, b.at)
}

/** The mean difference of the blocks; 0.02 is a small change, 0.2 another picture. */
export function layoutDistance(a: Picture, b: Picture): number {
  return b.kernel.layoutDistance(a.at, b.at)
}

/**
 * How badly `b` is predicted from `a` by moving blocks, over the blocks' own texture: well below 1
 * where the picture goes on, about 1 where it has nothing to do with the one before. Brightness
 * alone does not count: each block is compared without its mean.
 */
export function motionResidual(a: Picture, b: Picture): number {
  return b.kernel.residual(a.at, b.at, blocksOnBars(a, b))
}

/** The edge of a bar is the same in every shot and stronger than any texture: it must not count. */
function blocksOnBars(a: Picture, b: Picture): number {
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

/** Whether an edge that both pictures have runs through a block. */
function cuts(from: number, length: number, edge: number, other: number): boolean {
  return Math.abs(edge - other) <= 1 && from < edge && from + length > edge
}
