/** Markers alone: Resolve's marker EDL and Premiere's marker list. */
import { toTimecode } from '../../../domain/time/timecode.ts'
import { cellOf } from './csv.ts'
import type { TimelineMarker } from '../timeline/markers.ts'
import type { Timeline } from '../timeline/timeline.ts'

const resolveColors: Record<TimelineMarker['kind'], string> = {
  comments: 'Yellow',
  shots: 'Blue',
  cutpoints: 'Green',
  removals: 'Yellow',
  'lip-flap': 'Red',
  'voice-only': 'Cyan',
  talking: 'Purple',
  sentences: 'Cream',
  flashes: 'Lemon',
  black: 'Cocoa',
  freeze: 'Sand',
  text: 'Sky',
  slates: 'Fuchsia',
}

export interface ResolveMarker {
  start: number
  frames: number
  color: string
  name: string
  note: string
}

/** Each marker is an event of one frame; the note stands before the tags. */
export function writeResolveMarkers(timeline: Timeline, markers: TimelineMarker[]): string {
  const { format } = timeline.grid
  const shown = resolveMarkers(markers)
  const width = Math.max(3, String(shown.length).length)
  const lines = [`TITLE: ${timeline.title}`]
  lines.push(`FCM: ${format.dropFrame ? 'DROP FRAME' : 'NON-DROP FRAME'}`, '')
  shown.forEach((marker, index) => {
    const from = toTimecode(timeline.recordStart + marker.start, format)
    const to = toTimecode(timeline.recordStart + marker.start + 1, format)
    const number = String(index + 1).padStart(width, '0')
    lines.push(`${number}  001      V     C        ${from} ${to} ${from} ${to}  `)
    const tags = `|C:ResolveColor${marker.color} |M:${marker.name} |D:${marker.frames}`
    lines.push(`${marker.note} ${tags}`, '')
  })
  return `${lines.join('\r\n')}\r\n`
}

/** Resolve keeps one marker for each frame: those that start together become one. */
export function resolveMarkers(markers: TimelineMarker[]): ResolveMarker[] {
  return [...Map.groupBy(markers, (marker) => marker.recordStart)].map(([start, group]) => ({
    start,
    frames: Math.max(...group.map((marker) => marker.recordEnd - marker.recordStart)),
    color: resolveColors[group[0]!.kind],
    name: group.map((marker) => plain(marker.name || marker.kind)).join(' / '),
    note: [...new Set(group.map((marker) => plain(marker.note)))].filter(Boolean).join(' / '),
  }))
}

const premiereColumns = ['Marker Name', 'Description', 'In', 'Out', 'Duration'] as const

/** Tab-separated, as Premiere exports its own list; a marker of one frame has no duration. */
export function writePremiereMarkers(timeline: Timeline, markers: TimelineMarker[]): string {
  const { format } = timeline.grid
  const rows = markers.map((marker) => {
    const frames = markerFrames(marker)
    return [
      marker.name || marker.kind,
      marker.note,
      toTimecode(timeline.recordStart + marker.recordStart, format),
      toTimecode(timeline.recordStart + marker.recordStart + frames, format),
      toTimecode(frames, format),
    ]
  })
  return markerTable(rows)
}

export function markerTable(rows: readonly string[][]): string {
  return [premiereColumns, ...rows]
    .map((row) => `${row.map((cell) => cellOf(cell, '\t')).join('\t')}\r\n`)
    .join('')
}

export function markerFrames(marker: TimelineMarker): number {
  const frames = marker.recordEnd - marker.recordStart
  return frames > 1 ? frames : 0
}

/** The bar separates the tags, so it cannot stand in a text. */
function plain(text: string): string {
  return text.replaceAll('|', '/')
}
