/** Where each word stands in the text of its paragraph. */
import type { FindingsOf, Word } from '../../../../domain/findings/findings.ts'
import { joinerOf } from '../../../../domain/findings/replace-words.ts'
import type { WordGroup } from '../corrections/edit-words.ts'
import { isSureSpeaker } from '../../../../domain/findings/speakers.ts'

export interface PlacedWord {
  /** Its place among all words. */
  index: number
  text: string
  from: number
  to: number
  startFrame: number
  endFrame: number
  confidence: number
  /** The words as they were found, where a person put these in their place. */
  detected: string | null
}

/** Words that a person marked as not spoken. */
export interface StruckWords {
  from: number
  to: number
}

export interface LaidOut {
  index: number
  text: string
  /** Between two words; nothing in languages that write without spaces. */
  joiner: '' | ' '
  startFrame: number
  endFrame: number
  words: PlacedWord[]
  struck: StruckWords[]
  /** Whether it begins with a paragraph, not with another speaker in the middle of one. */
  isParagraph: boolean
  /** Who is seen or heard to say it, and whether that is sure. */
  speaker: string | null
  isSure: boolean
}

const pauseSeconds = 1

export function layOut(
  transcript: FindingsOf<'transcription'>,
  groups: readonly WordGroup[] = [],
): LaidOut[] {
  const corrections = correctionsIn(transcript.words, groups)
  const joiner = joinerOf(transcript)
  return transcript.paragraphs
    .flatMap(({ first_word: first, last_word: last }) => {
      const words = transcript.words.slice(first, last + 1)
      return turnsOf(words.map((word, at) => ({ ...word, index: first + at }))).map((turn, at) => ({
        turn,
        isParagraph: at === 0,
      }))
    })
    .map(({ turn, isParagraph }, index) => ({
      index,
      isParagraph,
      ...placeWords(turn, corrections, joiner),
    }))
}

type Spoken = Word & { index: number }

interface CorrectionsIn {
  detected: ReadonlyMap<number, string>
  before: ReadonlyMap<number, string[]>
  after: ReadonlyMap<number, string[]>
}

/** By word: what was found in its place, and the words struck out beside it. */
function correctionsIn(words: readonly Word[], groups: readonly WordGroup[]): CorrectionsIn {
  const detected = new Map<number, string>()
  const before = new Map<number, string[]>()
  const after = new Map<number, string[]>()
  for (const group of groups) {
    if (group.corrections.length === 0) continue
    const { firstShown: first, shown } = group
    for (let at = first; at < first + shown; at++) detected.set(at, group.detected)
    if (shown > 0) continue
    // They stand with the nearer neighbour, whose paragraph they were part of most likely.
    const toPrevious = group.start - (words[first - 1]?.end ?? -Infinity)
    const toNext = (words[first]?.start ?? Infinity) - group.end
    const [side, at] = toNext <= toPrevious ? [before, first] : [after, first - 1]
    side.set(at, [...(side.get(at) ?? []), group.detected])
  }
  return { detected, before, after }
}

/** A paragraph in parts, one for each who is seen to speak; a voice without a face goes on. */
function turnsOf(spoken: readonly Spoken[]): Spoken[][] {
  const turns: Spoken[][] = []
  let speaker: string | null = null
  for (const word of spoken) {
    const isOther = speaker !== null && word.speaker !== null && word.speaker !== speaker
    const turn = isOther ? undefined : turns.at(-1)
    if (turn) turn.push(word)
    else turns.push([word])
    speaker = word.speaker ?? speaker
  }
  return turns
}

function placeWords(
  spoken: readonly Spoken[],
  { detected, before, after }: CorrectionsIn,
  joiner: LaidOut['joiner'],
): Omit<LaidOut, 'index' | 'isParagraph'> {
  const words: PlacedWord[] = []
  const struck: StruckWords[] = []
  let text = ''
  const strike = (gone: readonly string[] = []): void => {
    for (const part of gone) {
      if (text) text += joiner
      struck.push({ from: text.length, to: text.length + part.length })
      text += part
    }
  }
  let endedAt: number | null = null
  for (const word of spoken) {
    strike(before.get(word.index))
    const gap = endedAt === null ? 0 : word.start - endedAt
    const isPause = gap >= pauseSeconds
    if (text) text += isPause ? ' ' : joiner
    if (isPause) text += `[pause ${gap.toFixed(1)} s] `
    const from = text.length
    text += word.text
    words.push({
      index: word.index,
      text: word.text,
      from,
      to: text.length,
      startFrame: word.start_frame,
      endFrame: Math.max(word.end_frame, word.start_frame + 1),
      confidence: word.confidence,
      detected: detected.get(word.index) ?? null,
    })
    strike(after.get(word.index))
    endedAt = word.end
  }
  const startFrame = words[0]?.startFrame ?? 0
  const endFrame = words.at(-1)?.endFrame ?? startFrame + 1
  const said = spoken.find((word) => word.speaker !== null)
  const speaker = said?.speaker ?? null
  const isSure = isSureSpeaker(said?.speaker_confidence)
  return { text, joiner, words, struck, speaker, isSure, startFrame, endFrame }
}

/** The word at a place of the text, or the nearest one before it. */
export function wordAt(paragraph: LaidOut, offset: number): PlacedWord | null {
  return paragraph.words.findLast((word) => word.from <= offset) ?? paragraph.words[0] ?? null
}

export interface Hit {
  /** Which paragraph it is in, and where in its text. */
  index: number
  from: number
  to: number
  startFrame: number
}

/**
 * Where something is said: any passage of words, whatever the case, the punctuation and the pauses
 * between them.
 */
export function findSaid(paragraphs: readonly LaidOut[], query: string): Hit[] {
  const typed = asHeard(query).trim()
  if (!typed) return []
  return paragraphs.flatMap((paragraph) => {
    const wanted = typed.replace(/\s+/g, paragraph.joiner)
    const { letters, places } = heardIn(paragraph)
    const hits: Hit[] = []
    for (let at = letters.indexOf(wanted); at >= 0; at = letters.indexOf(wanted, at + 1)) {
      const from = places[at] ?? 0
      const to = (places[at + wanted.length - 1] ?? from) + 1
      const word = wordAt(paragraph, from)
      if (word) hits.push({ index: paragraph.index, from, to, startFrame: word.startFrame })
    }
    return hits
  })
}

/** The words of a paragraph as they are compared, and where each letter stands in its text. */
function heardIn({ text, words, joiner }: LaidOut): { letters: string; places: number[] } {
  let letters = ''
  const places: number[] = []
  for (const { from, to } of words) {
    if (letters && joiner) {
      letters += joiner
      places.push(from - 1)
    }
    for (let at = from; at < to; at += 1) {
      const heard = asHeard(text.charAt(at))
      letters += heard
      for (let part = 0; part < heard.length; part += 1) places.push(at)
    }
  }
  return { letters, places }
}

/** In small letters, without punctuation. */
function asHeard(text: string): string {
  return text.replace(/[\p{P}\p{S}]/gu, '').toLowerCase()
}

/** The passage from the first word that ends after a place to the last before another. */
export function passageOf(
  first: { paragraph: LaidOut; offset: number },
  last: { paragraph: LaidOut; offset: number },
): { startFrame: number; endFrame: number } | null {
  const start = first.paragraph.words.find((word) => word.to > first.offset)
  const end = last.paragraph.words.findLast((word) => word.from < last.offset)
  if (!start || !end || end.endFrame <= start.startFrame) return null
  return { startFrame: start.startFrame, endFrame: end.endFrame }
}

export interface TextPart {
  from: number
  text: string
  look: 'plain' | 'unsure' | 'corrected' | 'struck'
  /** The words as they were found, where these were corrected. */
  detected: string | null
}

const unsureBelow = 0.5

/** The text of a paragraph, cut where words begin and end that look different from the others. */
export function partsOf({ text, words, struck }: LaidOut): TextPart[] {
  const marked = [
    ...words
      .filter((word) => word.detected !== null || word.confidence < unsureBelow)
      .map(({ from, to, detected }) => ({
        from,
        to,
        detected,
        look: detected === null ? ('unsure' as const) : ('corrected' as const),
      })),
    ...struck.map((part) => ({ ...part, detected: null, look: 'struck' as const })),
  ].toSorted((a, b) => a.from - b.from)
  const parts: TextPart[] = []
  let end = 0
  const upTo = (to: number, look: TextPart['look'], detected: string | null): void => {
    if (to > end) parts.push({ from: end, text: text.slice(end, to), look, detected })
    end = to
  }
  for (const { from, to, look, detected } of marked) {
    upTo(from, 'plain', null)
    upTo(to, look, detected)
  }
  upTo(text.length, 'plain', null)
  return parts
}
