/** The words of a cut where it plays them, as captions. */
import type { CutTranscript } from '../../../domain/cuts/cut.ts'
import { toNumber } from '../../../domain/time/rational.ts'
import { cuesOf, splitLongWord } from '../captions/captions.ts'
import type { Cue, TimedWord } from '../captions/captions.ts'
import { textWidth } from '../captions/line-break.ts'
import { ExportRefused } from '../refused.ts'
import { oneLine } from '../timeline/names.ts'
import type { CutClip, CutExportInput, CutTimeline } from './timeline.ts'

export function cutCues(timeline: CutTimeline, input: CutExportInput): Cue[] {
  if (input.transcripts.length === 0) {
    throw new ExportRefused('No clip of this cut has a transcript: run transcription.')
  }
  const texts = new Map(input.transcripts.map((text) => [text.content_id, text]))
  const words = timeline.clips.flatMap((clip) => {
    const text = texts.get(clip.source.contentId)
    return text ? wordsOf(clip, text, input.options.line_length) : []
  })
  words.forEach((word, index) => {
    word.startsSentence = words[index - 1]?.endsSentence ?? true
  })
  const fps = toNumber(timeline.format.rate)
  return cuesOf(words, { fps, frames: timeline.frames, options: input.options })
}

function wordsOf(clip: CutClip, { words, joiner }: CutTranscript, lineLength: number): TimedWord[] {
  const { sourceIn, sourceOut, recordIn, recordOut } = clip
  const pace = (recordOut - recordIn) / (sourceOut - sourceIn)
  const onRecord = (frame: number): number =>
    recordIn + Math.round((Math.max(sourceIn, Math.min(sourceOut, frame)) - sourceIn) * pace)
  return words.flatMap((word) => {
    const text = oneLine(word.text)
    const [from, to] = [clip.source.grid.place(word.in), clip.source.grid.place(word.out)]
    const middle = (from + to) / 2
    if (text === '' || middle < sourceIn || middle >= sourceOut) return []
    const start = Math.min(onRecord(from), recordOut - 1)
    return splitLongWord(
      {
        text,
        width: textWidth(text),
        start,
        end: Math.max(start + 1, onRecord(to)),
        speaker: word.speaker,
        startsSentence: false,
        endsSentence: /[.!?…。！？]["'”’)]*$/u.test(text),
        glued: joiner === '',
      },
      lineLength,
    )
  })
}
