/** Joins words of one line that the detector found apart, as wide spaces make it do. */
import type { TextArea } from './areas.ts'

/** How the heights, the places and the gap of two words may differ, in heights. */
const maxHeightRatio = 1.5
const maxStep = 0.3
const maxGap = 0.45

export function joinWords(areas: readonly TextArea[]): TextArea[] {
  const joined: TextArea[] = []
  for (const area of areas.toSorted((a, b) => a.x - b.x)) {
    const before = joined.findIndex((one) => isSameLine(one, area))
    if (before < 0) joined.push(area)
    else joined[before] = joinedArea(joined[before]!, area)
  }
  return joined.toSorted((a, b) => a.y - b.y || a.x - b.x)
}

function isSameLine(a: TextArea, b: TextArea): boolean {
  const height = Math.min(a.height, b.height)
  if (Math.max(a.height, b.height) > maxHeightRatio * height) return false
  const angle = commonAngle(a, b)
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const along = (b.x - a.x) * cos + (b.y - a.y) * sin
  const across = (b.y - a.y) * cos - (b.x - a.x) * sin
  const gap = Math.abs(along) - (a.width + b.width) / 2
  return Math.abs(across) < maxStep * height && gap < maxGap * height
}

/** The longer one knows the direction better. */
function commonAngle(a: TextArea, b: TextArea): number {
  return a.width > b.width ? a.angle : b.angle
}

function joinedArea(a: TextArea, b: TextArea): TextArea {
  const angle = commonAngle(a, b)
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const [one, other] = [a, b].map(({ x, y, width, height }) => {
    const [u, v] = [x * cos + y * sin, y * cos - x * sin]
    return {
      left: u - width / 2,
      right: u + width / 2,
      top: v - height / 2,
      bottom: v + height / 2,
    }
  }) as [Extent, Extent]
  const [left, right] = [Math.min(one.left, other.left), Math.max(one.right, other.right)]
  const [top, bottom] = [Math.min(one.top, other.top), Math.max(one.bottom, other.bottom)]
  const [u, v] = [(left + right) / 2, (top + bottom) / 2]
  return {
    ...{ x: u * cos - v * sin, y: u * sin + v * cos, width: right - left, height: bottom - top },
    ...{ angle, score: Math.min(a.score, b.score) },
  }
}

interface Extent {
  left: number
  right: number
  top: number
  bottom: number
}
