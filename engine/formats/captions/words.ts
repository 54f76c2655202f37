/** The words of a job or a cut as captions, where the timeline plays them. */
import type { ExportOptions } from '../../../contract/footage/export-options.ts'
import type { FindingsOf } from '../../../domain/findings/findings.ts'
import { markedSpeaker } from '../../../domain/findings/speakers.ts'
import { toNumber } from '../../../domain/time/rational.ts'
import { separator } from '../../speech/text/join-words.ts'
import type { CutExport } from '../../timeline/build-cut.ts'
import type { JobExport } from '../../timeline/build-job.ts'
import { oneLine } from '../../timeline/names.ts'
import { ExportRefused } from '../../timeline/refused.ts'
import type { Item, Source, Timeline } from '../../timeline/timeline.ts'
import type { ExportInput } from '../format.ts'
import { cuesOf, splitLongWord } from './cues.ts'
import type { Cue, TimedWord } from './cues.ts'
import { textWidth } from './line-break.ts'

export function captionsOf({ timeline, options, order }: ExportInput): Cue[] {
  const words =
    'findings' in order
      ? jobWords(timeline, order, options)
      : 'cut' in order
        ? cutWords(timeline, order, options)
        : []
  const fps = toNumber(timeline.format.rate)
  return cuesOf(words, { fps, frames: timeline.frames, options })
}

export function captionLanguage({ options, order }: ExportInput): string {
  if ('cut' in order) return order.transcripts[0]?.language ?? 'en'
  const spoken = 'findings' in order ? order.findings.transcription?.language : null
  return options.caption_language === 'english' ? 'en' : (spoken ?? 'en')
}

function jobWords(
  timeline: Timeline,
  { findings }: JobExport,
  options: ExportOptions,
): TimedWord[] {
  if (!findings.transcription) {
    throw new ExportRefused('There is no transcript in these findings: run transcription.')
  }
  const { words, lastWords, language } = spokenOrEnglish(
    findings.transcription,
    options.caption_language,
  )
  const { grid } = timeline.sources[0]!
  const placed = words.flatMap((word, index): TimedWord[] => {
    const text = oneLine(word.text)
    if (text === '') return []
    const start = grid.place(word.start_frame, word.start_time)
    const end = Math.max(start + 1, grid.place(word.end_frame, word.end_time))
    const speaker = 'speaker' in word ? markedSpeaker(word) : null
    const endsSentence = lastWords.has(index) || endsLikeSentence(text)
    return [{ ...wordOf(text, start, end), speaker, endsSentence }]
  })
  placed.sort((a, b) => a.start - b.start || a.end - b.end)
  placed.forEach((word, index) => {
    const previous = placed[index - 1]
    word.startsSentence = previous?.endsSentence ?? true
    word.glued = separator(previous?.text ?? '', word.text, language ?? 'en') === ''
  })
  return playedWords(timeline, () => placed, options)
}

function cutWords(timeline: Timeline, order: CutExport, options: ExportOptions): TimedWord[] {
  if (order.transcripts.length === 0) {
    throw new ExportRefused('No clip of this cut has a transcript: run transcription.')
  }
  const texts = new Map(order.transcripts.map((text) => [text.content_id, text]))
  const spoken = new Map(
    timeline.sources.map((source) => {
      const { words = [], joiner = ' ' } = texts.get(source.contentId!) ?? {}
      const placed = words.flatMap((word): TimedWord[] => {
        const text = oneLine(word.text)
        const [start, end] = [source.grid.place(word.in), source.grid.place(word.out)]
        const { speaker } = word
        return text === '' ? [] : [{ ...wordOf(text, start, end), speaker, glued: joiner === '' }]
      })
      return [source, placed]
    }),
  )
  const words = playedWords(timeline, (source) => spoken.get(source)!, options)
  words.forEach((word, index) => {
    word.startsSentence = words[index - 1]?.endsSentence ?? true
  })
  return words
}

function wordOf(text: string, start: number, end: number): TimedWord {
  return {
    ...{ text, width: textWidth(text), start, end, speaker: null },
    ...{ startsSentence: false, endsSentence: endsLikeSentence(text), glued: false },
  }
}

function endsLikeSentence(text: string): boolean {
  return /[.!?…。！？]["'”’)]*$/u.test(text)
}

/** `wordsOf`: in frames of the source. A word belongs to the stretch that plays its middle. */
function playedWords(
  timeline: Timeline,
  wordsOf: (source: Source) => readonly TimedWord[],
  { line_length: lineLength }: ExportOptions,
): TimedWord[] {
  return uncutStretches(timeline).flatMap(
    ({ source, sourceIn, sourceOut, recordIn, recordOut }) => {
      const pace = (recordOut - recordIn) / (sourceOut - sourceIn)
      const onRecord = (frame: number): number =>
        recordIn + Math.round((Math.max(sourceIn, Math.min(sourceOut, frame)) - sourceIn) * pace)
      return wordsOf(source).flatMap((word) => {
        const middle = (word.start + word.end) / 2
        if (middle < sourceIn || middle >= sourceOut) return []
        const start = Math.min(onRecord(word.start), recordOut - 1)
        const end = Math.max(start + 1, onRecord(word.end))
        return splitLongWord({ ...word, start, end }, lineLength)
      })
    },
  )
}

/** Items that run on from each other in source and timeline count as one. */
function uncutStretches({ tracks }: Timeline): Item[] {
  const stretches: Item[] = []
  for (const item of tracks[0]!.items) {
    const last = stretches.at(-1)
    const runsOn = last?.source === item.source && last.sourceOut === item.sourceIn
    if (last && runsOn && !item.source.conformed) {
      last.sourceOut = item.sourceOut
      last.recordOut = item.recordOut
    } else stretches.push({ ...item })
  }
  return stretches
}

/** The words that captions show: as they are spoken, or their translation. */
function spokenOrEnglish(
  spoken: FindingsOf<'transcription'>,
  wanted: ExportOptions['caption_language'],
): {
  words: readonly (
    | FindingsOf<'transcription'>['words'][number]
    | NonNullable<FindingsOf<'transcription'>['translation']>['words'][number]
  )[]
  lastWords: ReadonlySet<number>
  language: string | null
} {
  if (wanted === 'spoken' || spoken.language === 'en') {
    const lastWords = new Set(spoken.sentences.map((sentence) => sentence.last_word))
    return { words: spoken.words, lastWords, language: spoken.language }
  }
  if (!spoken.translation) {
    throw new ExportRefused(
      'There is no English translation in these findings: run transcription with translate.',
    )
  }
  return { words: spoken.translation.words, lastWords: new Set(), language: 'en' }
}
