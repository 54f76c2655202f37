/** How a picture lies in the kernel's memory. */
import { smallHeight as height, smallWidth as width } from '../pass/plan.ts'

export const thumbWidth = width / 2
export const thumbHeight = height / 2
export const thumbPixels = thumbWidth * thumbHeight
export const cellHeight = 6
export const cells = (width / 8) * (height / cellHeight)
export const blockWidth = 8
export const blockHeight = 9
export const blocksAcross = width / blockWidth
export const blocks = blocksAcross * (height / blockHeight)

export const luma = width * height
export const chroma = luma / 4
export const blockPixels = blockWidth * blockHeight
export const sumsStride = 4 * (width + 1)

/** Where the parts of a record lie, in bytes. */
export const parts = {
  /** Luma, then both chromas at half size, as they come. */
  yuv: 0,
  /** Luma at half size. */
  thumb: 3456,
  /** How many pixels fall into each step: 4 quadrants × 16 of luma, then 32 of each chroma. */
  counts: 4032,
  /** Means of 8 × 4 blocks: luma, then both chromas. */
  layout: 4288,
  /** Means of luma. */
  columns: 4672,
  rows: 4928,
  /** Sums of luma above and left of each point, so that a block's sum costs four reads. */
  sums: 5072,
  end: 14_704,
}

/** Every move by up to two pixels, the nearest first: a good match ends the search early. */
export const moves = Array.from(
  { length: 25 },
  (_, at) => [(at % 5) - 2, Math.floor(at / 5) - 2] as const,
)
  .toSorted((one, other) => Math.hypot(...one) - Math.hypot(...other))
  .flat()

/** Before the first record: results that are more than one number, the moves, a black block, and
 * room for two thumbs. */
export const resultsAt = 0
export const movesAt = 64
export const blackAt = 128
export const stripAt = 1024
export const recordsAt = 4096
