/**
 * Measures how much each part of a frame changes to the next, on the small frames that the pass has
 * anyway: a byte for each of 16 × 9 blocks. It dates events that sampled frames only bracket: the
 * frame at which a line appears, and the frame at which a clapperboard closes.
 */
import { smallHeight, smallWidth } from '../pass/plan.ts'

export const blocksAcross = 16
export const blocksDown = 9
const blocks = blocksAcross * blocksDown
const blockWidth = smallWidth / blocksAcross
const blockHeight = smallHeight / blocksDown
/** Eighths of a grey value, so that a slow change is not lost. */
const scale = 8
/** 150 bytes a frame: an hour at 25 frames a second is 13 MB. */
const startFrames = 4096

/** A part of the picture, as fractions of its width and height. */
export interface Part {
  x: number
  y: number
  width: number
  height: number
}

export interface BlockMotion {
  frames: number
  /** Mean change of a part against the frame before, in grey values. */
  at(frame: number, part: Part): number
}

export function createBlockMotion(): {
  push(yuv: Uint8Array): void
  finish(): BlockMotion
} {
  const luma = smallWidth * smallHeight
  const before = new Uint8Array(luma)
  let bytes = new Uint8Array(blocks * startFrames)
  let frames = 0
  return {
    push(yuv) {
      if ((frames + 1) * blocks > bytes.length) {
        const grown = new Uint8Array(bytes.length * 2)
        grown.set(bytes)
        bytes = grown
      }
      if (frames > 0) measure(yuv, before, bytes.subarray(frames * blocks))
      before.set(yuv.subarray(0, luma))
      frames++
    },
    finish: () => ({
      frames,
      at: (frame, part) => meanOf(bytes.subarray(frame * blocks, (frame + 1) * blocks), part),
    }),
  }
}

function measure(yuv: Uint8Array, before: Uint8Array, into: Uint8Array): void {
  for (let block = 0; block < blocks; block++) {
    const left = (block % blocksAcross) * blockWidth
    const top = Math.floor(block / blocksAcross) * blockHeight
    let sum = 0
    for (let y = top; y < top + blockHeight; y++) {
      for (let x = left; x < left + blockWidth; x++) {
        const at = y * smallWidth + x
        sum += Math.abs(yuv[at]! - before[at]!)
      }
    }
    into[block] = Math.min(255, (sum * scale) / (blockWidth * blockHeight))
  }
}

function meanOf(values: Uint8Array, { x, y, width, height }: Part): number {
  const [left, right] = range(x, x + width, blocksAcross)
  const [top, bottom] = range(y, y + height, blocksDown)
  let sum = 0
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) sum += values[row * blocksAcross + column]!
  }
  return sum / scale / ((bottom - top) * (right - left))
}

function range(from: number, to: number, count: number): [number, number] {
  const first = Math.min(count - 1, Math.max(0, Math.floor(from * count)))
  return [first, Math.min(count, Math.max(first + 1, Math.ceil(to * count)))]
}
