/** A picture in grey, and how parts of it are taken out at another size. */

export interface Gray {
  pixels: Uint8Array
  width: number
  height: number
}

/** A level part of a picture, in points. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** A rectangle that may be tilted: its centre, its sides, and the angle of its longer side. */
export interface Tilted {
  x: number
  y: number
  width: number
  height: number
  /** Radians, clockwise on the screen. */
  angle: number
}

/** The whole picture at another size: the mean where it shrinks, bilinear where it grows. */
export function resizeGray(from: Gray, width: number, height: number): Gray {
  if (from.width === width && from.height === height) return from
  const across = spreads(from.width, width)
  const down = spreads(from.height, height)
  const rows = new Float32Array(width * from.height)
  for (let y = 0; y < from.height; y++) {
    const row = y * from.width
    for (let x = 0; x < width; x++) {
      const { first, weights } = across[x]!
      let sum = 0
      for (let at = 0; at < weights.length; at++) {
        sum += from.pixels[row + first + at]! * weights[at]!
      }
      rows[y * width + x] = sum
    }
  }
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const { first, weights } = down[y]!
    for (let x = 0; x < width; x++) {
      let sum = 0.5
      for (let at = 0; at < weights.length; at++) {
        sum += rows[(first + at) * width + x]! * weights[at]!
      }
      pixels[y * width + x] = sum
    }
  }
  return { pixels, width, height }
}

interface Spread {
  first: number
  weights: Float32Array
}

/** Which points of `from` make each point of `to`, with a triangle as wide as the scale. */
function spreads(from: number, to: number): Spread[] {
  const scale = from / to
  const reach = Math.max(1, scale)
  return Array.from({ length: to }, (_, at) => {
    const centre = (at + 0.5) * scale - 0.5
    const first = Math.max(0, Math.ceil(centre - reach + 1e-6))
    const last = Math.min(from - 1, Math.floor(centre + reach - 1e-6))
    const weights = new Float32Array(Math.max(1, last - first + 1))
    let sum = 0
    for (let point = first; point <= last; point++) {
      const weight = Math.max(0, 1 - Math.abs(point - centre) / reach)
      weights[point - first] = weight
      sum += weight
    }
    if (sum === 0) weights[0] = sum = 1
    for (let index = 0; index < weights.length; index++) weights[index]! /= sum
    return { first: Math.min(first, from - 1), weights }
  })
}

/** A tilted part, upright and at the size asked for; outside of the picture its border goes on. */
export function cropTilted(from: Gray, part: Tilted, width: number, height: number): Gray {
  const pixels = new Uint8Array(width * height)
  const cos = Math.cos(part.angle)
  const sin = Math.sin(part.angle)
  const across = part.width / width
  const down = part.height / height
  const points = Math.max(1, Math.min(4, Math.round(Math.max(across, down))))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0
      for (let sub = 0; sub < points * points; sub++) {
        const u = (x + ((sub % points) + 0.5) / points) * across - part.width / 2
        const v = (y + (Math.floor(sub / points) + 0.5) / points) * down - part.height / 2
        sum += pixelAt(from, part.x + u * cos - v * sin - 0.5, part.y + u * sin + v * cos - 0.5)
      }
      pixels[y * width + x] = sum / (points * points) + 0.5
    }
  }
  return { pixels, width, height }
}

function pixelAt({ pixels, width, height }: Gray, x: number, y: number): number {
  const left = Math.min(width - 1, Math.max(0, x))
  const top = Math.min(height - 1, Math.max(0, y))
  const x0 = Math.floor(left)
  const y0 = Math.floor(top)
  const x1 = Math.min(width - 1, x0 + 1)
  const y1 = Math.min(height - 1, y0 + 1)
  const fx = left - x0
  const above = pixels[y0 * width + x0]! * (1 - fx) + pixels[y0 * width + x1]! * fx
  const below = pixels[y1 * width + x0]! * (1 - fx) + pixels[y1 * width + x1]! * fx
  return above + (below - above) * (top - y0)
}
