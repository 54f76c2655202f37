import type { CutPassage } from '../../../domain/cuts/cut-text.ts'
import type { FrameSpan } from '../../../domain/cuts/cut.ts'

export interface Seam {
  text: string
  isDoubtful: boolean
  /** Frames of the source that lie between, where both sides are of one clip. */
  gap: { from: number; to: number } | null
}

/** How the cut between two passages will feel; nothing where one goes on as the other. */
export function seamBetween(
  before: CutPassage,
  after: CutPassage,
  secondsOf: (contentId: string, span: FrameSpan) => number,
): Seam | null {
  if (before.disabled || after.disabled || before.rangeId === after.rangeId) return null
  if (before.contentId !== after.contentId) {
    return (
      cutsIntoWord(before, after) ?? {
        text: 'Clip changes, clean cut',
        isDoubtful: false,
        gap: null,
      }
    )
  }
  if (before.out === after.in) return null
  const isGap = after.in > before.out
  const [from, to] = isGap ? [before.out, after.in] : [after.in, before.out]
  const seconds = secondsOf(before.contentId, { in: from, out: to }).toFixed(1)
  const what = isGap ? `${seconds} s removed` : `${seconds} s back`
  return {
    text: `Same clip: jump cut, ${what}`,
    isDoubtful: true,
    gap: isGap ? { from, to } : null,
  }
}

function cutsIntoWord(before: CutPassage, after: CutPassage): Seam | null {
  const last = before.words.at(-1)
  const first = after.words[0]
  const isLate = last && !last.struck && last.out > before.out + 1
  const isEarly = first && !first.struck && first.in < after.in - 1
  if (!isLate && !isEarly) return null
  const word = isLate ? last.text : first?.text
  return { text: `Cuts into “${word}”`, isDoubtful: true, gap: null }
}
