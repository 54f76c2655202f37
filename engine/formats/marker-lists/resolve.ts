/** Resolve's EDL of markers: an event of one frame for each, the note before the tags. */
import { toTimecode } from '../../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import type { Marker } from '../../timeline/timeline.ts'
import { expectSame, fail } from '../compare.ts'
import type { ReadMarker } from '../compare.ts'
import { listMarkers } from '../format.ts'
import type { ExportInput, Format } from '../format.ts'
import { markerColors } from '../marker-colors.ts'
import { listedMarkers } from './listed-markers.ts'
import { sinceStart } from './since-start.ts'

export const resolveMarkers: Format = {
  markers: listMarkers,
  write,
  check(body: string, input) {
    const { format, recordStart } = input.timeline
    const meant = distinctMarkers(input).map(({ start, frames, name }) => ({ start, frames, name }))
    expectSame('the markers', readResolveMarkers(body, format, recordStart), meant)
  },
}

function write(input: ExportInput): string {
  const { format, recordStart, title } = input.timeline
  const markers = distinctMarkers(input)
  const width = Math.max(3, String(markers.length).length)
  const lines = [
    `TITLE: ${title}`,
    `FCM: ${format.dropFrame ? 'DROP FRAME' : 'NON-DROP FRAME'}`,
    '',
  ]
  markers.forEach(({ start, frames, color, name, note }, index) => {
    const [from, to] = [start, start + 1].map((frame) => toTimecode(recordStart + frame, format))
    const number = String(index + 1).padStart(width, '0')
    lines.push(`${number}  001      V     C        ${from} ${to} ${from} ${to}  `)
    lines.push(`${note} |C:ResolveColor${color} |M:${name} |D:${frames}`, '')
  })
  return `${lines.join('\r\n')}\r\n`
}

/** Resolve keeps one marker for each frame: those that start together become one. */
function distinctMarkers(input: ExportInput) {
  return [...Map.groupBy(listedMarkers(input), (marker) => marker.start)].map(([start, group]) => ({
    start,
    frames: Math.max(...group.map((marker) => marker.end - marker.start)),
    color: markerColors[group[0]!.kind].resolve,
    name: group.map((marker) => plain(titleOf(marker))).join(' / '),
    note: [...new Set(group.map((marker) => plain(remarkOf(marker))))].filter(Boolean).join(' / '),
  }))
}

function titleOf({ author, name, note }: Marker): string {
  return author === null ? name : note
}

function remarkOf({ author, note }: Marker): string {
  return author ?? note
}

/** Removes bars from a text, since a bar separates the tags. */
function plain(text: string): string {
  return text.replaceAll('|', '/')
}

function readResolveMarkers(
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
