/**
 * Measures of one small frame for the shot detector. Plain loops over typed arrays: a frame costs
 * 0.3 ms (docs/decisions/0066).
 */
import { smallBytes, smallHeight as height, smallWidth as width } from '../pass/plan.ts'
import {
  blockHeight,
  blockPixels,
  blocks,
  blocksAcross,
  blockWidth,
  chromaHeight,
  chromaWidth,
  lumaPixels,
  spots,
  spotsAcross,
  spotSide,
  sumsStride,
  thumbPixels,
} from './grid.ts'

export interface Image {
  /** Luma, then both chromas at half size, as they come. */
  yuv: Uint8Array
  /** Luma at half size. */
  thumb: Uint8Array
  /** How many pixels fall into each step: 4 quadrants × 16 of luma, then 32 of each chroma. */
  counts: Int32Array
  /** Means of 8 × 4 blocks: luma, then both chromas. */
  layout: Float32Array
  /** Means of 16 × 9 small blocks of luma. */
  spots: Float32Array
  /** Means of luma. */
  columns: Float32Array
  rows: Float32Array
  /** Sums of luma above and left of each point, so that a block's sum costs four reads. */
  sums: Int32Array
  /** The frame within black bars. */
  inner: Inner
  mean: number
  deviation: number
}

/** Half open. */
interface Inner {
  left: number
  right: number
  top: number
  bottom: number
}

/** Rows and columns that are darker than this on average belong to a bar. */
const barLuma = 18
export const noBars: Inner = { left: 0, right: width, top: 0, bottom: height }
const lightBins = 64
const colourBins = 32

export function createImage(): Image {
  return {
    yuv: new Uint8Array(smallBytes),
    thumb: new Uint8Array(thumbPixels),
    counts: new Int32Array(lightBins + 2 * colourBins),
    layout: new Float32Array(3 * blocks),
    spots: new Float32Array(spots),
    columns: new Float32Array(width),
    rows: new Float32Array(height),
    sums: new Int32Array(sumsStride * (height + 1)),
    inner: noBars,
    mean: 0,
    deviation: 0,
  }
}

/** Measures a small frame into a picture, whatever that held before. */
export function readImage(yuv: Uint8Array, image: Image): void {
  image.yuv.set(yuv.length === smallBytes ? yuv : yuv.subarray(0, smallBytes))
  image.counts.fill(0)
  const squares = readLuma(image)
  readChroma(image)
  readThumb(image)
  readMeans(image)
  image.mean = image.sums[height * sumsStride + width]! / lumaPixels
  image.deviation = Math.sqrt(Math.max(0, squares / lumaPixels - image.mean ** 2))
  image.inner = withinBars(image)
}

/** Sums and histogram; returns the sum of squares. */
function readLuma({ yuv, sums, counts }: Image): number {
  let squares = 0
  let pixel = 0
  for (let y = 0; y < height; y++) {
    let row = 0
    let cell = (y + 1) * sumsStride + 1
    for (let half = 0; half < 2; half++) {
      const bins = (y < height / 2 ? 0 : 32) + 16 * half
      for (let x = 0; x < width / 2; x++) {
        const value = yuv[pixel++]!
        row += value
        squares += value * value
        sums[cell] = sums[cell - sumsStride]! + row
        cell++
        counts[bins + (value >> 4)]!++
      }
    }
  }
  return squares
}

/** Histogram and layout; a block is four pixels wide and four or five high. */
function readChroma({ yuv, counts, layout }: Image): void {
  layout.fill(0, blocks)
  const across = chromaWidth / blocksAcross
  let pixel = lumaPixels
  for (let plane = 0; plane < 2; plane++) {
    const bins = lightBins + plane * colourBins
    for (let y = 0; y < chromaHeight; y++) {
      const cells = blocks * (plane + 1) + blocksAcross * Math.floor((y * 4) / chromaHeight)
      for (let x = 0; x < chromaWidth; x++) {
        const value = yuv[pixel++]!
        counts[bins + (value >> 3)]!++
        layout[cells + (x >> 2)]! += value
      }
    }
  }
  for (let cell = blocks; cell < 3 * blocks; cell++) {
    // Rows of blocks are five and four lines high in turn.
    const lines = Math.floor(cell / blocksAcross) % 2 === 0 ? 5 : 4
    layout[cell]! /= across * lines
  }
}

function readThumb({ yuv, thumb }: Image): void {
  for (let y = 0, cell = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const at = y * width + x
      thumb[cell++] = (yuv[at]! + yuv[at + 1]! + yuv[at + width]! + yuv[at + width + 1]! + 2) >> 2
    }
  }
}

function readMeans(image: Image): void {
  const { sums, layout, columns, rows } = image
  readSpots(image)
  for (let block = 0; block < blocks; block++) {
    const x = (block % blocksAcross) * blockWidth
    const y = Math.floor(block / blocksAcross) * blockHeight
    layout[block] = blockSum(sums, x, y) / blockPixels
  }
  const last = height * sumsStride
  for (let x = 0; x < width; x++) columns[x] = (sums[last + x + 1]! - sums[last + x]!) / height
  for (let y = 0; y < height; y++) {
    rows[y] = (sums[(y + 1) * sumsStride + width]! - sums[y * sumsStride + width]!) / width
  }
}

function readSpots({ sums, spots: means }: Image): void {
  for (let spot = 0; spot < spots; spot++) {
    const x = (spot % spotsAcross) * spotSide
    const top = Math.floor(spot / spotsAcross) * spotSide * sumsStride + x
    const bottom = top + spotSide * sumsStride
    const sum = sums[bottom + spotSide]! - sums[bottom]! + sums[top]! - sums[top + spotSide]!
    means[spot] = sum / spotSide ** 2
  }
}

/** The sum of luma over the block that begins at x, y. */
export function blockSum(sums: Int32Array, x: number, y: number): number {
  const top = y * sumsStride + x
  const bottom = top + blockHeight * sumsStride
  return sums[bottom + blockWidth]! - sums[bottom]! + sums[top]! - sums[top + blockWidth]!
}

function withinBars({ columns, rows }: Image): Inner {
  const [left, right] = litWithin(columns)
  const [top, bottom] = litWithin(rows)
  if (left >= right || top >= bottom) return noBars
  const isWhole = left === 0 && top === 0 && right === width && bottom === height
  return isWhole ? noBars : { left, right, top, bottom }
}

/** From the first to the last that is lit. */
function litWithin(means: Float32Array): [number, number] {
  let first = 0
  let end = means.length
  while (first < end && !(means[first]! > barLuma)) first++
  while (end > first && !(means[end - 1]! > barLuma)) end--
  return [first, end]
}
