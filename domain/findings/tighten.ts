/**
 * Removes silences and fillers and returns the rest. The screen plays these ranges and the
 * exports cut them, both on the grid of the export, so that what is heard before an export is what
 * the file holds.
 */
import type { Span } from './findings.ts'

export interface FrameRange {
  start: number
  /** Exclusive. */
  end: number
}

/** A shorter part flashes by; at 25 frames a second this is half a second. */
export const defaultMinPartFrames = 12

/** The frames of a timeline, and where frames of the findings lie on it. */
export interface FrameGrid {
  frames: number
  /** `time` is the exact one of the frame, if known. */
  place: (frame: number, time?: string) => number
}

/** The kept ranges, in frames of the grid. */
export function tightenedRanges(
  found: { removals: readonly Span[]; words: readonly Span[] | undefined },
  grid: FrameGrid,
  options: { handleFrames: number; minPartFrames: number },
): FrameRange[] {
  const onGrid = (span: Span): FrameRange => ({
    start: grid.place(span.start_frame, span.start_time),
    end: grid.place(span.end_frame, span.end_time),
  })
  const words = found.words?.map(onGrid)
  return keptRanges(found.removals.map(onGrid), {
    ...options,
    frames: grid.frames,
    words: words && words.length > 0 ? words : undefined,
  })
}

export function keptRanges(
  removals: readonly FrameRange[],
  options: {
    frames: number
    /** Frames that stay at each end of what is kept. */
    handleFrames: number
    minPartFrames: number
    /** Ranges with words; absent if speech was not recognised. */
    words?: readonly FrameRange[] | undefined
  },
): FrameRange[] {
  const parts = between(shrunk(removals, options), options.frames)
  const { words } = options
  // Air between two removals goes with them; a short part with a word in it is never lost.
  const spoken = parts.filter(
    (part) => part.end - part.start >= options.minPartFrames || !words || holdsWord(part, words),
  )
  return joinShort(spoken.length > 0 ? spoken : parts, options.minPartFrames)
}

/** Kept ranges grow by the handle, and removed ones shrink, but not at the media's own ends. */
function shrunk(
  removals: readonly FrameRange[],
  { frames, handleFrames }: { frames: number; handleFrames: number },
): FrameRange[] {
  return removals
    .map(({ start, end }) => ({
      start: start <= 0 ? 0 : start + handleFrames,
      end: end >= frames ? frames : end - handleFrames,
    }))
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start)
}

function between(removed: readonly FrameRange[], frames: number): FrameRange[] {
  const kept: FrameRange[] = []
  let from = 0
  for (const range of removed) {
    if (range.start > from) kept.push({ start: from, end: range.start })
    from = Math.max(from, range.end)
  }
  if (from < frames) kept.push({ start: from, end: frames })
  return kept
}

function holdsWord(part: FrameRange, words: readonly FrameRange[]): boolean {
  return words.some((word) => word.start < part.end && word.end > part.start)
}

/** A part that is too short takes back the shorter of the removals beside it. */
function joinShort(parts: readonly FrameRange[], minFrames: number): FrameRange[] {
  const kept = [...parts]
  let at = 0
  while (at < kept.length && kept.length > 1) {
    const part = kept[at]
    if (!part || part.end - part.start >= minFrames) {
      at += 1
      continue
    }
    const [before, after] = [kept[at - 1], kept[at + 1]]
    const gapBefore = before ? part.start - before.end : Infinity
    const gapAfter = after ? after.start - part.end : Infinity
    const first = gapBefore <= gapAfter ? at - 1 : at
    const [left, right] = [kept[first], kept[first + 1]]
    if (!left || !right) break
    kept.splice(first, 2, { start: left.start, end: right.end })
    at = Math.max(0, first)
  }
  return kept
}
