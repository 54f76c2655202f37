/**
 * Changes of words as corrections. A new text of a sentence becomes one correction for each run of
 * words that differs, so that those that stay keep their own times.
 */
import type { Corrections } from '../../../../domain/findings/corrections.ts'
import type { FindingsOf, Word } from '../../../../domain/findings/findings.ts'
import { joinerOf, layWords } from '../../../../domain/findings/replace-words.ts'
import type { WordRange } from '../../../../domain/findings/replace-words.ts'

type Transcript = FindingsOf<'transcription'>
type WordCorrection = Corrections['words'][number]

/** Found words and the words that stand for them now. */
export interface WordGroup extends WordRange {
  /** The words as they were found. */
  detected: string
  start: number
  end: number
  /** Indexes of the corrections that made it; none: as found. */
  corrections: readonly number[]
  /** The first of its words in the corrected transcript, and how many there are. */
  firstShown: number
  shown: number
}

/** All found words in order, those that one correction covers together. */
export function groupWords(detected: Transcript, corrections: Corrections['words']): WordGroup[] {
  const { slots, ranges } = layWords(detected, corrections)
  const joiner = joinerOf(detected)
  const spans = ranges
    .flatMap((range, index) => (range ? [{ ...range, index }] : []))
    .toSorted((a, b) => a.first - b.first)
  const groups: WordGroup[] = []
  let firstShown = 0
  for (let first = 0, at = 0; first < slots.length; first = groups.at(-1)!.last + 1) {
    let last = first
    const indexes: number[] = []
    for (; spans[at] && spans[at]!.first <= last; at++) {
      last = Math.max(last, spans[at]!.last)
      indexes.push(spans[at]!.index)
    }
    const words = detected.words.slice(first, last + 1)
    const shown = slots.slice(first, last + 1).flat().length
    groups.push({
      first,
      last,
      detected: textOf(words, joiner),
      start: words[0]!.start,
      end: endOf(words),
      corrections: indexes,
      firstShown,
      shown,
    })
    firstShown += shown
  }
  return groups
}

/** The groups that a run of shown words touches; with those struck out at its ends, if wanted. */
export function groupsBetween(
  groups: readonly WordGroup[],
  shown: { first: number; last: number },
  ends: 'words' | 'and struck' = 'words',
): WordGroup[] {
  const holds = (group: WordGroup, index: number): boolean =>
    group.firstShown <= index && index < group.firstShown + group.shown
  let from = groups.findIndex((group) => holds(group, shown.first))
  let to = groups.findLastIndex((group) => holds(group, shown.last))
  if (from < 0) return []
  if (ends === 'and struck') {
    while (groups[from - 1]?.shown === 0) from--
    while (groups[to + 1]?.shown === 0) to++
  }
  return groups.slice(from, to + 1)
}

/** Gives these groups a new text; their earlier corrections end. */
export function editWords(
  corrections: Corrections,
  detected: Transcript,
  groups: readonly WordGroup[],
  text: string,
): Corrections {
  const kept = revertWords(corrections, groups)
  const [from, to] = [groups[0], groups.at(-1)]
  if (!from || !to) return corrections
  const words = detected.words.slice(from.first, to.last + 1)
  const changes = differences(words, text, joinerOf(detected))
  const all = [...kept.words, ...changes].toSorted((a, b) => a.start - b.start)
  return { ...corrections, words: all }
}

/** Back to the words as they were found. */
export function revertWords(corrections: Corrections, groups: readonly WordGroup[]): Corrections {
  const gone = new Set(groups.flatMap((group) => group.corrections))
  return { ...corrections, words: corrections.words.filter((_, index) => !gone.has(index)) }
}

export interface Place {
  groups: WordGroup[]
  /** The words as they stand now, and as they would. */
  before: string
  after: string
}

/** Where a phrase is said, in whole words, whatever their case and punctuation. */
export function placesOf(
  shown: Pick<Transcript, 'text' | 'words'>,
  groups: readonly WordGroup[],
  { find, replace }: { find: string; replace: string },
): Place[] {
  const wanted = find.split(/\s+/).map(core).filter(Boolean)
  const said = shown.words.map((word) => core(word.text))
  const places: Place[] = []
  if (wanted.length === 0) return places
  for (let first = 0; first + wanted.length <= said.length; first++) {
    const isHere = wanted.every((word, at) => said[first + at] === word)
    if (!isHere) continue
    const last = first + wanted.length - 1
    const touched = groupsBetween(groups, { first, last })
    const [from, to] = [touched[0], touched.at(-1)]
    if (!from || !to) continue
    const joiner = joinerOf(shown)
    const part = (start: number, end: number) => shown.words.slice(start, end)
    const [head, tail] = [part(from.firstShown, first), part(last + 1, to.firstShown + to.shown)]
    const hit = part(first, last + 1)
    places.push({
      groups: touched,
      before: textOf(hit, joiner),
      after: [
        ...head.map((word) => word.text),
        keepPunctuation(hit, replace),
        ...tail.map((word) => word.text),
      ]
        .filter(Boolean)
        .join(joiner),
    })
    first = last
  }
  return places
}

export function replacePlaces(
  corrections: Corrections,
  detected: Transcript,
  places: readonly Place[],
): Corrections {
  const gone = new Set(places.flatMap(({ groups }) => groups.flatMap((item) => item.corrections)))
  const kept = corrections.words.filter((_, index) => !gone.has(index))
  const joiner = joinerOf(detected)
  const changes = places.flatMap(({ groups, after }) => {
    const words = detected.words.slice(groups[0]?.first, (groups.at(-1)?.last ?? -1) + 1)
    return differences(words, after, joiner)
  })
  const words = [...kept, ...changes].toSorted((a, b) => a.start - b.start)
  return { ...corrections, words }
}

function differences(words: readonly Word[], text: string, joiner: string): WordCorrection[] {
  const detected = words.map((word) => word.text)
  const wanted = joiner ? text.split(/\s+/).filter(Boolean) : cutLike(detected, text.trim())
  return hunksOf(detected, wanted).map((hunk): WordCorrection => {
    const run = words.slice(hunk.from, hunk.to)
    return {
      start: run[0]!.start,
      end: endOf(run),
      from: textOf(run, joiner),
      to: hunk.words.length > 0 ? hunk.words.join(joiner) : null,
    }
  })
}

/** A text without spaces in pieces: the found words at both ends, and what is new between them. */
function cutLike(detected: readonly string[], text: string): string[] {
  let rest = text
  const head: string[] = []
  const tail: string[] = []
  for (const word of detected) {
    if (!rest.startsWith(word)) break
    head.push(word)
    rest = rest.slice(word.length)
  }
  for (const word of detected.slice(head.length).toReversed()) {
    if (!rest.endsWith(word)) break
    tail.unshift(word)
    rest = rest.slice(0, -word.length)
  }
  return [...head, ...(rest ? [rest] : []), ...tail]
}

interface Hunk {
  /** Found words from…to (exclusive), at least one. */
  from: number
  to: number
  /** The words that take their place. */
  words: string[]
}

/** The runs of words that differ. New words between two that stay go with one of them. */
function hunksOf(detected: readonly string[], wanted: readonly string[]): Hunk[] {
  const pairs = commonWords(detected, wanted)
  const hunks: Hunk[] = []
  let [from, at] = [0, 0]
  for (const [nextFrom, nextAt] of [...pairs, [detected.length, wanted.length] as const]) {
    if (nextFrom > from) hunks.push({ from, to: nextFrom, words: wanted.slice(at, nextAt) })
    else if (nextAt > at) {
      // Nothing was found here: the word before takes them in, or the first one.
      const host = from > 0 ? from - 1 : 0
      const last = hunks.at(-1)
      const added = wanted.slice(at, nextAt)
      if (last && last.to > host) last.words.push(...added)
      else if (from > 0) hunks.push({ from: host, to: from, words: [detected[host]!, ...added] })
      else hunks.push({ from: 0, to: 1, words: [...added, detected[0]!] })
    }
    from = nextFrom + 1
    at = nextAt + 1
  }
  return hunks
}

/** The longest run of pairs that are alike in both lists. */
function commonWords(detected: readonly string[], wanted: readonly string[]): [number, number][] {
  let head = 0
  while (head < detected.length && head < wanted.length && detected[head] === wanted[head]) head++
  let tail = 0
  const room = Math.min(detected.length, wanted.length) - head
  while (tail < room && detected.at(-1 - tail) === wanted.at(-1 - tail)) tail++
  const [rows, columns] = [detected.length - head - tail, wanted.length - head - tail]
  const pairs: [number, number][] = Array.from({ length: head }, (_, at) => [at, at])
  if (rows * columns <= 4_000_000) {
    const lengths = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1))
    for (let row = rows - 1; row >= 0; row--) {
      for (let column = columns - 1; column >= 0; column--) {
        lengths[row]![column] =
          detected[head + row] === wanted[head + column]
            ? lengths[row + 1]![column + 1]! + 1
            : Math.max(lengths[row + 1]![column]!, lengths[row]![column + 1]!)
      }
    }
    for (let row = 0, column = 0; row < rows && column < columns;) {
      if (detected[head + row] === wanted[head + column]) {
        pairs.push([head + row++, head + column++])
      } else if (lengths[row + 1]![column]! >= lengths[row]![column + 1]!) row++
      else column++
    }
  }
  for (let at = tail; at > 0; at--) pairs.push([detected.length - at, wanted.length - at])
  return pairs
}

function core(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
}

/** “Hamburg,” becomes “Homburg,”. */
function keepPunctuation(words: readonly Word[], replacement: string): string {
  const [head] = /^[^\p{L}\p{N}]*/u.exec(words[0]?.text ?? '') ?? ['']
  const [tail] = /[^\p{L}\p{N}]*$/u.exec(words.at(-1)?.text ?? '') ?? ['']
  const text = replacement.trim()
  return text ? head + text + tail : ''
}

function textOf(words: readonly Word[], joiner: string): string {
  return words.map((word) => word.text).join(joiner)
}

/** A word may end where it starts; a correction may not. */
function endOf(words: readonly Word[]): number {
  return Math.max(words.at(-1)!.end, words[0]!.start + 0.001)
}
