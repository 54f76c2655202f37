/**
 * Finds pushes and slides: the old shot moves out and the new one in behind it, as if both were
 * painted on one strip. So the middle of such a change is a piece of that strip, cut out somewhere
 * between the two, with a seam where they meet. A camera that whips round shows a strip as well,
 * but it is blurred and has no seam.
 */
import type { Film } from './film.ts'
import type { Edges } from './edges.ts'
import { stripError } from './distance.ts'
import { thumbHeight, thumbPixels, thumbWidth } from './grid.ts'

export interface GradualScore {
  /** The window: it begins before the first blended frame or within the change. */
  start: number
  end: number
  /** The change itself, where it could be measured. */
  edges: Edges | null
  /** Mixes or a strip of both shots account for it, so the network is not asked. */
  isExplained: boolean
  score: number
  /** A whip is a camera that was thrown round: no change, and nothing else happens in it. */
  type: 'dissolve' | 'fade' | 'wipe' | 'whip'
}

export interface Push {
  /** Part of the middle's change that the strip leaves unexplained; near 0 where all moved. */
  rest: number
  /** How sharply the shots meet in the middle, over how much neighbours differ elsewhere. */
  seam: number
  /** Along how much of the line where they meet that is so. */
  cover: number
  /** How sharp the middle is along the way it moves, over how sharp the ends are. */
  sharp: number
  /** Whether the new shot lies right behind the old one. */
  isJoined: boolean
}

interface Strip {
  /** The thumbs in the order in which they lie, and which of them is new. */
  order: [Uint8Array, Uint8Array]
  newAt: 0 | 1
  isUpright: boolean
}

/** Room for two thumbs side by side, or one above the other. */
const room = new Uint8Array(2 * thumbPixels)

/** Less than this a pixel is no move, and ends that are nearer are no two shots. */
const minStep = 4
const minApart = 6
const samples = 6
/** Strips that leave more than this are none. */
const maxRest = 0.5
const nearlyAll = 0.12
/** Shots that would lie better by a few pixels nearer or farther are not joined. */
const slips = [-4, -3, -2, 2, 3, 4]
const slipGain = 0.95
const minFrames = 5
const longestSeconds = 2.5
/** A push starts and stops at once: its steps are this much larger than those before and after. */
const minBurst = 1.7

/** How many frames of future are needed to see that a push has come to rest. */
export const pushLookahead = 2

/**
 * The push that has come to rest at a frame: a stretch of steady motion that begins and ends at
 * once, and whose middle is a piece of the strip of what was before and what is after.
 */
export function findPush(film: Film, end: number, framesPerSecond: number): GradualScore | null {
  const { layout } = film
  const calm = (before: number, after: number): number =>
    Math.max(layout[before] ?? 0, layout[after] ?? 0) + 0.001
  if (end < minFrames + 1 || layout[end - 1]! < minBurst * calm(end, end + 1)) return null
  const first = Math.max(1, end - Math.round(longestSeconds * framesPerSecond))
  let best: GradualScore | null = null
  let sum = 0
  for (let start = end - 1; start >= first && film.isKept(start - 1); start--) {
    const steps = end - start
    sum += layout[start]!
    if (layout[start]! < 0.4 * (sum / steps)) break
    if (steps < minFrames || layout[start]! < minBurst * calm(start - 1, start - 2)) continue
    const score = 0.97 * pushBetween(film, start - 1, end)
    if (score <= (best?.score ?? 0)) continue
    best = { start, end, edges: { start, end }, isExplained: true, score, type: 'wipe' }
  }
  return best
}

/** The seam has to be there wherever it has come to; in one place it may be hidden. */
function pushBetween(film: Film, start: number, end: number): number {
  const old = film.imageAt(start).thumb
  const next = film.imageAt(end).thumb
  const strengths = [1 / 3, 1 / 2, 2 / 3].map((part) => {
    const { thumb } = film.imageAt(start + Math.round((end - start) * part))
    return pushOf(fitStrip(old, next, thumb))
  })
  return strengths.toSorted((a, b) => a - b)[1]!
}

/**
 * 0 to 1: how well both shots lie on one strip, and how sharply they meet there. The less the
 * strip leaves over, the less of a seam must be seen: shots may meet in the dark.
 */
function pushOf(push: Push | null): number {
  if (!push?.isJoined) return 0
  const { rest, seam, cover } = push
  if (rest > nearlyAll && cover < 0.4) return 0
  return clampPart((0.45 - rest) / 0.15) * clampPart((seam - 0.9 - 2 * rest) / 0.4)
}

/** A whipped camera moves like a push, but is blurred and has no seam. */
export function isWhip({ rest, seam, sharp }: Push): boolean {
  return rest < 0.45 && seam < 1.2 && sharp < 0.95
}

function clampPart(value: number): number {
  return Math.min(1, Math.max(0, value))
}

export function measurePush(film: Film, start: number, end: number): Push | null {
  const old = film.imageAt(start).thumb
  const next = film.imageAt(end).thumb
  if (thumbError(old, next) < minApart) return null
  const middle = film.imageAt((start + end) >> 1).thumb
  let farthest = middle
  let farthestStep = nearerStep(old, next, middle)
  for (let sample = 1; sample <= samples; sample++) {
    const { thumb } = film.imageAt(start + Math.round(((end - start) * sample) / (samples + 1)))
    const step = nearerStep(old, next, thumb)
    if (step <= farthestStep) continue
    farthest = thumb
    farthestStep = step
  }
  const tried = farthest === middle ? [middle] : [middle, farthest]
  const fits = tried.map((thumb) => fitStrip(old, next, thumb))
  return fits.reduce((a, b) => (a && (!b || a.rest <= b.rest) ? a : b))
}

/** How far a frame is from the nearer of both. */
function nearerStep(old: Uint8Array, next: Uint8Array, thumb: Uint8Array): number {
  return Math.min(thumbError(old, thumb), thumbError(next, thumb))
}

function thumbError(a: Uint8Array, b: Uint8Array): number {
  return stripError(a, 0, thumbWidth, b, Infinity)
}

function fitStrip(old: Uint8Array, next: Uint8Array, middle: Uint8Array): Push | null {
  const step = nearerStep(old, next, middle)
  if (step < minStep) return null
  let best = { error: maxRest * step, offset: 0, strip: null as Strip | null }
  for (const isUpright of [false, true]) {
    for (const newAt of [1, 0] as const) {
      const order: [Uint8Array, Uint8Array] = newAt === 1 ? [old, next] : [next, old]
      const strip = { order, newAt, isUpright }
      lay(strip, 0)
      const length = isUpright ? thumbHeight : thumbWidth
      for (let offset = length >> 3; offset <= length - (length >> 3); offset++) {
        const error = errorAt(strip, offset, middle, best.error)
        if (error < best.error) best = { error, offset, strip }
      }
    }
  }
  const { strip, offset, error } = best
  if (!strip) return null
  const isJoined = slips.every((slip) => {
    lay(strip, slip)
    return errorAt(strip, offset, middle, slipGain * error) > slipGain * error
  })
  return { rest: error / step, isJoined, ...lookAlong(middle, strip, offset) }
}

function errorAt({ isUpright }: Strip, offset: number, middle: Uint8Array, limit: number): number {
  return isUpright
    ? stripError(room, offset * thumbWidth, thumbWidth, middle, limit)
    : stripError(room, offset, 2 * thumbWidth, middle, limit)
}

/** Puts both thumbs beside each other, the new one moved by a few pixels. */
function lay({ order, newAt, isUpright }: Strip, slip: number): void {
  for (const [place, thumb] of order.entries()) {
    const moved = place === newAt ? slip : 0
    for (let y = 0; y < thumbHeight; y++) {
      const row = isUpright ? clamp(y + moved, thumbHeight) : y
      const to = isUpright ? (place * thumbHeight + y) * thumbWidth : (2 * y + place) * thumbWidth
      if (isUpright || moved === 0) {
        room.set(thumb.subarray(row * thumbWidth, (row + 1) * thumbWidth), to)
        continue
      }
      for (let x = 0; x < thumbWidth; x++) {
        room[to + x] = thumb[y * thumbWidth + clamp(x + moved, thumbWidth)]!
      }
    }
  }
}

/** Steps of a thumb where the two shots meet, and elsewhere along the way it moves. */
function lookAlong(
  thumb: Uint8Array,
  { isUpright, order }: Strip,
  offset: number,
): Pick<Push, 'seam' | 'cover' | 'sharp'> {
  const lines = stepsAlong(thumb, isUpright)
  const usual = meanOf(lines.map(meanOf))
  const usualOf = (end: Uint8Array): number => meanOf(stepsAlong(end, isUpright).map(meanOf))
  // It may lie half a pixel off.
  const middle = lines.length - offset
  const near = lines.slice(Math.max(0, middle - 1), middle + 2)
  const isSharp = (step: number): boolean => step > 1.5 * usual + 2
  return {
    seam: Math.max(...near.map(meanOf)) / (usual + 1),
    cover: Math.max(...near.map((steps) => meanOf(steps.map((step) => Number(isSharp(step)))))),
    sharp: (usual + 0.5) / (Math.min(...order.map(usualOf)) + 0.5),
  }
}

/** The steps from each column to the next, or from each row. */
function stepsAlong(thumb: Uint8Array, isUpright: boolean): number[][] {
  const [length, across] = isUpright ? [thumbHeight, thumbWidth] : [thumbWidth, thumbHeight]
  const [next, line] = isUpright ? [thumbWidth, 1] : [1, thumbWidth]
  return Array.from({ length: length - 1 }, (_, at) =>
    Array.from({ length: across }, (_pixel, other) => {
      const pixel = at * next + other * line
      return Math.abs(thumb[pixel + next]! - thumb[pixel]!)
    }),
  )
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function clamp(value: number, length: number): number {
  return value < 0 ? 0 : value >= length ? length - 1 : value
}
