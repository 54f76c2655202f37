/**
 * Words that the recogniser was not sure of. Its hearing of a window of half a minute depends on
 * where the window begins; the phrase is heard once more on its own, from pause to pause, and where
 * that hearing is sure of a word that the first one doubted, its word is taken.
 */
import type { RecognisedWord } from '../whisper/tokens.ts'
import type { Seconds } from '../voice/vad.ts'
import { phrasesAround } from './phrases.ts'
import type { Hearing } from './phrases.ts'
import { commonWords, isWithin } from './same-words.ts'

/** One word in forty of clear speech is less sure. */
const maxDoubted = 0.55
/** By how much more sure each word has to be that takes the place of one in doubt. */
const minGain = 0.1
/**
 * With a larger share in doubt the sound is bad, and a second recognition guesses like the first.
 */
const maxDoubtedShare = 0.1
/**
 * At most this share of a window is recognised again: the most doubtful words, and no long phrase
 * for one word.
 */
const maxAgainShare = 0.3
const maxPhraseSeconds = 8
/** The share of the words that the first recognition was sure of which the second must have too. */
const minShared = 0.75

/** The phrases with a word in doubt. */
export function findDoubted(vad: Float32Array, { window, words }: Hearing): Seconds[] {
  const doubted = words.filter(isDoubted).sort((a, b) => a.confidence - b.confidence)
  if (doubted.length > maxDoubtedShare * words.length) return []
  const places = doubted.map(({ start, end }) => window.start + (start + end) / 2)
  const all = phrasesAround(
    vad,
    window,
    places.map((at) => ({ start: at, end: at })),
  )
  const result = new Set<Seconds>()
  let left = maxAgainShare * (window.end - window.start)
  for (const at of places) {
    const phrase = all.find(({ start, end }) => at >= start && at <= end)
    if (!phrase || result.has(phrase)) continue
    const seconds = phrase.end - phrase.start
    if (seconds > Math.min(maxPhraseSeconds, left)) continue
    result.add(phrase)
    left -= seconds
  }
  return [...result]
}

/** The words of the first hearing, with those of the second ones in place of what was in doubt. */
export function settleDoubts(first: Hearing, second: readonly Hearing[]): RecognisedWord[] {
  let words = [...first.words]
  for (const span of second) {
    const by = span.window.start - first.window.start
    const stretch = { start: by, end: span.window.end - first.window.start }
    const from = words.findIndex((word) => isWithin(stretch, word))
    if (from < 0) continue
    const inside = words.slice(from).filter((word) => isWithin(stretch, word))
    const again = span.words.map((word) => ({
      ...word,
      start: word.start + by,
      end: word.end + by,
    }))
    words = words.toSpliced(from, inside.length, ...takeSurer(inside, again))
  }
  return words
}

function isDoubted({ confidence }: RecognisedWord): boolean {
  return confidence < maxDoubted
}

/** Compares what stands between the words that both hearings share. */
function takeSurer(
  first: readonly RecognisedWord[],
  second: readonly RecognisedWord[],
): RecognisedWord[] {
  const common = commonWords(first, second)
  const sure = first.filter((word) => !isDoubted(word))
  const shared = common.filter(([at]) => !isDoubted(first[at]!))
  if (shared.length < minShared * sure.length) return [...first]
  const settled: RecognisedWord[] = []
  let [from, fromAgain] = [0, 0]
  for (const [to, toAgain] of [...common, [first.length, second.length] as const]) {
    const old = first.slice(from, to)
    const again = second.slice(fromAgain, toAgain)
    settled.push(...(isSurer(again, old) ? keepLook(again, old) : old))
    if (to < first.length) settled.push(first[to]!)
    ;[from, fromAgain] = [to + 1, toAgain + 1]
  }
  return settled
}

function isSurer(again: readonly RecognisedWord[], old: readonly RecognisedWord[]): boolean {
  if (again.length === 0 || !old.some(isDoubted)) return false
  const needed = Math.max(maxDoubted, minConfidence(old) + minGain)
  return minConfidence(again) >= needed
}

function minConfidence(words: readonly RecognisedWord[]): number {
  return Math.min(...words.map(({ confidence }) => confidence))
}

/** Takes capital and closing mark from the first hearing; alone, a phrase gets others. */
function keepLook(
  words: readonly RecognisedWord[],
  old: readonly RecognisedWord[],
): RecognisedWord[] {
  const isCapital = /^\p{Lu}/u.test(old[0]!.text)
  const mark = /[^\p{L}\p{N}]*$/u.exec(old.at(-1)!.text)![0]
  return words.map((word, at) => {
    let { text } = word
    if (at === 0 && isCapital) text = text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
    if (at === words.length - 1) text = text.replace(/[^\p{L}\p{N}]*$/u, '') + mark
    return { ...word, text }
  })
}
