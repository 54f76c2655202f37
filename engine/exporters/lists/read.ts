/** Reads the flat formats back: marker lists, CSV, SRT and WebVTT. */
import { parseTimecode } from '../../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import { fail } from '../compare.ts'
import type { ReadMarker } from '../compare.ts'

export function readResolveMarkers(
  body: string,
  format: TimecodeFormat,
  recordStart: number,
): ReadMarker[] {
  const pattern =
    /^\d{3,6} {2}001 {6}V {5}C {8}(\S+) (\S+) (\S+) (\S+) {2}\r\n([^|\r\n]*) \|C:ResolveColor\w+ \|M:([^|\r\n]*) \|D:(\d+)\r$/gm
  return [...body.matchAll(pattern)].map((match) => {
    const start = sinceStart(match[1]!, format, recordStart)
    const end = sinceStart(match[2]!, format, recordStart)
    if (end !== start + 1) fail(`the marker at ${match[1]} is not one frame long`)
    return { start, frames: Number(match[7]), name: match[6]! }
  })
}

export function readPremiereMarkers(
  body: string,
  format: TimecodeFormat,
  recordStart: number,
): ReadMarker[] {
  const [head, ...rows] = readCsv(body, '\t')
  const columns = head?.join(', ')
  if (columns !== 'Marker Name, Description, In, Out, Duration') fail(`the columns are ${columns}`)
  return rows.map((row) => {
    const [name, , start, end, length, ...more] = row
    if (length === undefined || more.length > 0)
      fail(`a row has not five columns: ${row.join(', ')}`)
    const from = sinceStart(start!, format, recordStart)
    const frames = parseTimecode(length, format) ?? fail(`there is no duration ${length}`)
    if (sinceStart(end!, format, recordStart) !== from + frames) fail(`the out point of ${name}`)
    return { start: from, frames, name: name! }
  })
}

/** The fields of a CSV by RFC 4180, or of a table with tabs that quotes as it does. */
export function readCsv(body: string, separator: ',' | '\t' = ','): string[][] {
  const text = body.startsWith('\uFEFF') ? body.slice(1) : body
  const rows: string[][] = []
  let row: string[] = []
  const token = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n)`,
    'y',
  )
  while (token.lastIndex < text.length) {
    const at = token.lastIndex
    const match = token.exec(text)
    if (!match) fail(`the CSV breaks at character ${at}`)
    row.push(match[1]?.replaceAll('""', '"') ?? match[2]!)
    if (match[3] === separator) continue
    rows.push(row)
    row = []
  }
  return rows
}

export interface ReadCue {
  startMs: number
  endMs: number
  text: string
}

/** SRT and WebVTT share the shape of a cue: number, times, lines, an empty line. */
export function readCues(body: string, separator: ',' | '.'): ReadCue[] {
  const blocks = body.trimEnd().split(/\n\n+/)
  const cues =
    separator === '.' ? blocks.filter((block) => !/^(?:WEBVTT|NOTE)/.test(block)) : blocks
  return cues.filter(Boolean).map((block, index) => {
    const [number, times, ...lines] = block.split('\n')
    if (number !== String(index + 1)) fail(`cue ${index + 1} is numbered ${number}`)
    const [start, end] = (times ?? '').split(' --> ')
    return {
      startMs: readClock(start, separator),
      endMs: readClock(end, separator),
      text: lines.join('\n'),
    }
  })
}

function readClock(text: string | undefined, separator: ',' | '.'): number {
  const match = /^(\d{2,}):(\d\d):(\d\d)([,.])(\d{3})$/.exec(text ?? '')
  if (!match || match[4] !== separator) fail(`${text} is no time of a caption`)
  const seconds = (Number(match[1]) * 60 + Number(match[2])) * 60 + Number(match[3])
  return seconds * 1000 + Number(match[5])
}

function sinceStart(text: string, format: TimecodeFormat, start: number): number {
  const frame = parseTimecode(text, format) ?? fail(`there is no timecode ${text}`)
  const day = format.framesPerDay
  return (((frame - start) % day) + day) % day
}
