/** A small picture as the face models want it: a square of `pictureSize`, RGB, 8 bits each. */

/** Frames come fitted into this square, with black where the shape leaves room. */
export const frameSize = 512

/** A square of a frame: centre, side length and tilt of the head in radians. */
export interface Square {
  x: number
  y: number
  side: number
  angle: number
}

/**
 * Crops the square, upright, and resamples it to `size` × `size` with values from `low` to `high`.
 * Outside of the frame is black. Large squares are averaged over 2 × 2 pixels, or fine detail would
 * flicker.
 */
export function cropSquare(
  rgb: Uint8Array,
  square: Square,
  to: { size: number; low: number; high: number },
): Float32Array {
  const { size, low, high } = to
  if (square.side === frameSize && square.angle === 0 && size * 2 === frameSize) {
    return halve(rgb, to)
  }
  const result = new Float32Array(size * size * 3)
  const scale = square.side / size
  const cos = Math.cos(square.angle) * scale
  const sin = Math.sin(square.angle) * scale
  const points = scale > 1.4 ? 2 : 1
  const gain = (high - low) / 255 / (points * points)
  let at = 0
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++, at += 3) {
      for (let sub = 0; sub < points * points; sub++) {
        const u = column + ((sub % points) + 0.5) / points - size / 2
        const v = row + ((sub / points) | 0) / points + 0.5 / points - size / 2
        addPixel(rgb, square.x + u * cos - v * sin, square.y + u * sin + v * cos, result, at)
      }
    }
  }
  for (let index = 0; index < result.length; index++) result[index] = low + result[index]! * gain
  return result
}

/** The whole picture at half its size: four points each, which lie on pixels. */
function halve(rgb: Uint8Array, { size, low, high }: { size: number; low: number; high: number }) {
  const result = new Float32Array(size * size * 3)
  const gain = (high - low) / 255 / 4
  const line = frameSize * 3
  let at = 0
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const from = row * 2 * line + column * 6
      for (let channel = from; channel < from + 3; channel++) {
        const upper = rgb[channel]! + rgb[channel + 3]!
        result[at++] = low + (upper + rgb[channel + line]! + rgb[channel + line + 3]!) * gain
      }
    }
  }
  return result
}

/** Adds the bilinear value at (x, y), pixel centres at half coordinates. */
function addPixel(rgb: Uint8Array, x: number, y: number, into: Float32Array, at: number): void {
  const px = x - 0.5
  const py = y - 0.5
  const x0 = Math.floor(px)
  const y0 = Math.floor(py)
  if (x0 < 0 || y0 < 0 || x0 >= frameSize - 1 || y0 >= frameSize - 1) return
  const fx = px - x0
  const fy = py - y0
  const from = (y0 * frameSize + x0) * 3
  const below = from + frameSize * 3
  for (let channel = 0; channel < 3; channel++) {
    const top = rgb[from + channel]! * (1 - fx) + rgb[from + 3 + channel]! * fx
    const bottom = rgb[below + channel]! * (1 - fx) + rgb[below + 3 + channel]! * fx
    into[at + channel] = into[at + channel]! + top * (1 - fy) + bottom * fy
  }
}

const thumbSize = 16

/** A tiny grey version, to see whether the picture has changed at all. */
export function thumbOf(rgb: Uint8Array): Uint8Array {
  const cell = frameSize / thumbSize
  const thumb = new Uint8Array(thumbSize * thumbSize)
  for (let row = 0; row < thumbSize; row++) {
    for (let column = 0; column < thumbSize; column++) {
      let sum = 0
      for (let y = 2; y < cell; y += 8) {
        for (let x = 2; x < cell; x += 8) {
          sum += rgb[((row * cell + y) * frameSize + column * cell + x) * 3 + 1]!
        }
      }
      thumb[row * thumbSize + column] = sum / (cell / 8) ** 2
    }
  }
  return thumb
}

/** Mean difference of two of them, 0 to 255. */
export function thumbDistance(a: Uint8Array, b: Uint8Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += Math.abs(a[index]! - b[index]!)
  return sum / a.length
}

/** Intersection over union, the tilt left aside. */
export function overlap(a: Square, b: Square): number {
  const width =
    Math.min(a.x + a.side / 2, b.x + b.side / 2) - Math.max(a.x - a.side / 2, b.x - b.side / 2)
  const height =
    Math.min(a.y + a.side / 2, b.y + b.side / 2) - Math.max(a.y - a.side / 2, b.y - b.side / 2)
  if (width <= 0 || height <= 0) return 0
  const shared = width * height
  return shared / (a.side ** 2 + b.side ** 2 - shared)
}
