/**
 * Changes of a cut's list of ranges. Each takes the ranges and returns new ones, so that a screen
 * can undo by keeping what it had. Nothing here knows a screen, a server or a rate.
 */
import { uniqueId } from '../unique-id.ts'
import { cutLimits } from './cut-limits.ts'
import type { CutRange, FrameSpan } from './cut.ts'

type Ranges = readonly CutRange[]

export type NewRange = Pick<CutRange, 'content_id' | 'in' | 'out'> & Partial<CutRange>

export function newRange(range: NewRange): CutRange {
  return {
    id: uniqueId(),
    name: '',
    note: '',
    disabled: false,
    ...range,
    removed: [...(range.removed ?? [])],
  }
}

/** True where so many more ranges still fit into a cut. */
export function hasRoom(ranges: Ranges, more: number): boolean {
  return ranges.length + more <= cutLimits.ranges
}

/** Puts ranges before the one at `index`; without an index at the end. */
export function addRanges(
  ranges: Ranges,
  added: readonly NewRange[],
  index = ranges.length,
): CutRange[] {
  return ranges.toSpliced(clamp(index, 0, ranges.length), 0, ...added.map(newRange))
}

/** Moves ranges, in their present order, before the one that is at `index` now. */
export function moveRanges(ranges: Ranges, ids: readonly string[], index: number): CutRange[] {
  const chosen = new Set(ids)
  const at = clamp(index, 0, ranges.length)
  const moved = ranges.filter((range) => chosen.has(range.id))
  const before = ranges.slice(0, at).filter((range) => !chosen.has(range.id))
  const after = ranges.slice(at).filter((range) => !chosen.has(range.id))
  return [...before, ...moved, ...after]
}

export function removeRanges(ranges: Ranges, ids: readonly string[]): CutRange[] {
  const gone = new Set(ids)
  return ranges.filter((range) => !gone.has(range.id))
}

/** Copies stand right after the last of what they copy. */
export function duplicateRanges(ranges: Ranges, ids: readonly string[]): CutRange[] {
  const chosen = new Set(ids)
  const copies = ranges
    .filter((range) => chosen.has(range.id))
    .map((range) => newRange({ ...range, id: uniqueId() }))
  const last = ranges.findLastIndex((range) => chosen.has(range.id))
  return ranges.toSpliced(last + 1, 0, ...copies)
}

export function setDisabled(ranges: Ranges, ids: readonly string[], disabled: boolean): CutRange[] {
  const chosen = new Set(ids)
  return ranges.map((range) => (chosen.has(range.id) ? { ...range, disabled } : range))
}

export function describeRange(
  ranges: Ranges,
  id: string,
  text: Partial<Pick<CutRange, 'name' | 'note'>>,
): CutRange[] {
  return ranges.map((range) => (range.id === id ? { ...range, ...text } : range))
}

/** New ends, kept inside of the clip and at least one frame apart. */
export function trimRange(
  ranges: Ranges,
  id: string,
  ends: { in?: number; out?: number; clipFrames: number },
): CutRange[] {
  return ranges.map((range) => {
    if (range.id !== id) return range
    const from = clamp(ends.in ?? range.in, 0, Math.min(ends.out ?? range.out, ends.clipFrames) - 1)
    const to = clamp(ends.out ?? range.out, from + 1, ends.clipFrames)
    return { ...range, in: from, out: to, removed: within(range.removed, { in: from, out: to }) }
  })
}

/** Two ranges that meet at a frame of the source; nothing happens at or outside of the ends. */
export function splitRange(ranges: Ranges, id: string, frame: number): CutRange[] {
  const index = ranges.findIndex((range) => range.id === id)
  const range = ranges[index]
  if (!range || frame <= range.in || frame >= range.out) return [...ranges]
  const first = {
    ...range,
    out: frame,
    removed: within(range.removed, { in: range.in, out: frame }),
  }
  const second = newRange({
    ...range,
    id: uniqueId(),
    in: frame,
    removed: within(range.removed, { in: frame, out: range.out }),
  })
  return ranges.toSpliced(index, 1, first, second)
}

/** Moves a part of a range, a paragraph perhaps: it becomes a range of its own first. */
export function moveSpan(ranges: Ranges, id: string, span: FrameSpan, index: number): CutRange[] {
  const at = ranges.findIndex((range) => range.id === id)
  const cut = splitRange(splitRange(ranges, id, span.out), id, span.in)
  const isStart = span.in <= (ranges[at]?.in ?? 0)
  const part = cut[isStart ? at : at + 1]
  if (!part || at < 0) return [...ranges]
  const more = cut.length - ranges.length
  return moveRanges(cut, [part.id], index > at ? index + more : index)
}

/** Leaves frames of a range out: the frames of deleted words. */
export function strike(ranges: Ranges, id: string, span: FrameSpan): CutRange[] {
  return ranges.map((range) =>
    range.id === id ? { ...range, removed: within([...range.removed, span], range) } : range,
  )
}

/** Takes frames of a range in again. */
export function bringBack(ranges: Ranges, id: string, span: FrameSpan): CutRange[] {
  return ranges.map((range) => {
    if (range.id !== id) return range
    const removed = range.removed.flatMap((gone) => [
      { in: gone.in, out: Math.min(gone.out, span.in) },
      { in: Math.max(gone.in, span.out), out: gone.out },
    ])
    return { ...range, removed: within(removed, range) }
  })
}

/** In order, inside of the range, and joined where they meet. */
export function within(spans: readonly FrameSpan[], range: FrameSpan): FrameSpan[] {
  const joined: FrameSpan[] = []
  const inside = spans
    .map((span) => ({ in: Math.max(span.in, range.in), out: Math.min(span.out, range.out) }))
    .filter((span) => span.out > span.in)
    .sort((a, b) => a.in - b.in)
  for (const span of inside) {
    const last = joined.at(-1)
    if (last && span.in <= last.out) last.out = Math.max(last.out, span.out)
    else joined.push(span)
  }
  return joined
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value))
}
