/** Phrases: the words from one pause to the next. */
import { speechSpans } from '../voice/vad.ts'
import type { Seconds } from '../voice/vad.ts'
import type { RecognisedWord } from '../whisper/tokens.ts'

/** A window and what was heard in it. */
export interface Hearing {
  window: Seconds
  /** In seconds of the window. */
  words: readonly RecognisedWord[]
}

const phrase = { minPauseMs: 250, padSeconds: 0.1, maxSeconds: 20 }

/** The phrases of a window that hold one of these places, all on the file's clock. */
export function phrasesAround(
  vad: Float32Array,
  window: Seconds,
  places: readonly Seconds[],
): Seconds[] {
  if (places.length === 0) return []
  return speechSpans(vad, { threshold: 0.5, minSilenceMs: phrase.minPauseMs, padMs: 0 })
    .filter((span) => places.some(({ start, end }) => start >= span.start && end <= span.end))
    .map(({ start, end }) => ({
      start: Math.max(window.start, start - phrase.padSeconds),
      end: Math.min(window.end, end + phrase.padSeconds),
    }))
    .filter(({ start, end }) => end - start <= phrase.maxSeconds)
}
