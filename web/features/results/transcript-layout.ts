/** Where each word stands in the text of its paragraph. */
import type { FindingsOf } from '../../../contract/findings.ts'

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
}

const pauseSeconds = 1

export function layOut(transcript: FindingsOf<'transcription'>): LaidOut[] {
  return transcript.paragraphs.map((paragraph, index) => {
    const spoken = transcript.words.slice(paragraph.first_word, paragraph.last_word + 1)
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
    return {
      index,
      text,
      words,
      startFrame: paragraph.start_frame,
      endFrame: Math.max(paragraph.end_frame, paragraph.start_frame + 1),
    }
  })
}

/** The word at a place of the text, or the nearest one before it. */
export function wordAt(paragraph: LaidOut, offset: number): PlacedWord | null {
  return paragraph.words.findLast((word) => word.from <= offset) ?? paragraph.words[0] ?? null
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
