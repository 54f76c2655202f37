/** Voice that the transcript has no word for is speech all the same: no cut belongs there. */
import { speechSpans } from '../voice/vad.ts'
import type { Seconds } from '../voice/vad.ts'

/** A word, or a voice that nobody understood. */
export interface Spoken extends Seconds {
  text: string | null
}

interface Sound {
  words?: readonly { text: string; start: number; end: number }[]
  vad?: Float32Array
}

/** A voice this long and this far from any word is more than a breath or a word's end. */
const limits = { minSeconds: 0.4, nearSeconds: 0.2 }

/**
 * Speech that must not be cut into: words, and voice where no word is near (another language,
 * somebody far away); without words all voice.
 */
export function spokenSpans({ words = [], vad }: Sound): Spoken[] {
  const heard: Spoken[] = words.map(({ text, start, end }) => ({ text, start, end }))
  if (!vad) return heard
  if (heard.length === 0) {
    return speechSpans(vad, { padMs: 0 }).map((span) => ({ ...span, text: null }))
  }
  const near = heard.map(({ start, end }) => ({
    start: start - limits.nearSeconds,
    end: end + limits.nearSeconds,
  }))
  const voice = speechSpans(vad, { threshold: 0.6, minSilenceMs: 200, padMs: 0 })
    .flatMap((span) => cutOut(span, near))
    .filter(({ start, end }) => end - start >= limits.minSeconds)
    .map((span) => ({ ...span, text: null }))
  return [...heard, ...voice].sort((a, b) => a.start - b.start)
}

/** Cuts other spans out of a span. */
export function cutOut(span: Seconds, others: readonly Seconds[]): Seconds[] {
  const parts: Seconds[] = []
  let { start } = span
  for (const other of others) {
    if (other.end <= start || other.start >= span.end) continue
    parts.push({ start, end: other.start })
    start = other.end
  }
  parts.push({ start, end: span.end })
  return parts
}
