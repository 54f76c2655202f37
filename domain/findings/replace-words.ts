/** Replaces the words of a transcript. New words share the time of those that they replace. */
import type { Corrections, Unmatched } from './corrections.ts'
import type { FindingsOf, Word } from './findings.ts'
import { formatRational, parseRational, rational, toNumber } from '../time/rational.ts'
import type { Span } from './findings.ts'

type Transcript = FindingsOf<'transcription'>
type Passage = Transcript['sentences'][number]

/** How far words may have moved between two runs, in seconds. */
const reachSeconds = 1

export function replaceWords(
  transcript: Transcript,
  corrections: Corrections['words'],
  unmatched: Unmatched[],
): Transcript {
  if (corrections.length === 0) return transcript
  const joiner = joinerOf(transcript)
  const { slots, ranges } = layWords(transcript, corrections)
  for (const [index, { start, from }] of corrections.entries()) {
    if (!ranges[index]) unmatched.push({ kind: 'word', seconds: start, text: from })
  }
  const firstOf: number[] = [0]
  for (const slot of slots) firstOf.push(firstOf.at(-1)! + slot.length)
  const words = slots.flat()
  const moved = (passages: Passage[]): Passage[] =>
    passages.flatMap((passage) => {
      const first = firstOf[passage.first_word]!
      const last = firstOf[passage.last_word + 1]! - 1
      const [from, to] = [words[first], words[last]]
      if (last < first || !from || !to) return []
      const text = textOf(words.slice(first, last + 1), joiner)
      return [{ ...spanFromTo(from, to), text, first_word: first, last_word: last }]
    })
  return {
    ...transcript,
    text: textOf(words, joiner),
    words,
    sentences: moved(transcript.sentences),
    paragraphs: moved(transcript.paragraphs),
  }
}

function textOf(words: readonly Word[], joiner: string): string {
  return words.map((word) => word.text).join(joiner)
}

/** A run of found words. */
export interface WordRange {
  first: number
  /** Inclusive. */
  last: number
}

/** Each slot holds the words that now stand in place of one; a range belongs to a correction. */
export function layWords(
  transcript: Transcript,
  corrections: Corrections['words'],
): { slots: Word[][]; ranges: (WordRange | null)[] } {
  const joiner = joinerOf(transcript)
  const slots: Word[][] = transcript.words.map((word) => [word])
  const ranges = corrections.map((correction) => {
    const range = findRange(transcript.words, slots, correction, joiner)
    if (range) place(slots, range, correction.to)
    return range
  })
  return { slots, ranges }
}

/** Languages without spaces keep theirs out, also where a foreign name in them has some. */
export function joinerOf({ text, words }: Pick<Transcript, 'text' | 'words'>): '' | ' ' {
  const spaces = text.split(' ').length - 1
  return words.length > 1 && spaces * 2 < words.length - 1 ? '' : ' '
}

/**
 * Looks where the words stood, then close by: a later run may have moved them a little. A second
 * correction of the same place finds what the first one wrote.
 */
function findRange(
  words: readonly Word[],
  slots: readonly Word[][],
  { start, end, from }: Corrections['words'][number],
  joiner: string,
): WordRange | null {
  const wanted = plain(from)
  const textAt = ({ first, last }: WordRange): string =>
    plain(textOf(slots.slice(first, last + 1).flat(), joiner))
  const inside = (word: Word): boolean => {
    const middle = (word.start + word.end) / 2
    return middle >= start && middle < end
  }
  const first = words.findIndex(inside)
  if (first >= 0) {
    const exact = { first, last: words.findLastIndex(inside) }
    if (textAt(exact) === wanted) return exact
  }
  let best: WordRange | null = null
  let gap = reachSeconds
  for (const [index, word] of words.entries()) {
    const distance = Math.abs(word.start - start)
    if (distance >= gap) continue
    const range = runFrom(index, slots, wanted, joiner)
    if (range) [best, gap] = [range, distance]
  }
  return best
}

function runFrom(
  first: number,
  slots: readonly Word[][],
  wanted: string,
  joiner: string,
): WordRange | null {
  let text = ''
  for (let last = first; last < slots.length && text.length < wanted.length; last++) {
    text = plain(textOf(slots.slice(first, last + 1).flat(), joiner))
    if (text === wanted) return { first, last }
  }
  return null
}

/** The same words in another case or punctuation are the same words. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function place(slots: Word[][], { first, last }: WordRange, to: string | null): void {
  const old = slots.slice(first, last + 1).flat()
  const texts = to?.trim() ? to.trim().split(/\s+/) : []
  for (let index = first; index <= last; index++) slots[index] = []
  if (texts.length === old.length && old.length === last - first + 1) {
    for (const [index, word] of old.entries()) {
      slots[first + index] = [{ ...word, text: texts[index]!, confidence: 1 }]
    }
  } else if (old.length > 0) slots[first] = share(old, texts)
}

/** Gives each new word a part of the time by its length, to the frame. */
function share(old: readonly Word[], texts: readonly string[]): Word[] {
  const [from, to] = [old[0]!, old.at(-1)!]
  const start = parseRational(from.start_time)!
  const end = parseRational(to.end_time)!
  const letters = texts.reduce((sum, text) => sum + text.length, 0)
  const timeAt = (count: number) => {
    const num = start.num * end.den * BigInt(letters - count) + end.num * start.den * BigInt(count)
    return rational(num, start.den * end.den * BigInt(letters))
  }
  const frameAt = (count: number): number =>
    from.start_frame + Math.floor(((to.end_frame - from.start_frame) * count) / letters)
  let count = 0
  return texts.map((text) => {
    const [first, last] = [count, count + text.length]
    count = last
    return {
      ...from,
      text,
      confidence: 1,
      start_frame: frameAt(first),
      end_frame: Math.max(frameAt(last), frameAt(first) + 1),
      start_time: formatRational(timeAt(first)),
      end_time: formatRational(timeAt(last)),
      start: toNumber(timeAt(first)),
      end: toNumber(timeAt(last)),
    }
  })
}

/** From the start of the first to the end of the last. */
export function spanFromTo(first: Span, last: Span): Span {
  const { start_frame, start_time, start } = first
  const { end_frame, end_time, end } = last
  return { start_frame, start_time, start, end_frame, end_time, end }
}
