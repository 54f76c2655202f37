/** Where each word stands in the text of its paragraph. */
import type { FindingsOf, Word } from '../../../../contract/findings.ts'

export interface PlacedWord {
  text: string
  from: number
  to: number
  startFrame: number
  endFrame: number
  confidence: number
}

export interface LaidOut {
  index: number
  text: string
  startFrame: number
  endFrame: number
  words: PlacedWord[]
  /** The face that is seen to say it. */
  speaker: string | null
}

const pauseSeconds = 1

export function layOut(transcript: FindingsOf<'transcription'>): LaidOut[] {
  return transcript.paragraphs
    .flatMap((paragraph) =>
      turnsOf(transcript.words.slice(paragraph.first_word, paragraph.last_word + 1)),
    )
    .map((spoken, index) => ({ index, ...placeWords(spoken) }))
}

/** A paragraph in parts, one for each who is seen to speak; a voice without a face goes on. */
function turnsOf(spoken: readonly Word[]): Word[][] {
  const turns: Word[][] = []
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

function placeWords(spoken: readonly Word[]): Omit<LaidOut, 'index'> {
  const words: PlacedWord[] = []
  let text = ''
  let endedAt: number | null = null
  for (const word of spoken) {
    if (text) text += ' '
    const gap = endedAt === null ? 0 : word.start - endedAt
    if (gap >= pauseSeconds) text += `[pause ${gap.toFixed(1)} s] `
    const from = text.length
    text += word.text
    words.push({
      text: word.text,
      from,
      to: text.length,
      startFrame: word.start_frame,
      endFrame: Math.max(word.end_frame, word.start_frame + 1),
      confidence: word.confidence,
    })
    endedAt = word.end
  }
  const startFrame = words[0]?.startFrame ?? 0
  const endFrame = words.at(-1)?.endFrame ?? startFrame + 1
  const speaker = spoken.find((word) => word.speaker !== null)?.speaker ?? null
  return { text, words, speaker, startFrame, endFrame }
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
  const wanted = asHeard(query).trim().replace(/\s+/g, ' ')
  if (!wanted) return []
  return paragraphs.flatMap((paragraph) => {
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
function heardIn({ text, words }: LaidOut): { letters: string; places: number[] } {
  let letters = ''
  const places: number[] = []
  for (const { from, to } of words) {
    if (letters) {
      letters += ' '
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

/** The passage from the first word that ends after a place to the last that begins before another. */
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
  isUnsure: boolean
}

const unsureBelow = 0.5

/** The text of a paragraph, cut where words begin and end that may have been misheard. */
export function partsOf({ text, words }: LaidOut): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  const upTo = (to: number, isUnsure: boolean): void => {
    if (to > end) parts.push({ from: end, text: text.slice(end, to), isUnsure })
    end = to
  }
  for (const word of words) {
    if (word.confidence >= unsureBelow) continue
    upTo(word.from, false)
    upTo(word.to, true)
  }
  upTo(text.length, false)
  return parts
}
