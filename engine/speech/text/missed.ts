/**
 * Speech that a recogniser passed over. Whisper writes a window in one language and stops where the
 * next speaker uses another one; now and then it also stops early. A stretch that has a voice and
 * no word is heard once more on its own, with an ear of its own for the language.
 */
import { isUnspaced } from '../whisper/tokens.ts'
import type { RecognisedWord } from '../whisper/tokens.ts'
import { speechSpans, voiceIn, voiceOf } from '../voice/vad.ts'
import type { Seconds } from '../voice/vad.ts'
import { phrasesAround } from './phrases.ts'
import type { Hearing } from './phrases.ts'
import { bareText, commonWords, isWithin } from './same-words.ts'

/** A shorter stretch may be a laugh or a word whose time is off, unless it stands alone. */
const minMissedSeconds = 1.5
/** A plainly voiced sound between two pauses, away from any word: a "Yes." after a sentence. */
const island = { minSeconds: 0.3, minPauseMs: 250, minVoice: 0.9, padSeconds: 0.5 }
/** So much voice is heard again even where the first hearing wrote nothing at all. */
const minWordlessSeconds = 3
const minVoice = 0.6
/** How far a word's time is trusted. */
const nearSeconds = 0.4
const padSeconds = 0.2

/** No word takes longer; what is put down as one has speech beside it that was passed over. */
const maxWordSeconds = (text: string): number => 0.4 + 0.12 * text.length
/**
 * Words that are said in one place are drawn apart where speech behind or before them was passed
 * over: a few of them, each with a voice beside it, over a stretch that would hold many more.
 */
const minStraySeconds = 0.5
const maxStrayWords = 3
/**
 * Fast speech whose words were left out has a sure voice between two words, where a pause or a
 * breath has none: 3 of 750 words stand before so much of it, two of them where words had been left
 * out. The phrase is heard again, from one pause to the next.
 */
const leap = { minSeconds: 0.25, minVoice: 0.9 }
/** The share of a phrase's words that the second recognition must have too. */
const minRetold = 0.75

interface Gap extends Seconds {
  /** The number of the word that ends it. */
  before: number
  /** Seconds of voice in the gap. */
  voiced: number
}

/** The stretches of a window that have a voice and no word, or too few. */
export function findMissed(vad: Float32Array, hearing: Hearing): Seconds[] {
  const needed = hearing.words.length === 0 ? minWordlessSeconds : minMissedSeconds
  const gaps = voicedGaps(vad, hearing)
  const sparse = sparseStretches(gaps, hearing)
  const alone = gaps.filter(
    (gap) =>
      gap.voiced >= needed &&
      !sparse.some(({ start, end }) => gap.start >= start && gap.end <= end),
  )
  const missed = [...alone, ...sparse].map(({ start, end }) => ({ start, end }))
  const isNew = (stretch: Seconds): boolean =>
    !missed.some(({ start, end }) => stretch.start < end && stretch.end > start)
  const others = [...islandsOf(vad, hearing), ...findLeaps(vad, hearing)].filter(isNew)
  return [...missed, ...others].sort((a, b) => a.start - b.start)
}

/** The phrases within which a sure voice lies between two words. */
function findLeaps(vad: Float32Array, { window, words }: Hearing): Seconds[] {
  const leaps = words.slice(1).flatMap(({ start }, at) => {
    const gap = { start: window.start + words[at]!.end, end: window.start + start }
    const isSure = voiceOf(vad, gap).every((voice) => voice >= leap.minVoice)
    const isLeap = isSure && gap.end - gap.start >= leap.minSeconds
    return isLeap ? [gap] : []
  })
  return phrasesAround(vad, window, leaps)
}

/** Too short to hear a language of its own in it. */
export function isShort({ start, end }: Seconds): boolean {
  return end - start < minMissedSeconds
}

/** With room around them as far as the next words. */
function islandsOf(vad: Float32Array, { window, words }: Hearing): Seconds[] {
  if (words.length === 0) return []
  const said = words.map((_, at) => {
    const { start, end } = shorten(words, at)
    return { start: window.start + start, end: window.start + end }
  })
  return speechSpans(vad, { threshold: 0.5, minSilenceMs: island.minPauseMs, padMs: 0 })
    .filter(
      (span) =>
        span.start >= window.start &&
        span.end <= window.end &&
        span.end - span.start >= island.minSeconds &&
        voiceIn(vad, span).mean >= island.minVoice,
    )
    .flatMap((span) => {
      const before = said.filter(({ start }) => start < span.start).map(({ end }) => end)
      const after = said.filter(({ end }) => end > span.end).map(({ start }) => start)
      const start = Math.max(window.start, span.start - island.padSeconds, ...before)
      const end = Math.min(window.end, span.end + island.padSeconds, ...after)
      const isFree = start < span.start && end > span.end
      const isTouched = said.some((word) => word.start < span.end && word.end > span.start)
      return isFree && !isTouched ? [{ start, end }] : []
    })
}

function voicedGaps(vad: Float32Array, hearing: Hearing): Gap[] {
  const voiced = speechSpans(vad, { threshold: 0.5, minSilenceMs: 400, padMs: 0 })
  return gapsBetween(hearing).flatMap(({ start, end, before }) => {
    const inside = voiced
      .map((span) => ({ start: Math.max(span.start, start), end: Math.min(span.end, end) }))
      .filter((span) => span.end - span.start > nearSeconds)
    const first = inside[0]
    const last = inside.at(-1)
    if (!first || !last) return []
    // Only over the voiced parts: the pauses of slow speech are no reason to pass over it.
    const length = inside.reduce((sum, span) => sum + span.end - span.start, 0)
    const voice = inside.reduce(
      (sum, span) => sum + voiceIn(vad, span).mean * (span.end - span.start),
      0,
    )
    if (voice < minVoice * length) return []
    return [
      {
        start: Math.max(start, first.start - padSeconds),
        end: Math.min(end, last.end + padSeconds),
        before,
        voiced: length,
      },
    ]
  })
}

/** Gaps with single words between them, together with the words; to the end where few are left. */
function sparseStretches(gaps: readonly Gap[], { window, words }: Hearing): Seconds[] {
  const runs: Gap[][] = []
  for (const gap of gaps.filter(({ voiced }) => voiced >= minStraySeconds)) {
    const run = runs.at(-1)
    if (run && gap.before - run.at(-1)!.before <= 2) run.push(gap)
    else runs.push([gap])
  }
  return runs.flatMap((run) => {
    const [first, last] = [run[0]!, run.at(-1)!]
    const voiced = run.reduce((sum, gap) => sum + gap.voiced, 0)
    if (run.length < 2 || voiced < minWordlessSeconds) return []
    const isAtStart = first.before <= maxStrayWords
    const isAtEnd = words.length - last.before <= maxStrayWords
    return [{ start: isAtStart ? window.start : first.start, end: isAtEnd ? window.end : last.end }]
  })
}

/**
 * Words of the first hearing, beside second ones. Words that a second one wrote in their place
 * go; others that were drawn into its stretch are put back to the words that they were said with.
 */
export function makeRoom<Word extends RecognisedWord>(
  first: { window: Seconds; words: readonly Word[] },
  second: readonly Hearing[],
): Word[] {
  let words = first.words.map((word, at) => ({ ...word, ...shorten(first.words, at) }))
  for (const { window, words: others } of second) {
    const start = window.start - first.window.start
    const end = window.end - first.window.start
    const isInside = (word: Seconds): boolean => isWithin({ start, end }, word)
    const inside = words.filter(isInside)
    const isAtStart = inside[0] === words[0]
    words = retells(others, inside)
      ? words.filter((word) => !isInside(word))
      : words.map((word) => (isInside(word) ? moveTo(word, isAtStart ? end : start) : word))
  }
  return words
}

/** A word of no length there; what it lacks is given when all are placed. */
function moveTo<Word extends Seconds>(word: Word, at: number): Word {
  return { ...word, start: at, end: at }
}

/** Whether nearly all of these words are among those, in the same order. */
function retells(those: readonly { text: string }[], these: readonly { text: string }[]): boolean {
  return commonWords(these, those).length >= minRetold * these.length
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
 * A stretch that the first hearing had reason to pass over needs more evidence. `first` holds its
 * words, on the file's clock.
 */
export function isSecondBelievable(
  second: SecondHearing,
  fileLanguage: string | null,
  first: readonly RecognisedWord[],
): boolean {
  const own = second.languages.find(({ language }) => language === second.language)
  const isKnown = second.language === fileLanguage || (own?.probability ?? 0) >= 0.6
  if (!isKnown || second.looped || second.noSpeech > 0.5) return false
  // Alone, even "one" scores lower: it may be written as a figure. Sounds that are no word stay
  // below.
  if (second.meanLogProbability < (isShort(second.window) ? -1 : -0.8)) return false
  // Of a phrase that was heard, the second hearing has to know what the first one knew, and more,
  // and be no less sure of it.
  const known = first.filter((word) => isWithin(second.window, word))
  const isPhrase = known.length >= second.window.end - second.window.start
  const isMore =
    second.words.length > known.length &&
    retells(second.words, known) &&
    meanSureness(second.words) >= meanSureness(known)
  if (isPhrase && known.length > 0 && !isMore) return false
  // Words that were only timed wrongly are there already, close by. Further away the same words
  // may well be said again.
  const nearby = first.filter(
    ({ start, end }) =>
      end > second.window.start - misplacedSeconds && start < second.window.end + misplacedSeconds,
  )
  return !holdsPhrase(bareText(nearby), bareText(second.words), second.language)
}

function meanSureness(words: readonly RecognisedWord[]): number {
  const sum = words.reduce((total, { confidence }) => total + Math.log(confidence), 0)
  return sum / words.length
}

/** By whole words: "No." is new beside "know". A script without spaces has no borders. */
function holdsPhrase(text: string, phrase: string, language: string): boolean {
  if (isUnspaced(language)) return text.replaceAll(' ', '').includes(phrase.replaceAll(' ', ''))
  return phrase === '' || ` ${text} `.includes(` ${phrase} `)
}

/** As far as the alignment was ever seen to put a word beside its place. */
const misplacedSeconds = 3

/** Returns the gaps before, between and after the words, on the file's clock. */
function gapsBetween({ window, words }: Hearing): (Seconds & { before: number })[] {
  const gaps: (Seconds & { before: number })[] = []
  let from = window.start
  for (const before of words.keys()) {
    const word = shorten(words, before)
    gaps.push({ start: from, end: window.start + word.start - nearSeconds, before })
    from = Math.max(from, window.start + word.end + nearSeconds)
  }
  gaps.push({ start: from, end: window.end, before: words.length })
  return gaps.filter(({ start, end }) => end - start >= minStraySeconds)
}

/** One that is longer than any word can be is put beside the nearer one of its neighbours. */
function shorten(words: readonly RecognisedWord[], at: number): Seconds {
  const { text, start, end } = words[at]!
  const longest = maxWordSeconds(text)
  if (end - start <= longest) return { start, end }
  const before = start - (words[at - 1]?.end ?? -Infinity)
  const after = (words[at + 1]?.start ?? Infinity) - end
  return after < before ? { start: end - longest, end } : { start, end: start + longest }
}
