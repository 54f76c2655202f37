/** Where lines of a form stand to each other once it is turned level. */
import type { Tilted } from './gray.ts'

export interface Place {
  left: number
  right: number
  top: number
  bottom: number
  height: number
}

/** The position of an area after the frame is rotated so that the text is level. */
export function upright({ x, y, width, height }: Tilted, angle: number): Place {
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const u = x * cos + y * sin
  const v = y * cos - x * sin
  return {
    left: u - width / 2,
    right: u + width / 2,
    top: v - height / 2,
    bottom: v + height / 2,
    height,
  }
}

/** From a label to a value to its right or below it, in heights of the label; null for others. */
export function distance(label: Place, value: Place): number | null {
  const size = Math.max(label.height, 8)
  const overlapY =
    Math.min(label.bottom, value.bottom) - Math.max(label.top, value.top) > 0.3 * label.height
  if (overlapY && value.left > label.left + 0.5 * (label.right - label.left)) {
    const gap = Math.max(0, value.left - label.right) / size
    return gap < 12 ? gap * 0.5 : null
  }
  const isBelow = value.top > label.top && (value.top + value.bottom) / 2 > label.bottom
  const overlapX = Math.min(label.right, value.right) - Math.max(label.left, value.left)
  // A value stands under its label or a little to the right of it, within the same cell.
  const aside = Math.max(0, -overlapX) / size
  if (!isBelow || aside > 6) return null
  const gap = Math.max(0, value.top - label.bottom) / size
  return gap < 6 ? gap * 0.7 + aside * 0.8 + 0.2 : null
}
