/**
 * Findings as rows. Every kind has the same columns, so that one sheet holds them all and a filter
 * on `section` takes them apart.
 */
import type { CsvSection, ExportOptions } from '../../../contract/footage/export-options.ts'
import type { Findings, Span } from '../../../domain/findings/findings.ts'
import { markedSpeaker, speakerName } from '../../../domain/findings/speakers.ts'
import { slateText } from '../../../domain/findings/slates.ts'
import { toTimecode } from '../../../domain/time/timecode.ts'
import { chosenChanges, chosenPoints, chosenShots } from '../../timeline/chosen.ts'
import { buildGrid } from '../../timeline/grid.ts'
import type { Grid } from '../../timeline/grid.ts'
import { ExportRefused } from '../../timeline/refused.ts'
import type { Table } from './cells.ts'

const columns = [
  'section',
  'index',
  'type',
  'start_frame',
  'end_frame',
  'start_timecode',
  'end_timecode',
  'start_seconds',
  'end_seconds',
  'duration_frames',
  'score',
  'speaker',
  'text',
]

interface Row {
  section: Exclude<CsvSection, 'all'>
  type: string
  span: Pick<Span, 'start_frame' | 'end_frame'> & Partial<Span>
  score?: number | undefined
  speaker?: string | null | undefined
  text?: string | null | undefined
}

export function findingsTable(findings: Findings, options: ExportOptions): Table {
  const grid = buildGrid(findings, options)
  const counts = new Map<string, number>()
  const rows = rowsOf(findings, options).map((row) => {
    const index = (counts.get(row.section) ?? 0) + 1
    counts.set(row.section, index)
    return [row.section, index, row.type, ...times(row, grid), ...values(row)].map(String)
  })
  return { columns, rows }
}

/** The rows of the chosen section, in the order in which they are written. */
function rowsOf(findings: Findings, options: ExportOptions): Row[] {
  const { section } = options
  if (section !== 'all') {
    if (!sections[section].present(findings, options)) {
      throw new ExportRefused(`These findings have no ${section.replace('_', ' ')}.`)
    }
    return sections[section].rows(findings, options)
  }
  return Object.values(sections).flatMap((each) => each.rows(findings, options))
}

type Rows = (findings: Findings, options: ExportOptions) => Row[]
type Present = (findings: Findings, options: ExportOptions) => boolean

const hasShots: Present = (findings) => findings.shots !== undefined
const hasTalking: Present = (findings) => findings.talking !== undefined
const hasCutpoints: Present = (findings) => findings.cutpoints !== undefined
const hasText: Present = (findings) => findings.text !== undefined
const hasTranscript: Present = (findings) => findings.transcription !== undefined

const sections: Record<Exclude<CsvSection, 'all'>, { present: Present; rows: Rows }> = {
  shots: { present: hasShots, rows: shotRows },
  changes: {
    present: hasShots,
    rows: (findings, options) =>
      chosenChanges(findings, options).map((change) => ({
        section: 'changes',
        type: change.type,
        span: change,
        score: change.score,
      })),
  },
  cutpoints: {
    present: hasCutpoints,
    rows: (findings, options) =>
      chosenPoints(findings, { ...options, min_score: 0 }).map((point) => ({
        section: 'cutpoints',
        type: 'point',
        span: {
          start_frame: point.frame,
          end_frame: point.frame,
          start: point.seconds,
          end: point.seconds,
        },
        score: point.score,
        text: point.reasons.join(', '),
      })),
  },
  removals: {
    present: hasCutpoints,
    rows: (findings) =>
      (findings.cutpoints?.removals ?? []).map((removal) => ({
        section: 'removals',
        type: removal.kind,
        span: removal,
        text: removal.text,
      })),
  },
  words: {
    present: hasTranscript,
    rows: (findings) =>
      (findings.transcription?.words ?? []).map((word) => ({
        section: 'words',
        type: 'word',
        span: word,
        score: word.confidence,
        speaker: markedSpeaker(word),
        text: word.text,
      })),
  },
  sentences: {
    present: hasTranscript,
    rows: (findings) =>
      (findings.transcription?.sentences ?? []).map((sentence) => ({
        section: 'sentences',
        type: 'sentence',
        span: sentence,
        speaker: markedSpeaker(findings.transcription?.words[sentence.first_word]),
        text: sentence.text,
      })),
  },
  speech: { present: hasTalking, rows: (findings) => plain('speech', findings.talking?.speech) },
  silence: { present: hasTalking, rows: (findings) => plain('silence', findings.talking?.silence) },
  talking: { present: hasTalking, rows: (findings) => faces('talking', findings.talking?.talking) },
  lip_flap: {
    present: hasTalking,
    rows: (findings) => faces('lip_flap', findings.talking?.lip_flap),
  },
  voice_only: {
    present: hasTalking,
    rows: (findings) => plain('voice_only', findings.talking?.voice_only),
  },
  black: { present: hasShots, rows: (findings) => plain('black', findings.shots?.black) },
  freeze: { present: hasShots, rows: (findings) => plain('freeze', findings.shots?.freeze) },
  flashes: { present: hasShots, rows: (findings) => plain('flashes', findings.shots?.flashes) },
  selects: {
    present: (_, options) => options.selects !== undefined,
    rows: (_, options) =>
      (options.selects ?? []).map((select) => ({
        section: 'selects',
        type: 'select',
        span: select,
        text: select.name,
      })),
  },
  text: {
    present: hasText,
    rows: (findings) =>
      (findings.text?.lines ?? []).map((line) => ({
        section: 'text',
        type: line.on_slate ? 'slate' : 'line',
        span: line,
        score: line.confidence,
        text: line.text,
      })),
  },
  slates: { present: hasText, rows: slateRows },
}

function slateRows({ text }: Findings): Row[] {
  return (text?.slates ?? []).flatMap((slate): Row[] => {
    const { clap } = slate
    const row: Row = {
      section: 'slates',
      type: 'slate',
      span: slate,
      score: slate.confidence,
      text: slateText(slate),
    }
    if (!clap) return [row]
    const { frame, seconds, confidence: score } = clap
    const span = { start_frame: frame, end_frame: frame, start: seconds, end: seconds }
    return [row, { section: 'slates', type: 'clap', span, score, text: slate.clip_name }]
  })
}

function shotRows(findings: Findings, options: ExportOptions): Row[] {
  if (!findings.shots) return []
  return chosenShots(findings, options).map((shot) => ({
    section: 'shots',
    type: shot.transition,
    span: shot,
    text: [`motion ${shot.motion}`, shot.black && 'black', shot.frozen && 'frozen']
      .filter(Boolean)
      .join(', '),
  }))
}

function plain(section: Row['section'], spans: Span[] | undefined): Row[] {
  return (spans ?? []).map((span) => ({ section, type: section, span }))
}

function faces(
  section: Row['section'],
  spans: (Span & { face: string | null; score: number })[] | undefined,
): Row[] {
  return (spans ?? []).map((span) => ({
    section,
    type: section,
    span,
    score: span.score,
    speaker: span.face === null ? null : speakerName(span.face),
  }))
}

/** Frames are those of the findings; timecodes are the grid's names of them. */
function times(row: Row, grid: Grid): (string | number)[] {
  const { span } = row
  const start = grid.place(span.start_frame, span.start_time)
  const end = grid.place(span.end_frame, span.end_time)
  return [
    span.start_frame,
    span.end_frame,
    toTimecode(grid.startFrame + start, grid.format),
    toTimecode(grid.startFrame + end, grid.format),
    span.start === undefined ? '' : span.start.toFixed(6),
    span.end === undefined ? '' : span.end.toFixed(6),
    span.end_frame - span.start_frame,
  ]
}

function values(row: Row): string[] {
  const score = row.score === undefined ? '' : String(Math.round(row.score * 10_000) / 10_000)
  return [score, row.speaker ?? '', row.text ?? '']
}
