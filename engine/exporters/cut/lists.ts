/** A cut as CSV, JSON, ALE and lists of its markers. */
import { isDeepStrictEqual } from 'node:util'
import type { CutExportOptions } from '../../../contract/footage/cuts.ts'
import { formatRational } from '../../../domain/time/rational.ts'
import { spreadsheetText } from '../../../domain/spreadsheet-text.ts'
import { rateLabel, toTimecode } from '../../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import { compareMarkers, fail } from '../compare.ts'
import { aleTimes, aleTracks, makeAle } from '../lists/ale.ts'
import { makeAvidMarkers } from '../lists/avid-markers.ts'
import type { AvidMarker } from '../lists/avid-markers.ts'
import { csvField } from '../lists/csv.ts'
import { markerTable } from '../lists/marker-lists.ts'
import { readCsv, readPremiereMarkers, readResolveMarkers } from '../lists/read.ts'
import { listFrame, ownTimecodes } from './timeline.ts'
import type { CutClip, CutExportInput, CutTimeline, TrackSource } from './timeline.ts'

const columns = [
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
] as const

export function makeCutCsv(timeline: CutTimeline, input: CutExportInput): string {
  const rows = [
    ...timeline.clips.map((clip, index) => clipRow(timeline, clip, index)),
    ...disabledRows(timeline, input),
    ...timeline.markers.map((marker, index) => [
      'comment',
      String(index + 1),
      marker.name,
      marker.text,
      '',
      '',
      '',
      toTimecode(timeline.recordStart + marker.at, timeline.format),
      toTimecode(timeline.recordStart + marker.out, timeline.format),
      String(marker.at),
      String(marker.out),
      ...Array.from({ length: 6 }, () => ''),
    ]),
  ]
  const lines = [columns.join(','), ...rows.map((row) => row.map(csvField).join(','))]
  const body = `${input.options.bom ? '\uFEFF' : ''}${lines.join('\r\n')}\r\n`
  const read = readCsv(body)
  if (read.length !== rows.length + 1) fail('the number of rows')
  rows.forEach((row, index) => {
    for (const at of [0, 9, 10, 13, 14]) {
      if (read[index + 1]![at] !== row[at]) fail(`row ${index + 1}: ${columns[at]}`)
    }
  })
  return body
}

function clipRow(timeline: CutTimeline, clip: CutClip, index: number): string[] {
  const { source } = clip
  return [
    'clip',
    String(index + 1),
    clip.name,
    clip.note,
    source.name,
    source.reel,
    source.offline ? 'yes' : 'no',
    toTimecode(timeline.recordStart + clip.recordIn, timeline.format),
    toTimecode(timeline.recordStart + clip.recordOut, timeline.format),
    String(clip.recordIn),
    String(clip.recordOut),
    ...ownTimecodes(clip),
    String(clip.sourceIn),
    String(clip.sourceOut),
    rateLabel(source.grid.format.rate),
    source.path,
  ]
}

/** Ranges that are kept in the list and left out of the timeline. */
function disabledRows(timeline: CutTimeline, { cut, sources }: CutExportInput): string[][] {
  const names = new Map(sources.map((source) => [source.content_id, source.name]))
  return cut.ranges
    .filter((range) => range.disabled)
    .map((range, index) => [
      'disabled',
      String(index + 1),
      range.name,
      range.note,
      names.get(range.content_id) ?? '',
      ...Array.from({ length: 8 }, () => ''),
      String(range.in),
      String(range.out),
      '',
      '',
    ])
}

export function makeCutJson(timeline: CutTimeline, input: CutExportInput): string {
  const document = {
    name: timeline.title,
    version: input.cut.version,
    frame_rate: formatRational(timeline.format.rate),
    drop_frame: timeline.format.dropFrame,
    start_timecode: toTimecode(timeline.recordStart, timeline.format),
    frames: timeline.frames,
    notes: timeline.notes,
    ranges: input.cut.ranges,
    sources: timeline.sources.map((source) => ({
      content_id: source.contentId,
      name: source.name,
      path: source.path,
      reel: source.reel,
      offline: source.offline,
      frame_rate: formatRational(source.grid.format.rate),
      start_timecode: toTimecode(source.grid.startFrame, source.grid.format),
      frames: source.grid.frames,
    })),
    clips: timeline.clips.map(({ source, rangeIndex, ...clip }) => ({
      range_id: input.cut.ranges[rangeIndex]!.id,
      content_id: source.contentId,
      name: clip.name,
      note: clip.note,
      source_in: clip.sourceIn,
      source_out: clip.sourceOut,
      record_in: clip.recordIn,
      record_out: clip.recordOut,
    })),
    comments: timeline.markers,
  }
  const body = `${JSON.stringify(document, null, 2)}\n`
  if (!isDeepStrictEqual(JSON.parse(body), document)) fail('the document differs')
  return body
}

/** A row for each source, the whole clip on its tape; a file for each rate that they have. */
export function makeCutAles(timeline: CutTimeline): { rate: string; body: string }[] {
  const byRate = Map.groupBy(timeline.sources, (source) =>
    rateLabel(aleFormat(timeline, source).rate),
  )
  return [...byRate].map(([rate, sources]) => {
    const rows = sources.map((source) => ({
      name: source.name,
      tracks: aleTracks(source),
      ...wholeTimes(source, aleFormat(timeline, source)),
      tape: source.tape,
      scene: '',
      take: '',
      file: source.path,
      comments: source.offline ? 'offline' : '',
    }))
    const height = sources.find((source) => source.hasVideo)?.media.height ?? null
    return { rate, body: makeAle(rows, { format: aleFormat(timeline, sources[0]!), height }) }
  })
}

/** Pictures count at their own rate, sound at that of the cut. */
function aleFormat({ format }: CutTimeline, { media, grid }: TrackSource): TimecodeFormat {
  return media.kind === 'video' ? grid.format : format
}

function wholeTimes(source: TrackSource, format: TimecodeFormat) {
  const [start, end] = [0, source.grid.frames].map((frame) => listFrame(source, frame, format))
  return aleTimes(start!, end!, format)
}

/** Comments, and without any a marker at each clip. */
function listedMarkers(timeline: CutTimeline, options: CutExportOptions): AvidMarker[] {
  if (options.comments) {
    return timeline.markers.map((marker) => ({
      start: marker.at,
      frames: marker.out - marker.at,
      user: marker.name,
      color: 'yellow',
      text: marker.text,
    }))
  }
  return timeline.clips.map((clip) => ({
    start: clip.recordIn,
    frames: 1,
    user: 'CutIndex',
    color: 'blue',
    text: clip.note ? `${clip.name}: ${clip.note}` : clip.name,
  }))
}

export function makeCutAvidMarkers(timeline: CutTimeline, options: CutExportOptions): string {
  const hasVideo = timeline.sources.some((source) => source.hasVideo)
  return makeAvidMarkers(listedMarkers(timeline, options), { ...timeline, hasVideo })
}

export function makeCutResolveMarkers(timeline: CutTimeline, options: CutExportOptions): string {
  const { format, recordStart } = timeline
  const plain = (text: string): string => text.replaceAll('|', '/')
  // Resolve keeps one marker for each frame: those that start together become one.
  const groups = [...Map.groupBy(listedMarkers(timeline, options), (marker) => marker.start)]
  const markers = groups.map(([start, group]) => ({
    start,
    frames: Math.max(...group.map((marker) => marker.frames)),
    name: plain(group.map((marker) => marker.text).join(' / ')),
    user: plain(group.map((marker) => marker.user).join(', ')),
  }))
  const lines = [`TITLE: ${timeline.title}`]
  lines.push(`FCM: ${format.dropFrame ? 'DROP FRAME' : 'NON-DROP FRAME'}`, '')
  markers.forEach((marker, index) => {
    const from = toTimecode(recordStart + marker.start, format)
    const to = toTimecode(recordStart + marker.start + 1, format)
    const number = String(index + 1).padStart(3, '0')
    lines.push(`${number}  001      V     C        ${from} ${to} ${from} ${to}  `)
    lines.push(`${marker.user} |C:ResolveColorYellow |M:${marker.name} |D:${marker.frames}`, '')
  })
  const body = `${lines.join('\r\n')}\r\n`
  compareMarkers(readResolveMarkers(body, format, recordStart), markers)
  return body
}

export function makeCutPremiereMarkers(timeline: CutTimeline, options: CutExportOptions): string {
  const { format, recordStart } = timeline
  const markers = listedMarkers(timeline, options).map((marker) => ({
    ...marker,
    frames: marker.frames > 1 ? marker.frames : 0,
    name: marker.user,
  }))
  const rows = markers.map((marker) => [
    marker.name,
    marker.text,
    toTimecode(recordStart + marker.start, format),
    toTimecode(recordStart + marker.start + marker.frames, format),
    toTimecode(marker.frames, format),
  ])
  const body = markerTable(rows)
  compareMarkers(
    readPremiereMarkers(body, format, recordStart),
    markers.map((marker) => ({ ...marker, name: spreadsheetText(marker.name) })),
  )
  return body
}
