/**
 * Joins the words of windows that share some sound. Speech without a pause is cut anywhere, perhaps
 * inside a word; each of the two windows hears a second of the other, so that every word is whole in
 * one of them. They are joined at a word that both heard, the one nearest to the middle of what they
 * share; where they agree on none, each keeps its own half.
 */
import type { RecognisedWord } from '../whisper/tokens.ts'
import type { Seconds } from '../voice/vad.ts'

interface Heard {
  window: Seconds
  span?: Seconds
  /** In seconds of the window. */
  words: RecognisedWord[]
}

/** How far apart two windows may time the same word. */
const sameWordSeconds = 0.4

/** The windows in order, each with the words that are its own. */
export function spliceOverlaps<Window extends Heard>(heard: readonly Window[]): Window[] {
  const windows = heard.toSorted((a, b) => a.window.start - b.window.start)
  for (let at = 1; at < windows.length; at++) {
    const before = windows[at - 1]!
    const after = windows[at]!
    if (after.window.start >= before.window.end - 1e-6) continue
    const { left, right, seam } = splice(before, after)
    windows[at - 1] = {
      ...before,
      words: left,
      span: { start: before.span?.start ?? before.window.start, end: seam },
    }
    windows[at] = { ...after, words: right, span: { start: seam, end: after.window.end } }
  }
  return windows
}

function splice(
  before: Heard,
  after: Heard,
): { left: RecognisedWord[]; right: RecognisedWord[]; seam: number } {
  const middle = (after.window.start + before.window.end) / 2
  const pair = sharedWord(before, after, middle)
  if (pair) {
    return {
      left: before.words.slice(0, pair.left + 1),
      right: after.words.slice(pair.right + 1),
      seam: before.window.start + before.words[pair.left]!.end,
    }
  }
  // A word of one half that the other window alone heard stays as well.
  const left = before.words.filter((word) => {
    const own = onFile(before, word)
    return centre(own) < middle || !touchesAny(own, after)
  })
  const right = after.words.filter((word) => {
    const own = onFile(after, word)
    return centre(own) >= middle || !touchesAny(own, before)
  })
  return { left, right, seam: middle }
}

/** The word that both heard and that lies nearest to the middle. */
function sharedWord(
  before: Heard,
  after: Heard,
  middle: number,
): { left: number; right: number } | null {
  let best: { left: number; right: number } | null = null
  let nearest = Infinity
  for (const [left, word] of before.words.entries()) {
    const time = centre(onFile(before, word))
    if (time < after.window.start - sameWordSeconds) continue
    for (const [right, other] of after.words.entries()) {
      const otherTime = centre(onFile(after, other))
      if (otherTime > before.window.end + sameWordSeconds) break
      if (Math.abs(time - otherTime) > sameWordSeconds || bare(word) !== bare(other)) continue
      const distance = Math.abs((time + otherTime) / 2 - middle)
      if (distance < nearest) {
        nearest = distance
        best = { left, right }
      }
    }
  }
  return best
}

function touchesAny({ start, end }: Seconds, { window, words }: Heard): boolean {
  return words.some((word) => window.start + word.end > start && window.start + word.start < end)
}

function onFile({ window }: Heard, { start, end }: Seconds): Seconds {
  return { start: window.start + start, end: window.start + end }
}

function centre({ start, end }: Seconds): number {
  return (start + end) / 2
}

function bare({ text }: RecognisedWord): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
}
