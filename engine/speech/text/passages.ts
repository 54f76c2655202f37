/** Words become sentences and paragraphs, for reading and for captions. */
import { joinWords } from './join-words.ts'

export interface TimedWord {
  text: string
  start: number
  end: number
}

/** Indexes of words, the last one included. */
export interface Passage {
  first: number
  last: number
}

const ends = /[.?!…。？！][)"'”’»\]]*$/u
const abbreviation = /^(?:mr|mrs|ms|dr|prof|st|vs|etc|jr|sr|no|fig|\p{L}|e\.g|i\.e|a\.m|p\.m)\.$/iu
/** Without punctuation a long pause ends a sentence; no sentence grows beyond the limit. */
const breakSeconds = 1.6
const maxSentenceWords = 60
const paragraphPauseSeconds = 2
/** A paragraph that is already long ends at the next breath. */
const longParagraphWords = 90
const breathSeconds = 0.6
const maxParagraphWords = 220

export function splitSentences(words: readonly TimedWord[]): Passage[] {
  const passages: Passage[] = []
  let first = 0
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!
    const next = words[index + 1]
    const pause = next ? next.start - word.end : Infinity
    const isEnd = ends.test(word.text) && !(abbreviation.test(word.text) && pause < breathSeconds)
    if (isEnd || pause >= breakSeconds || index - first + 1 >= maxSentenceWords) {
      passages.push({ first, last: index })
      first = index + 1
    }
  }
  return passages
}

export function groupParagraphs(
  words: readonly TimedWord[],
  sentences: readonly Passage[],
): Passage[] {
  const paragraphs: Passage[] = []
  for (const sentence of sentences) {
    const current = paragraphs.at(-1)
    if (!current) {
      paragraphs.push({ ...sentence })
      continue
    }
    const pause = words[sentence.first]!.start - words[current.last]!.end
    const length = current.last - current.first + 1
    const isBreak =
      pause >= paragraphPauseSeconds ||
      (length >= longParagraphWords && pause >= breathSeconds) ||
      length >= maxParagraphWords
    if (isBreak) paragraphs.push({ ...sentence })
    else current.last = sentence.last
  }
  return paragraphs
}

export function passageText(
  words: readonly TimedWord[],
  passage: Passage,
  language: string,
): string {
  return joinWords(
    words.slice(passage.first, passage.last + 1).map((word) => word.text),
    language,
  )
}
