/** Every format: how it is named, written, and read back before anyone gets it. */
import { isDeepStrictEqual } from 'node:util'
import type { ExportOptions, MarkerKind } from '../../contract/export-options.ts'
import type { ExportFormat } from '../../contract/export-formats.ts'
import { Findings } from '../../contract/findings.ts'
import { buildCues } from './captions/captions.ts'
import type { Cue } from './captions/captions.ts'
import type { Slate } from '../../contract/findings.ts'
import type { Rational } from '../../contract/rational.ts'
import { slateBefore } from '../../contract/slates.ts'
import { spreadsheetText } from '../../contract/spreadsheet-text.ts'
import { aleTimes, aleTracks, makeAle, sceneAndTake } from './lists/ale.ts'
import { avidColors, makeAvidMarkers } from './lists/avid-markers.ts'
import { csvColumns, csvRows, writeCsv } from './lists/csv.ts'
import { edlParts, writeEdl } from './edl/write.ts'
import { isFrameForFrame, timeOfFrames, writeFcpxml } from './fcpxml/write.ts'
import { ownGrid, withSoundTail } from './timeline/grid.ts'
import { recut, writeJson } from './lists/json.ts'
import {
  markerFrames,
  resolveMarkers,
  writePremiereMarkers,
  writeResolveMarkers,
} from './lists/marker-lists.ts'
import { commentMarkers, sourceMarkers, timelineMarkers } from './timeline/markers.ts'
import type { SourceMarker, TimelineMarker } from './timeline/markers.ts'
import { writeOtio } from './otio/write.ts'
import { ExportRefused } from './refused.ts'
import { compareCues } from './captions/compare.ts'
import { writeSrt, writeVtt } from './captions/subtitles.ts'
import { buildTimeline, slatesOnGrid } from './timeline/timeline.ts'
import type { Timeline, TimelineInput } from './timeline/timeline.ts'
import { compareMarkers, compareTimeline, expectEqual, fail } from './compare.ts'
import type { ReadMarker } from './compare.ts'
import { readEdl } from './edl/read.ts'
import { readFcpxml } from './fcpxml/read.ts'
import { readCsv, readCues, readPremiereMarkers, readResolveMarkers } from './lists/read.ts'
import { readOtio } from './otio/read.ts'
import { readClipMarkers, readXmeml } from './xmeml/read.ts'
import { writeXmeml } from './xmeml/write.ts'

export interface Exporter {
  extension: string
  /** Writes the file and reads it back; a difference throws. */
  make(input: TimelineInput): string
}

export const exporters: Record<ExportFormat, Exporter> = {
  edl: { extension: 'edl', make: makeEdl },
  fcpxml: { extension: 'fcpxml', make: makeFcpxml },
  xml: { extension: 'xml', make: makeXmeml },
  json: { extension: 'json', make: makeJson },
  csv: { extension: 'csv', make: makeCsv },
  srt: { extension: 'srt', make: makeSrt },
  vtt: { extension: 'vtt', make: makeVtt },
  otio: { extension: 'otio', make: makeOtio },
  'resolve-markers': {
    extension: 'markers.edl',
    make: makeResolveMarkers,
  },
  'premiere-markers': {
    extension: 'markers.txt',
    make: makePremiereMarkers,
  },
  ale: { extension: 'ale', make: makeClipAle },
  'avid-markers': {
    extension: 'avid-markers.txt',
    make: makeClipAvidMarkers,
  },
}

const timelineKinds: MarkerKind[] = ['cutpoints', 'lip-flap', 'slates']
const listKinds: MarkerKind[] = ['shots', 'cutpoints', 'removals', 'lip-flap', 'text', 'slates']
const keywordKinds: MarkerKind[] = ['talking', 'lip-flap', 'voice-only', 'removals', 'slates']

function makeEdl(input: TimelineInput): string {
  const { options } = input
  const timeline = buildTimeline(input)
  const parts = edlParts(timeline)
  if (options.edl_part !== undefined && options.edl_part > parts) {
    throw new ExportRefused(`This list has ${parts} part${parts === 1 ? '' : 's'}.`)
  }
  const markers = markersOf(input, timeline, [])
  const whole = writeEdl(timeline, markers, {})
  const read = readEdl(whole, timeline.grid.format, {
    sourceStart: timeline.grid.startFrame,
    recordStart: timeline.recordStart,
  })
  compareTimeline(read, timeline, { soundTracks: Math.min(4, timeline.source.channels) })
  return options.edl_part === undefined ? whole : writeEdl(timeline, markers, options)
}

function makeFcpxml(input: TimelineInput): string {
  const { findings, options } = input
  const timeline = buildTimeline(input)
  const markers = markersOf(input, timeline, timelineKinds)
  const captions = options.captions ? buildCues(timeline, findings, options) : []
  const spoken = findings.transcription?.language ?? 'en'
  const language = options.caption_language === 'english' ? 'en' : spoken
  const own = ownGrid(findings, options, timeline.grid)
  const keywords = sourceMarkers(keywordKinds, findings, options, own).map(asKeyword)
  const lists = { markers, keywords, captions }
  const body = writeFcpxml({ timeline, own, findings, ...lists, language, options })
  const counting = isFrameForFrame(own, timeline.grid) ? own : timeline.grid
  const read = readFcpxml(body, timeline.grid.format, counting.format.rate)
  const ownStart = timeOfFrames(own.startFrame, own.format.rate)
  expectEqual('the start of the asset', read.assetStart, ownStart)
  expectEqual('the version', read.version, options.fcpxml_version)
  compareTimeline(read, timeline, {
    soundTracks: timeline.source.audio.length,
    markers: markers.map((marker) => ({ ...meantMarker(marker), frames: 1 })),
  })
  expectEqual('the number of captions', read.captions.length, captions.length)
  captions.forEach((cue, index) => {
    const got = read.captions[index]!
    expectEqual(`caption ${index + 1}: start`, got.start, cue.start)
    expectEqual(`caption ${index + 1}: frames`, got.frames, cue.end - cue.start)
    expectEqual(`caption ${index + 1}: text`, got.text, cue.lines.join('\n'))
  })
  return body
}

function makeXmeml(input: TimelineInput): string {
  const timeline = buildTimeline(input)
  const markers = markersOf(input, timeline, timelineKinds)
  const body = writeXmeml(timeline, markers, input.options)
  const onClips = input.options.markers_on === 'clips'
  const read = readXmeml(body, timeline.grid.format)
  compareTimeline(read, timeline, {
    soundTracks: timeline.source.channels,
    markers: onClips ? undefined : markers.map(meantMarker),
  })
  if (onClips)
    compareMarkers(
      readClipMarkers(body),
      markers.map((one) => onSource(one, timeline)),
    )
  return body
}

function makeOtio(input: TimelineInput): string {
  const timeline = buildTimeline(input)
  const markers = markersOf(input, timeline, timelineKinds)
  const body = writeOtio(timeline, markers, input.options)
  compareTimeline(readOtio(body, timeline.grid.format), timeline, {
    soundTracks: timeline.source.audio.length,
    markers: markers.map((marker) => ({ ...meantMarker(marker), name: marker.name })),
  })
  return body
}

function makeResolveMarkers(input: TimelineInput): string {
  const timeline = buildTimeline(input)
  const markers = markersOf(input, timeline, listKinds)
  const body = writeResolveMarkers(timeline, markers)
  const read = readResolveMarkers(body, timeline.grid.format, timeline.recordStart)
  const meant = resolveMarkers(markers).map(({ start, frames, name }) => ({ start, frames, name }))
  compareMarkers(read, meant)
  return body
}

function makePremiereMarkers(input: TimelineInput): string {
  const timeline = buildTimeline(input)
  const markers = markersOf(input, timeline, listKinds)
  const body = writePremiereMarkers(timeline, markers)
  const read = readPremiereMarkers(body, timeline.grid.format, timeline.recordStart)
  compareMarkers(
    read,
    markers.map((marker) => {
      const { start, name } = meantMarker(marker)
      return { start, frames: markerFrames(marker), name: spreadsheetText(name) }
    }),
  )
  return body
}

/** A row for each clip of the timeline, on the tape of its source. */
function makeClipAle(input: TimelineInput): string {
  const timeline = buildTimeline(input)
  const { grid, source } = timeline
  const notes = sceneAndTake(input.findings.ffprobe?.format)
  const slates = slatesOnGrid(input.findings, grid)
  const rows = timeline.clips.map((clip) => ({
    name: clip.name,
    tracks: aleTracks(source),
    ...aleTimes(grid.startFrame + clip.sourceIn, grid.startFrame + clip.sourceOut, grid.format),
    tape: source.tape,
    ...slateNotes(slates, clip.sourceOut, notes),
    file: source.name,
    comments: grid.notes.join(' '),
  }))
  return makeAle(rows, { format: grid.format, height: source.media.height })
}

/** What the camera wrote into the file comes before what was read off the slate. */
function slateNotes(
  slates: readonly Slate[],
  endFrame: number,
  notes: { scene: string; take: string },
) {
  const slate = slateBefore(slates, endFrame)
  return {
    scene: notes.scene || (slate?.scene?.text ?? ''),
    take: notes.take || (slate?.take?.text ?? ''),
    camera: slate?.camera?.text ?? '',
    cameraRoll: slate?.roll?.text ?? '',
    shootDate: slate?.date?.text ?? '',
  }
}

function makeClipAvidMarkers(input: TimelineInput): string {
  const timeline = buildTimeline(input)
  const markers = markersOf(input, timeline, listKinds).map((marker) => ({
    start: marker.recordStart,
    frames: marker.recordEnd - marker.recordStart,
    user: 'CutIndex',
    color: avidColors[marker.kind],
    text: [marker.name || marker.kind, marker.note].filter(Boolean).join(': '),
  }))
  return makeAvidMarkers(markers, {
    format: timeline.grid.format,
    recordStart: timeline.recordStart,
    hasVideo: timeline.source.hasVideo,
  })
}

function makeSrt(input: TimelineInput): string {
  const { cues, rate } = captionsOf(input)
  const body = writeSrt(cues, rate)
  compareCues(readCues(body, ','), cues, { rate, textOf: (cue) => cue.lines.join('\n') })
  return body
}

function makeVtt(input: TimelineInput): string {
  const { timeline, cues, rate } = captionsOf(input)
  const body = writeVtt(cues, rate, timeline.grid.notes)
  compareCues(readCues(body, '.'), cues, { rate, textOf: null })
  return body
}

function makeJson(input: TimelineInput): string {
  const body = writeJson(input.findings, input.options)
  const read = Findings.parse(JSON.parse(body))
  const meant = Findings.parse(recut(input.findings, input.options))
  if (!isDeepStrictEqual(read, meant)) fail('the findings differ')
  return body
}

function makeCsv(input: TimelineInput): string {
  const body = writeCsv(input.findings, input.options)
  const [head, ...rows] = readCsv(body)
  if (!isDeepStrictEqual(head, [...csvColumns])) fail('the columns of the CSV')
  const meant = csvRows(input.findings, input.options)
  expectEqual('the number of rows', rows.length, meant.length)
  meant.forEach((row, index) => {
    const got = rows[index]!
    expectEqual(`row ${index + 1}: columns`, got.length, csvColumns.length)
    expectEqual(`row ${index + 1}: section`, got[0], row.section)
    expectEqual(`row ${index + 1}: start`, got[3], String(row.span.start_frame))
    expectEqual(`row ${index + 1}: end`, got[4], String(row.span.end_frame))
  })
  return body
}

function markersOf(
  input: TimelineInput,
  timeline: Timeline,
  preset: MarkerKind[],
): TimelineMarker[] {
  const kinds = input.options.markers ?? preset
  const found = sourceMarkers(kinds, input.findings, input.options, timeline.grid)
  const comments = input.options.comments ? (input.comments ?? []) : []
  const written = commentMarkers(comments, timeline.grid)
  return timelineMarkers(
    [...found, ...written].sort((a, b) => a.start - b.start || a.end - b.end),
    timeline,
  )
}

function meantMarker(marker: TimelineMarker): ReadMarker {
  return {
    start: marker.recordStart,
    frames: marker.recordEnd - marker.recordStart,
    name: marker.name || marker.kind,
  }
}

/** A marker on a clip counts in the file's frames. */
function onSource(marker: TimelineMarker, timeline: Timeline): ReadMarker {
  const clip = timeline.clips[marker.clip]!
  const meant = meantMarker(marker)
  return { ...meant, start: meant.start + clip.sourceIn - clip.recordIn }
}

/** One keyword for each kind, so that the browser shows few collections. */
function asKeyword(marker: SourceMarker): SourceMarker {
  if (marker.kind === 'slates') {
    return { ...marker, name: marker.name.split(' ')[0]!, note: marker.name }
  }
  if (!marker.name.startsWith('Filler')) return marker
  return { ...marker, name: 'Filler', note: marker.name }
}

function captionsOf(input: TimelineInput): { timeline: Timeline; cues: Cue[]; rate: Rational } {
  const { which } = input.options
  // Captions follow the source unless a shortened timeline is asked for.
  const options: ExportOptions =
    which === 'selects' || which === 'removals-kept'
      ? input.options
      : { ...input.options, which: undefined, selects: undefined, accepted: undefined }
  const cut = buildTimeline({ ...input, options })
  const isShortened = options === input.options
  const timeline = isShortened ? cut : heardToTheEnd(cut, input.findings)
  const { format, playedRate } = timeline.grid
  const cues = buildCues(timeline, input.findings, options)
  return { timeline, cues, rate: isShortened ? format.rate : playedRate }
}

/** Subtitles are read beside the media, whose sound may outlast its picture. */
function heardToTheEnd(timeline: Timeline, findings: Findings): Timeline {
  const grid = withSoundTail(timeline.grid, findings)
  const more = grid.frames - timeline.grid.frames
  const last = timeline.clips.at(-1)!
  const longer = { ...last, sourceOut: last.sourceOut + more, recordOut: last.recordOut + more }
  return {
    ...timeline,
    grid,
    clips: [...timeline.clips.slice(0, -1), longer],
    frames: timeline.frames + more,
  }
}
