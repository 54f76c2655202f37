/** A passage as the screen shows it: runs of kept and struck words, and which word stands where. */
import type { CutPassage, PassageWord } from '../../../../contract/cut-text.ts'
import { spanOf } from '../../../../contract/cut-text.ts'
import type { CutRange, FrameSpan } from '../../../../contract/cuts.ts'

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

/** The frames to strike for words next to each other. */
export function struckSpan(
  passage: Pick<CutPassage, 'words'>,
  chosen: readonly PassageWord[],
  { range, framesPerSecond }: { range: CutRange; framesPerSecond: number },
): FrameSpan | null {
  const span = spanOf(chosen)
  if (!span) return null
  const reach = maxPauseSeconds * framesPerSecond
  const isGone = (frame: number): boolean =>
    range.removed.some((gone) => gone.in <= frame && frame < gone.out)
  const before = passage.words.findLast((word) => word.in < span.in)
  const after = passage.words.find((word) => word.in >= span.out || word.out > span.out)
  const edgeBefore = before ? (isGone(before.out - 1) ? before.out : null) : range.in
  const edgeAfter = after ? (isGone(after.in) ? after.in : null) : range.out
  return {
    in:
      edgeBefore !== null && span.in - edgeBefore <= reach
        ? Math.min(span.in, edgeBefore)
        : span.in,
    out:
      edgeAfter !== null && edgeAfter - span.out <= reach
        ? Math.max(span.out, edgeAfter)
        : span.out,
  }
}
