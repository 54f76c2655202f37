/** The paper edit: a cut's text with timecodes, to read and to mark up. */
import { cutTranscript } from '../../../domain/cuts/cut-text.ts'
import type { CutPassage } from '../../../domain/cuts/cut-text.ts'
import { rateLabel, toTimecode } from '../../../domain/time/timecode.ts'
import { withHandles } from '../../timeline/build-cut.ts'
import { oneLine } from '../../timeline/names.ts'
import type { ExportInput } from '../format.ts'

export interface PaperRow {
  number: number
  record: string
  source: string
  length: string
  clip: string
  speaker: string
  note: string
  words: { text: string; struck: boolean }[]
}

export interface Paper {
  title: string
  facts: string
  notes: string[]
  rows: PaperRow[]
  comments: { at: string; name: string; text: string }[]
}

export function buildPaper({ timeline, order }: ExportInput): Paper {
  if (!('cut' in order)) throw new Error('Only a cut has a paper edit.')
  const { format, recordStart, tracks } = timeline
  const known = new Set(order.transcripts.map((text) => text.content_id))
  const sources = order.sources.map((source) => ({
    ...source,
    transcribed: known.has(source.content_id),
  }))
  const passages = cutTranscript(order.cut, sources, order.transcripts).filter(
    (passage) => !passage.disabled,
  )
  const placed = new Map(timeline.sources.map((source) => [source.contentId, source]))
  const length = toTimecode(timeline.frames, format)
  return {
    title: timeline.title,
    facts: `Version ${order.cut.version} · ${length} · ${rateLabel(format.rate)} fps · starts at ${toTimecode(recordStart, format)}`,
    notes: timeline.notes,
    rows: passages.map((passage, index): PaperRow => {
      const source = placed.get(passage.contentId)
      const name = (frame: number): string =>
        source
          ? toTimecode(source.grid.startFrame + source.grid.place(frame), source.grid.format)
          : ''
      return {
        number: index + 1,
        record:
          passage.recordIn === null
            ? '–'
            : toTimecode(recordStart + withHandles(passage.recordIn, tracks[0]!.items), format),
        source: `${name(passage.in)} – ${name(passage.out)}`,
        length: toTimecode(passage.recordFrames, format),
        clip: `${oneLine(passage.clipName)}${passage.offline ? ' (offline)' : ''}`,
        speaker: passage.speaker ?? '',
        note: oneLine(order.cut.ranges[passage.rangeIndex]?.note ?? ''),
        words: wordsOf(passage),
      }
    }),
    comments: timeline.markers.map((marker) => ({
      at: toTimecode(recordStart + marker.start, format),
      name: marker.author ?? '',
      text: marker.note,
    })),
  }
}

/** Groups words into runs of kept and struck ones. */
function wordsOf({ words, joiner }: CutPassage): PaperRow['words'] {
  const runs: PaperRow['words'] = []
  for (const word of words) {
    const last = runs.at(-1)
    const text = oneLine(word.text)
    if (last?.struck === word.struck) last.text += joiner + text
    else runs.push({ text: last ? joiner + text : text, struck: word.struck })
  }
  return runs
}
