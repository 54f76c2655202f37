/** Markers as Premiere exports its own: separated by tabs; a single frame has no duration. */
import { spreadsheetText } from '../../../domain/spreadsheet-text.ts'
import { parseTimecode, toTimecode } from '../../../domain/time/timecode.ts'
import { expectSame } from '../compare.ts'
import { readTable, writeTable } from '../csv/cells.ts'
import { listMarkers } from '../format.ts'
import type { ExportInput, Format } from '../format.ts'
import { listedMarkers } from './listed-markers.ts'
import { sinceStart } from './since-start.ts'

export const premiereMarkers: Format = {
  markers: listMarkers,
  write,
  check,
}

const columns = ['Marker Name', 'Description', 'In', 'Out', 'Duration']

function write(input: ExportInput): string {
  const { format, recordStart } = input.timeline
  const rows = markersOf(input).map(({ name, note, start, frames }) => [
    ...[name, note],
    ...[recordStart + start, recordStart + start + frames, frames].map((frame) =>
      toTimecode(frame, format),
    ),
  ])
  return writeTable({ columns, rows }, '\t')
}

function check(body: string, input: ExportInput): void {
  const { format, recordStart } = input.timeline
  const [head, ...rows] = readTable(body, '\t')
  expectSame('the columns', head, columns)
  const read = rows.map(([name, note, from = '', to = '', length = '', ...more]) => {
    const [start, end] = [from, to].map((text) => sinceStart(text, format, recordStart))
    return { name, note, start, end, frames: parseTimecode(length, format), more }
  })
  const meant = markersOf(input).map(({ name, note, start, frames }) => ({
    name: spreadsheetText(name),
    note: spreadsheetText(note),
    ...{ start, end: start + frames, frames, more: [] },
  }))
  expectSame('the markers', read, meant)
}

function markersOf(input: ExportInput) {
  return listedMarkers(input).map(({ author, name, note, start, end }) => ({
    ...{ name: author ?? name, note, start },
    frames: end - start > 1 ? end - start : 0,
  }))
}
