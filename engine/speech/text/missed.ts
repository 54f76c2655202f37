/**
 * Speech that a recogniser passed over. Whisper writes a window in one language and stops where the
 * next speaker uses another one; now and then it also stops early. A stretch that has a voice and no
 * word is heard once more on its own, with an ear of its own for the language.
 */
import type { RecognisedWord } from '../whisper/tokens.ts'
import { speechSpans, voiceIn } from '../voice/vad.ts'
import type { Seconds } from '../voice/vad.ts'

interface Hearing {
  window: Seconds
  /** In seconds of the window. */
  words: readonly RecognisedWord[]
}

/** A shorter stretch may be a laugh, or a word whose time is a little off. */
const minMissedSeconds = 1.5
/** So much voice is heard again even where the first hearing wrote nothing at all. */
const minWordlessSeconds = 3
const minVoice = 0.6
/** How far a word's time is trusted. */
const nearSeconds = 0.4
const padSeconds = 0.2

/** The stretches of a window that are voice without any word. */
export function findMissed(vad: Float32Array, hearing: Hearing): Seconds[] {
  const { words } = hearing
  const needed = words.length === 0 ? minWordlessSeconds : minMissedSeconds
  const voiced = speechSpans(vad, { threshold: 0.5, minSilenceMs: 400, padMs: 0 })
  return gapsBetween(hearing).flatMap((gap) => {
    const inside = voiced
      .map(({ start, end }) => ({
        start: Math.max(start, gap.start),
        end: Math.min(end, gap.end),
      }))
      .filter(({ start, end }) => end - start > nearSeconds)
    const first = inside[0]
    const last = inside.at(-1)
    if (!first || !last) return []
    const stretch = {
      start: Math.max(gap.start, first.start - padSeconds),
      end: Math.min(gap.end, last.end + padSeconds),
    }
    // Only over the voiced parts: the pauses of slow speech are no reason to pass over it.
    const length = inside.reduce((sum, { start, end }) => sum + end - start, 0)
    const voice = inside.reduce(
      (sum, part) => sum + voiceIn(vad, part).mean * (part.end - part.start),
      0,
    )
    return length >= needed && voice >= minVoice * length ? [stretch] : []
  })
}

export interface SecondHearing {
  window: Seconds
  words: readonly RecognisedWord[]
  language: string
  languages: readonly { language: string; probability: number }[]
  noSpeech: number
  meanLogProbability: number
  looped: boolean
}

/**
 * What the first hearing had reason to pass over needs more to be believed. `first` is what was
 * written, on the file's clock.
 */
export function isSecondBelievable(
  second: SecondHearing,
  fileLanguage: string | null,
  first: readonly RecognisedWord[],
): boolean {
  const own = second.languages.find(({ language }) => language === second.language)
  const isKnown = second.language === fileLanguage || (own?.probability ?? 0) >= 0.6
  if (!isKnown || second.looped || second.noSpeech > 0.5) return false
  if (second.meanLogProbability < -0.8) return false
  // Words that were only timed wrongly are there already, close by. Further away the same words
  // may well be said again.
  const nearby = first.filter(
    ({ start, end }) =>
      end > second.window.start - misplacedSeconds && start < second.window.end + misplacedSeconds,
  )
  return !bare(nearby).includes(bare(second.words))
}

/** As far as the alignment was ever seen to put a word beside its place. */
const misplacedSeconds = 3

/** What lies before, between and after the words, on the file's clock. */
function gapsBetween({ window, words }: Hearing): Seconds[] {
  const gaps: Seconds[] = []
  let from = window.start
  for (const word of words) {
    gaps.push({ start: from, end: window.start + word.start - nearSeconds })
    from = Math.max(from, window.start + word.end + nearSeconds)
  }
  gaps.push({ start: from, end: window.end })
  return gaps.filter(({ start, end }) => end - start >= minMissedSeconds)
}

function bare(words: readonly { text: string }[]): string {
  return words.map(({ text }) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')).join(' ')
}
