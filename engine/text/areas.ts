/**
 * From the detector's map (how likely each point belongs to a line of text) to tilted rectangles:
 * connected points, their smallest rectangle, and the margin that the detector was trained to cut
 * away (differentiable binarisation, PP-OCR).
 */
import type { Tilted } from './gray.ts'

export interface TextArea extends Tilted {
  /** The mean likelihood of its points. */
  score: number
}

const pointThreshold = 0.3
const minScore = 0.55
const minSide = 3
const minPoints = 12
/** How far a rectangle grows: area × this ÷ perimeter. */
const growth = 1.6
const maxAreas = 200

interface Point {
  x: number
  y: number
}

export function findAreas(map: Float32Array, width: number, height: number): TextArea[] {
  const seen = new Uint8Array(map.length)
  const stack = new Int32Array(map.length)
  const areas: TextArea[] = []
  for (let start = 0; start < map.length && areas.length < maxAreas; start++) {
    if (seen[start] || map[start]! < pointThreshold) continue
    const part = collect(map, { seen, stack, start, width, height })
    if (part.count < minPoints || part.sum / part.count < minScore) continue
    const tight = smallestRectangle(hullOf(part.ends))
    if (Math.min(tight.width, tight.height) < minSide) continue
    const by = (tight.width * tight.height * growth) / (2 * (tight.width + tight.height))
    areas.push({
      ...tight,
      width: tight.width + 2 * by,
      height: tight.height + 2 * by,
      score: part.sum / part.count,
    })
  }
  return areas
}

/** Points that hang together, as the first and last of each row: all that a hull needs. */
function collect(
  map: Float32Array,
  search: { seen: Uint8Array; stack: Int32Array; start: number; width: number; height: number },
): { count: number; sum: number; ends: Point[] } {
  const { seen, stack, start, width, height } = search
  const rows = new Map<number, { first: number; last: number }>()
  let top = 0
  let count = 0
  let sum = 0
  seen[start] = 1
  stack[top++] = start
  const visit = (at: number): void => {
    if (seen[at] || map[at]! < pointThreshold) return
    seen[at] = 1
    stack[top++] = at
  }
  while (top > 0) {
    const at = stack[--top]!
    const x = at % width
    const y = (at - x) / width
    count++
    sum += map[at]!
    const row = rows.get(y)
    if (!row) rows.set(y, { first: x, last: x })
    else if (x < row.first) row.first = x
    else if (x > row.last) row.last = x
    if (x > 0) visit(at - 1)
    if (x < width - 1) visit(at + 1)
    if (y > 0) visit(at - width)
    if (y < height - 1) visit(at + width)
  }
  const ends = [...rows].flatMap(([y, { first, last }]) => [
    { x: first, y },
    { x: last + 1, y },
    { x: first, y: y + 1 },
    { x: last + 1, y: y + 1 },
  ])
  return { count, sum, ends }
}

/** Andrew's monotone chain. */
function hullOf(points: Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a.x - b.x || a.y - b.y)
  const chain = (list: Point[]): Point[] => {
    const hull: Point[] = []
    for (const point of list) {
      while (hull.length > 1 && turn(hull.at(-2)!, hull.at(-1)!, point) <= 0) hull.pop()
      hull.push(point)
    }
    return hull.slice(0, -1)
  }
  return [...chain(sorted), ...chain(sorted.toReversed())]
}

function turn(a: Point, b: Point, c: Point): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/** One side of the smallest rectangle lies on a side of the hull. Its width runs along the text. */
function smallestRectangle(hull: Point[]): Tilted {
  let best: Tilted | null = null
  let bestArea = Infinity
  for (let index = 0; index < hull.length; index++) {
    const a = hull[index]!
    const b = hull[(index + 1) % hull.length]!
    const angle = nearLevel(Math.atan2(b.y - a.y, b.x - a.x))
    const box = boxAt(hull, angle)
    const area = box.width * box.height
    if (area >= bestArea) continue
    bestArea = area
    best = box
  }
  return best ?? { x: 0, y: 0, width: 0, height: 0, angle: 0 }
}

/** The same direction or the one across, whichever is less than an eighth of a turn from level. */
function nearLevel(angle: number): number {
  const quarter = Math.PI / 2
  return angle - Math.round(angle / quarter) * quarter
}

function boxAt(hull: Point[], angle: number): Tilted {
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const { x, y } of hull) {
    const u = x * cos + y * sin
    const v = y * cos - x * sin
    left = Math.min(left, u)
    right = Math.max(right, u)
    top = Math.min(top, v)
    bottom = Math.max(bottom, v)
  }
  const u = (left + right) / 2
  const v = (top + bottom) / 2
  const x = u * cos - v * sin
  const y = u * sin + v * cos
  return { x, y, width: right - left, height: bottom - top, angle }
}
