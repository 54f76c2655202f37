/**
 * Puts items into groups by the pairs that match, and every item of a group onto the clock of its
 * reference. Each item is tried against the longer ones until it belongs to their group, so that a
 * camera which met the recorder nowhere can still be placed by another camera.
 */
import { matchSounds, minPeakOverNoise, minPeakByTimecode } from './match.ts'
import type { Match } from './match.ts'
import type { Sound } from './sound.ts'

interface GroupItem {
  sound: Sound | null
  /** A recorder is a better reference than a camera. */
  isRecorder: boolean
  /** Second of the day at which the item begins, by its own timecode. */
  timecode: number | null
}

export interface Placed {
  /** Counted from 0; null: it belongs to none. */
  group: number | null
  isReference: boolean
  method: 'sound' | 'timecode' | null
  /** Second of the reference at which it begins; of an item without group, its best guess. */
  offset: number | null
  driftPpm: number | null
  /** The match of the pair that placed the item, or of the best guess. */
  match: Match | null
  /** Which item the match is with. */
  matchedWith: number | null
  /** Offset to the reference according to the item's timecode. */
  timecodeOffset: number | null
}

interface Edge {
  a: number
  b: number
  match: Match
}

/** Timecodes that differ from the sound by more than this were not set together. */
const timecodeAgreesSeconds = 1

export async function groupItems(
  items: readonly GroupItem[],
  options: { signal?: AbortSignal; onPair?: (done: number, all: number) => void } = {},
): Promise<Placed[]> {
  const order = items
    .map((_, index) => index)
    .filter((index) => items[index]!.sound)
    .sort((a, b) => lengthOf(items[b]!) - lengthOf(items[a]!))
  const parent = items.map((_, index) => index)
  const root = (index: number): number => (parent[index] === index ? index : root(parent[index]!))
  const joined: Edge[] = []
  const guesses: Edge[] = []
  const all = (order.length * (order.length - 1)) / 2
  let done = 0
  for (const [place, a] of order.entries()) {
    for (const b of order.slice(place + 1)) {
      done++
      if (root(a) === root(b)) continue
      options.signal?.throwIfAborted()
      const timecodeOffset = gapOf(items[a]!, items[b]!)
      const match = matchSounds(items[a]!.sound!, items[b]!.sound!, {
        timecodeOffset,
        signal: options.signal,
      })
      if (belongs(match, timecodeOffset)) {
        joined.push({ a, b, match })
        parent[root(b)] = root(a)
      } else guesses.push({ a, b, match })
      options.onPair?.(done, all)
      // Gives way between two pairs, so that messages and signals get through.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const placed = placeAll(items, { joined, guesses, root })
  placeByTimecode(items, placed)
  return placed
}

function belongs(match: Match, timecodeOffset: number | undefined): boolean {
  if (match.height >= minPeakOverNoise) return true
  const isWhereTimecodeSays =
    timecodeOffset !== undefined && Math.abs(match.offset - timecodeOffset) <= timecodeAgreesSeconds
  return isWhereTimecodeSays && match.height >= minPeakByTimecode
}

function placeAll(
  items: readonly GroupItem[],
  result: { joined: Edge[]; guesses: Edge[]; root: (index: number) => number },
): Placed[] {
  const placed: Placed[] = items.map(() => ({
    group: null,
    isReference: false,
    method: null,
    offset: null,
    driftPpm: null,
    match: null,
    matchedWith: null,
    timecodeOffset: null,
  }))
  const groups = Map.groupBy(
    items.map((_, index) => index).filter((index) => items[index]!.sound),
    result.root,
  )
  let number = 0
  for (const members of groups.values()) {
    if (members.length < 2) continue
    const reference = members.toSorted(
      (a, b) =>
        Number(items[b]!.isRecorder) - Number(items[a]!.isRecorder) ||
        lengthOf(items[b]!) - lengthOf(items[a]!) ||
        a - b,
    )[0]!
    walk(items, placed, { reference, number: number++, joined: result.joined })
  }
  for (const [index, item] of placed.entries()) {
    if (item.group !== null) continue
    const best = result.guesses
      .filter(({ a, b }) => a === index || b === index)
      .toSorted((first, second) => second.match.height - first.match.height)[0]
    if (!best) continue
    const other = best.a === index ? best.b : best.a
    const line = lineBetween(best, other)
    item.match = best.match
    item.matchedWith = other
    const base = placed[other]!
    item.offset = base.offset === null ? line.offset : base.offset + line.offset
  }
  return placed
}

/** Goes along the pairs from the reference; offsets and drifts add up on the way. */
function walk(
  items: readonly GroupItem[],
  placed: Placed[],
  { reference, number, joined }: { reference: number; number: number; joined: readonly Edge[] },
): void {
  const start = placed[reference]!
  Object.assign(start, { group: number, isReference: true, offset: 0, driftPpm: 0 })
  const open = [reference]
  while (open.length > 0) {
    const from = open.shift()!
    const base = placed[from]!
    for (const edge of joined) {
      const to = edge.a === from ? edge.b : edge.b === from ? edge.a : null
      if (to === null || placed[to]!.group !== null) continue
      const line = lineBetween(edge, from)
      const stretch = 1 + (base.driftPpm ?? 0) / 1e6
      Object.assign(placed[to]!, {
        group: number,
        method: 'sound',
        offset: (base.offset ?? 0) + stretch * line.offset,
        driftPpm: addDrifts(base, line.driftPpm),
        match: edge.match,
        matchedWith: from,
        timecodeOffset: gapOf(items[reference]!, items[to]!) ?? null,
      })
      open.push(to)
    }
  }
}

function addDrifts(base: Placed, driftPpm: number | null): number | null {
  if (base.driftPpm === null || driftPpm === null) return null
  return ((1 + base.driftPpm / 1e6) * (1 + driftPpm / 1e6) - 1) * 1e6
}

/** The line of an edge as seen from one of its ends. */
function lineBetween(
  { a, match }: Edge,
  from: number,
): { offset: number; driftPpm: number | null } {
  if (from === a) return { offset: match.offset, driftPpm: match.driftPpm }
  const stretch = 1 + (match.driftPpm ?? 0) / 1e6
  return {
    offset: -match.offset / stretch,
    driftPpm: match.driftPpm === null ? null : (1 / stretch - 1) * 1e6,
  }
}

/**
 * Items without sound are placed by their timecode, where the sound has shown that the timecodes of
 * the others were set together.
 */
function placeByTimecode(items: readonly GroupItem[], placed: Placed[]): void {
  for (const [reference, base] of placed.entries()) {
    if (!base.isReference) continue
    const others = placed.filter((item) => item.group === base.group && item.method === 'sound')
    const witnesses = others.filter(({ timecodeOffset }) => timecodeOffset !== null)
    const isTrusted =
      witnesses.length > 0 &&
      witnesses.every(
        (item) => Math.abs(item.timecodeOffset! - item.offset!) <= timecodeAgreesSeconds,
      )
    if (!isTrusted) continue
    for (const [index, item] of placed.entries()) {
      const gap = gapOf(items[reference]!, items[index]!)
      if (item.group !== null || items[index]!.sound || gap === undefined) continue
      Object.assign(item, {
        group: base.group,
        method: 'timecode',
        offset: gap,
        timecodeOffset: gap,
        matchedWith: reference,
      })
    }
  }
}

/** Seconds from the start of the first to that of the second, by their timecodes. */
function gapOf(a: GroupItem, b: GroupItem): number | undefined {
  if (a.timecode === null || b.timecode === null) return undefined
  const day = 86_400
  const gap = (((b.timecode - a.timecode) % day) + day) % day
  return gap > day / 2 ? gap - day : gap
}

function lengthOf(item: GroupItem): number {
  return item.sound?.samples ?? 0
}
