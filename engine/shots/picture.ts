/**
 * What the shot detector keeps of one small frame, and how far two of them are apart. Three
 * distances that fail in different ways: a motion-compensated residual (blind to camera moves), a
 * histogram by quadrant (blind to small moves) and a layout of block means (blind to grain).
 */
import { smallHeight as height, smallWidth as width } from '../pass-plan.ts'
import type { PictureRoom } from './block-error.ts'

const chromaWidth = width / 2
const chromaHeight = height / 2
const luma = width * height
const chroma = chromaWidth * chromaHeight
const blockWidth = 8
const blockHeight = 9
const blocksAcross = width / blockWidth
const blocksDown = height / blockHeight
const blocks = blocksAcross * blocksDown
const blockPixels = blockWidth * blockHeight
const sumsWidth = width + 1

export const thumbWidth = 32
export const thumbHeight = 18
export const thumbPixels = thumbWidth * thumbHeight

export interface Picture {
  room: PictureRoom
  /** Where the luma lies in the room. */
  at: number
  /** 4 quadrants × 16 steps of luma, then 32 steps of each chroma, as parts of one. */
  histogram: Float32Array
  /** Means of 8 × 4 blocks: luma, then both chromas. */
  layout: Float32Array
  /** Luma at half size. */
  thumb: Uint8Array
  /** Sums of luma above and left of each point, so that a block's sum costs four reads. */
  sums: Int32Array
  columns: Float32Array
  rows: Float32Array
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

export function readPicture(yuv: Uint8Array, room: PictureRoom, slot: number): Picture {
  const at = room.addressOf(slot)
  room.bytes.set(yuv.subarray(0, luma), at)
  const sums = new Int32Array(sumsWidth * (height + 1))
  const columns = new Float32Array(width)
  const rows = new Float32Array(height)
  const histogram = new Float32Array(128)
  let squares = 0
  for (let y = 0; y < height; y++) {
    const quadrant = y >= height / 2 ? 32 : 0
    let row = 0
    for (let x = 0; x < width; x++) {
      const value = yuv[y * width + x]!
      row += value
      squares += value * value
      columns[x]! += value
      histogram[quadrant + (x >= width / 2 ? 16 : 0) + (value >> 4)]!++
      sums[(y + 1) * sumsWidth + x + 1] = sums[y * sumsWidth + x + 1]! + row
    }
    rows[y] = row / width
  }
  for (let x = 0; x < width; x++) columns[x]! /= height
  for (let index = 0; index < chroma; index++) {
    histogram[64 + (yuv[luma + index]! >> 3)]!++
    histogram[96 + (yuv[luma + chroma + index]! >> 3)]!++
  }
  for (let index = 0; index < 64; index++) histogram[index]! /= luma
  for (let index = 64; index < 128; index++) histogram[index]! /= chroma
  const mean = sums[height * sumsWidth + width]! / luma
  const deviation = Math.sqrt(Math.max(0, squares / luma - mean * mean))
  const layout = layoutOf(yuv, sums)
  const thumb = thumbOf(yuv)
  const inner = withinBars(columns, rows)
  return { room, at, histogram, layout, thumb, sums, columns, rows, inner, mean, deviation }
}

function withinBars(columns: Float32Array, rows: Float32Array): Inner {
  const lit = (value: number): boolean => value > barLuma
  const left = columns.findIndex(lit)
  const top = rows.findIndex(lit)
  if (left < 0 || top < 0) return { left: 0, right: width, top: 0, bottom: height }
  return { left, right: columns.findLastIndex(lit) + 1, top, bottom: rows.findLastIndex(lit) + 1 }
}

function layoutOf(yuv: Uint8Array, sums: Int32Array): Float32Array {
  const layout = new Float32Array(blocks * 3)
  for (let down = 0; down < blocksDown; down++) {
    for (let across = 0; across < blocksAcross; across++) {
      layout[down * blocksAcross + across] =
        blockSum(sums, across * blockWidth, down * blockHeight) / blockPixels
    }
  }
  for (let plane = 0; plane < 2; plane++) {
    const offset = luma + plane * chroma
    const counts = new Uint16Array(blocks)
    const at = blocks * (plane + 1)
    for (let y = 0; y < chromaHeight; y++) {
      const down = Math.floor((y * blocksDown) / chromaHeight) * blocksAcross
      for (let x = 0; x < chromaWidth; x++) {
        const block = down + (x >> 2)
        layout[at + block]! += yuv[offset + y * chromaWidth + x]!
        counts[block]!++
      }
    }
    for (let block = 0; block < blocks; block++) layout[at + block]! /= counts[block]!
  }
  return layout
}

function thumbOf(yuv: Uint8Array): Uint8Array {
  const thumb = new Uint8Array(thumbPixels)
  for (let y = 0; y < thumbHeight; y++) {
    for (let x = 0; x < thumbWidth; x++) {
      const at = 2 * y * width + 2 * x
      const sum = yuv[at]! + yuv[at + 1]! + yuv[at + width]! + yuv[at + width + 1]!
      thumb[y * thumbWidth + x] = (sum + 2) >> 2
    }
  }
  return thumb
}

/** 0 (the same colours in each quadrant) to 1. */
export function histogramDistance(a: Picture, b: Picture): number {
  let light = 0
  let colour = 0
  for (let index = 0; index < 64; index++) {
    light += Math.abs(a.histogram[index]! - b.histogram[index]!)
  }
  for (let index = 64; index < 128; index++) {
    colour += Math.abs(a.histogram[index]! - b.histogram[index]!)
  }
  return 0.3 * light + 0.2 * colour
}

/** The mean difference of the blocks; 0.02 is a small change, 0.2 another picture. */
export function layoutDistance(a: Picture, b: Picture): number {
  let sum = 0
  for (let index = 0; index < blocks * 3; index++) {
    sum += Math.abs(a.layout[index]! - b.layout[index]!)
  }
  return sum / (blocks * 255)
}

/**
 * How badly `b` is predicted from `a` by moving blocks, over the blocks' own texture: well below 1
 * where the picture goes on, about 1 where it has nothing to do with the one before. Brightness
 * alone does not count: each block is compared without its mean.
 */
export function motionResidual(a: Picture, b: Picture): number {
  const { room } = b
  let total = 0
  let texture = 0
  let counted = 0
  let shift: { x: number; y: number } | null = null
  const found = { error: 0, x: 0, y: 0 }
  for (let block = 0; block < blocks; block++) {
    const x = (block % blocksAcross) * blockWidth
    const y = Math.floor(block / blocksAcross) * blockHeight
    if (isOnBar(a, b, x, y)) continue
    counted++
    const mean = Math.round(blockSum(b.sums, x, y) / blockPixels)
    const own = room.blockError(room.black, b.at + y * width + x, -mean)
    texture += own
    const enough = 0.15 * own + 40
    const lastX = found.x
    const lastY = found.y
    found.error = blockError(a, b, x, y, 0, 0, mean)
    found.x = 0
    found.y = 0
    // A block that has not moved needs no search, and one that moved like its neighbour a short one.
    if (found.error > enough && (lastX !== 0 || lastY !== 0)) {
      tryMove(a, b, x, y, lastX, lastY, mean, found)
    }
    if (found.error > enough) searchAround(a, b, x, y, 0, 0, mean, enough, found)
    if (found.error > enough) {
      shift ??= globalShift(a, b)
      if (shift.x !== 0 || shift.y !== 0) {
        searchAround(a, b, x, y, shift.x, shift.y, mean, enough, found)
      }
    }
    total += Math.min(found.error, own * 1.5 + 40)
  }
  return total / (texture + counted * blockPixels * 0.8 + 1)
}

/** The edge of a bar is the same in every shot and stronger than any texture: it must not count. */
function isOnBar(a: Picture, b: Picture, x: number, y: number): boolean {
  return (
    cuts(x, blockWidth, a.inner.left, b.inner.left) ||
    cuts(x, blockWidth, a.inner.right, b.inner.right) ||
    cuts(y, blockHeight, a.inner.top, b.inner.top) ||
    cuts(y, blockHeight, a.inner.bottom, b.inner.bottom)
  )
}

/** Whether an edge that both pictures have runs through a block. */
function cuts(from: number, length: number, edge: number, other: number): boolean {
  return Math.abs(edge - other) <= 1 && from < edge && from + length > edge
}

/** Every move by up to two pixels, the nearest first: a good match ends the search early. */
const moves: readonly (readonly [number, number])[] = Array.from(
  { length: 25 },
  (_, at) => [(at % 5) - 2, Math.floor(at / 5) - 2] as const,
).toSorted((one, other) => Math.hypot(...one) - Math.hypot(...other))

interface Match {
  error: number
  x: number
  y: number
}

function searchAround(
  a: Picture,
  b: Picture,
  x: number,
  y: number,
  centreX: number,
  centreY: number,
  mean: number,
  enough: number,
  found: Match,
): void {
  for (const [dx, dy] of moves) {
    tryMove(a, b, x, y, centreX + dx, centreY + dy, mean, found)
    if (found.error <= enough) return
  }
}

function tryMove(
  a: Picture,
  b: Picture,
  x: number,
  y: number,
  dx: number,
  dy: number,
  mean: number,
  found: Match,
): void {
  if (y + dy < 0 || y + dy + blockHeight > height) return
  if (x + dx < 0 || x + dx + blockWidth > width) return
  const error = blockError(a, b, x, y, dx, dy, mean)
  if (error >= found.error) return
  found.error = error
  found.x = dx
  found.y = dy
}

function blockError(
  a: Picture,
  b: Picture,
  x: number,
  y: number,
  dx: number,
  dy: number,
  mean: number,
): number {
  const lift = Math.round(blockSum(a.sums, x + dx, y + dy) / blockPixels) - mean
  return b.room.blockError(a.at + (y + dy) * width + x + dx, b.at + y * width + x, lift)
}

function blockSum(sums: Int32Array, x: number, y: number): number {
  const top = y * sumsWidth + x
  const bottom = top + blockHeight * sumsWidth
  return sums[bottom + blockWidth]! - sums[bottom]! - sums[top + blockWidth]! + sums[top]!
}

/** How far the whole picture moved, from the profiles of its columns and rows. */
export function globalShift(a: Picture, b: Picture): { x: number; y: number } {
  return {
    x: profileShift(a.columns, b.columns, width, 20),
    y: profileShift(a.rows, b.rows, height, 10),
  }
}

function profileShift(a: Float32Array, b: Float32Array, length: number, reach: number): number {
  let best = Infinity
  let found = 0
  for (let shift = -reach; shift <= reach; shift++) {
    const from = Math.max(0, -shift)
    const to = Math.min(length, length - shift)
    let lift = 0
    for (let at = from; at < to; at++) lift += a[at + shift]! - b[at]!
    lift /= to - from
    let error = 0
    for (let at = from; at < to; at++) error += Math.abs(a[at + shift]! - b[at]! - lift)
    error = error / (to - from) + 0.02 * Math.abs(shift)
    if (error < best) {
      best = error
      found = shift
    }
  }
  return found
}
