/**
 * Follows lines through the frames between two reads: a line is there as long as its place looks
 * the same, and has been there for as long. So its first and last sampled frames are known without
 * reading each.
 */
import type { Gray, Tilted } from './gray.ts'
import { cropTilted } from './gray.ts'

export interface Sample {
  frame: number
  image: Gray
}

const patchWidth = 48
const patchHeight = 8
/** How alike (correlation, −1 to 1) two patches must be to show the same line. */
const sameLine = 0.72

export type Patch = Float32Array

/** The place's grey values without their mean and spread. */
export function patchOf(image: Gray, area: Tilted): Patch {
  const { pixels } = cropTilted(image, area, patchWidth, patchHeight)
  const patch = new Float32Array(pixels.length)
  let mean = 0
  for (const value of pixels) mean += value / pixels.length
  let power = 0
  for (let at = 0; at < pixels.length; at++) {
    patch[at] = pixels[at]! - mean
    power += patch[at]! ** 2
  }
  const gain = power > 0 ? 1 / Math.sqrt(power) : 0
  for (let at = 0; at < patch.length; at++) patch[at]! *= gain
  return patch
}

export function isSame(a: Patch, b: Patch): boolean {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!
  return sum >= sameLine
}

/** The earliest of the samples, newest last, that shows the line without a break up to the last. */
export function firstShown(samples: readonly Sample[], area: Tilted, patch: Patch): number {
  let first = samples.at(-1)!.frame
  for (const { frame, image } of samples.toReversed()) {
    if (!isSame(patch, patchOf(image, area))) break
    first = frame
  }
  return first
}
