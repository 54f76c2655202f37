/** A passage as the screen shows it: runs of kept and struck words, and which word stands where. */
import type { CutPassage, PassageWord } from '../../../../domain/cuts/cut-text.ts'
import { spanOf } from '../../../../domain/cuts/cut-text.ts'
import type { CutRange, FrameSpan } from '../../../../domain/cuts/cut.ts'

export interface PlacedWord extends PassageWord {
  /** Characters of the shown text. */
  from: number
  to: number
}

export interface ShownPassage {
  words: PlacedWord[]
  runs: { text: string; struck: boolean; from: number }[]
}

export function layOutPassage(
  { words, joiner }: Pick<CutPassage, 'words' | 'joiner'>,
  withRemoved: boolean,
): ShownPassage {
  const placed: PlacedWord[] = []
  const runs: ShownPassage['runs'] = []
  let at = 0
  for (const word of words) {
    if (word.struck && !withRemoved) continue
    const last = runs.at(-1)
    const gap = last ? joiner : ''
    const from = at + gap.length
    placed.push({ ...word, from, to: from + word.text.length })
    // A space between kept and struck words is never struck.
    if (last?.struck === word.struck) last.text += gap + word.text
    else if (last && !last.struck) {
      last.text += gap
      runs.push({ text: word.text, struck: word.struck, from })
    } else runs.push({ text: gap + word.text, struck: word.struck, from: at })
    at = from + word.text.length
  }
  return { words: placed, runs }
}

/** The words that a selection touches; a caret touches the one that it stands in. */
export function wordsBetween(
  { words }: Pick<ShownPassage, 'words'>,
  { from, to }: { from: number; to: number },
): PlacedWord[] {
  return words.filter((word) => word.from < Math.max(to, from + 1) && word.to > from)
}

/** A shorter pause between two struck words is struck with them: it would only flicker. */
const maxPauseSeconds = 1

/** How far a cut moves to land on a cut point or a silence. */
export const snapFrames = 6

/** The frames to strike for words next to each other. */
export function struckSpan(
  passage: Pick<CutPassage, 'words' | 'in' | 'out'>,
  chosen: readonly PassageWord[],
  input: {
    range: CutRange
    secondsOf: (span: FrameSpan) => number
    /** Frames of the source that a cut may move to, in order; none: it stays at the words. */
    cutPoints: readonly number[]
  },
): FrameSpan | null {
  const span = spanOf(chosen)
  if (!span) return null
  const isPause = (pause: FrameSpan): boolean => input.secondsOf(pause) <= maxPauseSeconds
  const { before, after, edges } = around(passage, span)
  const startsHere = !before || isGone(input.range, before.out - 1)
  const endsHere = !after || isGone(input.range, after.in)
  return {
    in:
      startsHere && isPause({ in: edges.in, out: span.in })
        ? Math.min(span.in, edges.in)
        : (input.cutPoints.findLast((at) => at <= span.in && at >= lower(edges.in, span.in)) ??
          span.in),
    out:
      endsHere && isPause({ in: span.out, out: edges.out })
        ? Math.max(span.out, edges.out)
        : (input.cutPoints.find((at) => at >= span.out && at <= upper(edges.out, span.out)) ??
          span.out),
  }
}

/** The frames to bring back for struck words, with the pauses to the words beside them. */
export function restoredSpan(
  passage: Pick<CutPassage, 'words' | 'in' | 'out'>,
  chosen: readonly PassageWord[],
  range: CutRange,
): FrameSpan | null {
  const span = spanOf(chosen)
  if (!span) return null
  const { before, after, edges } = around(passage, span)
  const staysBefore = !before || !isGone(range, before.out - 1)
  const staysAfter = !after || !isGone(range, after.in)
  return {
    in: staysBefore ? Math.min(span.in, edges.in) : span.in,
    out: staysAfter ? Math.max(span.out, edges.out) : span.out,
  }
}

/** The words on both sides, and how far it is to them or to the ends of the passage. */
function around({ words, ...passage }: Pick<CutPassage, 'words' | 'in' | 'out'>, span: FrameSpan) {
  const before = words.findLast((word) => word.in < span.in)
  const after = words.find((word) => word.in >= span.out || word.out > span.out)
  return {
    before,
    after,
    edges: { in: before ? before.out : passage.in, out: after ? after.in : passage.out },
  }
}

function isGone(range: CutRange, frame: number): boolean {
  return range.removed.some((gone) => gone.in <= frame && frame < gone.out)
}

/** A cut point never takes a part of the word beside it. */
function lower(edge: number, frame: number): number {
  return Math.max(edge, frame - snapFrames)
}

function upper(edge: number, frame: number): number {
  return Math.min(edge, frame + snapFrames)
}
