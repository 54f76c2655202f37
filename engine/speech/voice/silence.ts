/**
 * Silence by level. The threshold depends on the recording: it lies between the floor (room tone,
 * hum) and the usual loudness of the surrounding half minute. Two thresholds with a gap keep a
 * breath or a click from cutting a pause in two.
 *
 * Where one room ends and a quieter one begins, the floor is that of the quieter. So a second look
 * finds what is far below the sounds on both sides, and as even as only a room is.
 */
import { levelsPerSecond } from './levels.ts'
import type { Seconds } from './vad.ts'

export interface SilenceOptions {
  /** Shorter pauses are part of speech. */
  minSilenceMs?: number
}

const blockSeconds = 1
const aroundSeconds = 15
const nearSeconds = 2
/** A floor that is this much above that of the wider surroundings is another room's. */
const otherRoomDecibels = 8
/** Below this nothing is audible, whatever the surroundings. */
const inaudibleDecibels = -65
/** With less between floor and loudness than this, nothing stands out as silence. */
const minRangeDecibels = 9
const clickMs = 60
/** Room tone between sounds: this far below them, no less long, and with no more scatter. */
const farDecibels = 26
const evenMs = 400
const evenDecibels = 8
const besideSeconds = 1
const besideDecibels = 12

export function findSilence(
  levels: Float32Array,
  { minSilenceMs = 280 }: SilenceOptions = {},
): Seconds[] {
  const smooth = smoothed(levels)
  const rooms = blockRooms(levels)
  const thresholds = rooms.map(thresholdsOf)
  const spans: Seconds[] = []
  let start = -1
  let loudSince = -1
  for (let at = 0; at <= smooth.length; at++) {
    const block = thresholds[Math.min(thresholds.length - 1, Math.floor(at / perBlock))]
    if (!block) break
    const level = at < smooth.length ? smooth[at]! : Infinity
    if (level < block.enter) {
      if (start < 0) start = at
      loudSince = -1
    } else if (start >= 0 && level >= block.leave) {
      if (loudSince < 0) loudSince = at
      // A click inside a pause is not a word.
      if (at < smooth.length && ((at - loudSince) * 1000) / levelsPerSecond < clickMs) continue
      push(spans, start, loudSince, minSilenceMs)
      start = -1
      loudSince = -1
    }
  }
  const even = findEven(smooth, rooms, Math.max(evenMs, minSilenceMs))
  const added = even.filter((item) => !spans.some((span) => isTouching(span, item)))
  return [...spans, ...added].sort((a, b) => a.start - b.start)
}

function isTouching(a: Seconds, b: Seconds): boolean {
  return a.start < b.end && b.start < a.end
}

/** Even stretches far below the sounds that lie directly before and behind them. */
function findEven(smooth: Float32Array, rooms: Rooms[], minMs: number): Seconds[] {
  const spans: Seconds[] = []
  let start = -1
  for (let at = 0; at <= smooth.length; at++) {
    const loud = rooms[Math.floor(Math.min(at, smooth.length - 1) / perBlock)]?.wide?.loud
    const isFar = at < smooth.length && loud !== undefined && smooth[at]! < loud - farDecibels
    if (isFar && start < 0) start = at
    if (isFar || start < 0) continue
    const inside = smooth.slice(start, at).sort()
    const scatter =
      inside[Math.floor(inside.length * 0.9)]! - inside[Math.floor(inside.length * 0.1)]!
    const isLoud = (from: number, to: number) =>
      smooth.subarray(Math.max(0, from), to).some((level) => level > (loud ?? 0) - besideDecibels)
    const beside = besideSeconds * levelsPerSecond
    if (scatter <= evenDecibels && isLoud(start - beside, start) && isLoud(at, at + beside)) {
      push(spans, start, at, minMs)
    }
    start = -1
  }
  return spans
}

const perBlock = blockSeconds * levelsPerSecond

function push(spans: Seconds[], from: number, to: number, minSilenceMs: number): void {
  if (((to - from) * 1000) / levelsPerSecond < minSilenceMs) return
  spans.push({ start: from / levelsPerSecond, end: to / levelsPerSecond })
}

/** The mean over 50 ms, in decibels. */
function smoothed(levels: Float32Array): Float32Array {
  const half = 2
  return levels.map((_, at) => {
    const from = Math.max(0, at - half)
    const to = Math.min(levels.length, at + half + 1)
    let sum = 0
    for (let near = from; near < to; near++) sum += levels[near]!
    return sum / (to - from)
  })
}

interface Room {
  floor: number
  loud: number
}

/** Null if there is no sound, or if nothing stands out. */
interface Rooms {
  wide: Room | null
  near: Room | null
}

/**
 * Two looks at the surroundings: the wide one knows the room even where somebody talks on and on,
 * the near one notices that the next take was made in a louder room.
 */
function blockRooms(levels: Float32Array): Rooms[] {
  const blocks = Math.ceil(levels.length / perBlock)
  return Array.from({ length: blocks }, (_, block) => ({
    wide: roomAround(levels, block, aroundSeconds),
    near: roomAround(levels, block, nearSeconds),
  }))
}

function thresholdsOf({ wide, near }: Rooms): { enter: number; leave: number } {
  const isLouder = wide !== null && near !== null && near.floor > wide.floor + otherRoomDecibels
  const room = isLouder ? near : wide
  if (!room) return { enter: inaudibleDecibels, leave: inaudibleDecibels + 3 }
  const range = room.loud - room.floor
  const enter = Math.max(inaudibleDecibels, room.floor + Math.min(range * 0.2, 12))
  return { enter, leave: enter + Math.min(3, range * 0.1) }
}

function roomAround(levels: Float32Array, block: number, seconds: number): Room | null {
  const from = Math.max(0, (block - seconds / blockSeconds) * perBlock)
  const to = Math.min(levels.length, (block + seconds / blockSeconds + 1) * perBlock)
  // Digital silence (a gap between takes) says nothing about the room.
  const heard = levels.slice(from, to).filter((level) => level > -95)
  heard.sort()
  if (heard.length === 0) return null
  const floor = heard[Math.floor(heard.length * 0.05)]!
  const loud = heard[Math.floor(heard.length * 0.9)]!
  return loud - floor < minRangeDecibels ? null : { floor, loud }
}
