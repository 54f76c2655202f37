/** CSV: the findings of a job, the clips and comments of a cut, or the angles of a sync. */
import type { ExportOptions } from '../../../contract/footage/export-options.ts'
import { parseRational, toNumber } from '../../../domain/time/rational.ts'
import { rateLabel, toTimecode } from '../../../domain/time/timecode.ts'
import type { CutExport } from '../../timeline/build-cut.ts'
import { ownTimecodes } from '../../timeline/list-frames.ts'
import type { Item, Timeline } from '../../timeline/timeline.ts'
import type { ExportInput, Format } from '../format.ts'
import { checkTable, writeTable } from './cells.ts'
import type { Table } from './cells.ts'
import { findingsTable } from './findings.ts'

export const csv: Format = {
  speed: true,
  angles: true,
  anyRate: true,
  writeFindings({ findings, options }) {
    const table = findingsTable(findings, options)
    const body = withMark(writeTable(table, ','), options)
    checkTable(body, table, ',')
    return body
  },
  write: (input) => withMark(writeTable(tableOf(input), ','), input.options),
  check: (body: string, input) => checkTable(body, tableOf(input), ','),
}

function withMark(body: string, { bom }: ExportOptions): string {
  return bom ? `\uFEFF${body}` : body
}

function tableOf({ timeline, order }: ExportInput): Table {
  return 'cut' in order ? cutTable(timeline, order) : angleTable(timeline)
}

const cutColumns = [
  'kind',
  'index',
  'name',
  'note',
  'clip',
  'reel',
  'offline',
  'record_in',
  'record_out',
  'record_in_frame',
  'record_out_frame',
  'source_in',
  'source_out',
  'source_in_frame',
  'source_out_frame',
  'source_rate',
  'path',
]

/** Disabled ranges are kept in the list and left out of the timeline. */
function cutTable(timeline: Timeline, { cut, sources }: CutExport): Table {
  const names = new Map(sources.map((source) => [source.content_id, source.name]))
  const disabled = cut.ranges.filter((range) => range.disabled)
  const rows = [
    ...timeline.tracks[0]!.items.map((item, index) => itemRow(timeline, item, index)),
    ...disabled.map(({ name, note, content_id: id, ...range }, index) => [
      ...['disabled', index + 1, name, note, names.get(id) ?? ''],
      ...Array.from({ length: 8 }, () => ''),
      ...[range.in, range.out, '', ''],
    ]),
    ...timeline.markers.map(({ author, note, start, end }, index) => [
      ...['comment', index + 1, author ?? '', note, '', '', ''],
      ...recordTimes(timeline, start, end),
      ...[start, end],
      ...Array.from({ length: 6 }, () => ''),
    ]),
  ]
  return { columns: cutColumns, rows: rows.map((row) => row.map(String)) }
}

function itemRow(timeline: Timeline, item: Item, index: number): (string | number)[] {
  const { source, name, note, recordIn, recordOut, sourceIn, sourceOut } = item
  return [
    ...['clip', index + 1, name, note, source.name, source.reel, source.offline ? 'yes' : 'no'],
    ...recordTimes(timeline, recordIn, recordOut),
    ...[recordIn, recordOut],
    ...ownTimecodes(item),
    ...[sourceIn, sourceOut, rateLabel(source.grid.format.rate), source.path],
  ]
}

function recordTimes({ format, recordStart }: Timeline, start: number, end: number): string[] {
  return [start, end].map((frame) => toTimecode(recordStart + frame, format))
}

const angleColumns = [
  'angle',
  'clip',
  'reel',
  'reference',
  'offset_seconds',
  'offset',
  'drift_ppm',
  'speed',
  'record_in',
  'record_out',
  'record_in_frame',
  'record_out_frame',
  'source_start',
  'source_rate',
  'path',
]

function angleTable(timeline: Timeline): Table {
  const rows = timeline.tracks.map(({ items, angle }, index) => {
    const { source, recordIn, recordOut, speed } = items[0]!
    const { offset, driftPpm, isReference } = angle!
    const { format, startFrame } = source.grid
    return [
      ...[index + 1, source.name, source.reel, isReference ? 'yes' : 'no'],
      ...[toNumber(parseRational(offset)!).toFixed(6), offset, driftPpm ?? ''],
      speed === 1 ? '1' : speed.toFixed(9),
      ...recordTimes(timeline, recordIn, recordOut),
      ...[recordIn, recordOut, toTimecode(startFrame, format), rateLabel(format.rate), source.path],
    ].map(String)
  })
  return { columns: angleColumns, rows }
}
