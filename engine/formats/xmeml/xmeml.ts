/**
 * FCP7 XML (xmeml version 5) for Premiere and Resolve. `start` and `end` count in frames of the
 * sequence, `in` and `out` in frames of the source from its first. Beside a transition a clip's
 * `start` or `end` is -1 and its `in` or `out` runs on to the far side of it. Each file is
 * described once, each audio channel has a track of its own, and clips that belong together are
 * linked.
 */
import { fileUrl } from '../../timeline/names.ts'
import { channelsOf, mediaTracks } from '../../timeline/timeline.ts'
import type { Item, Marker, MediaTrack, Timeline, Transition } from '../../timeline/timeline.ts'
import { expectSame, markerMeant, placeMeant } from '../compare.ts'
import { timelineMarkers } from '../format.ts'
import type { ExportInput, Format } from '../format.ts'
import { element, renderXml, text, branch } from '../xml/write.ts'
import type { XmlNode } from '../xml/write.ts'
import { frameNode, percentOf, rate, soundMedia, timecode, timeRemap, wholeFile } from './parts.ts'
import { readXmeml } from './read.ts'

export const xmeml: Format = {
  markers: timelineMarkers,
  speed: true,
  angles: true,
  write: writeXmeml,
  check: checkXmeml,
}

interface Writer {
  timeline: Timeline
  tracks: MediaTrack[]
  /** The number of each item on its track. */
  indexes: Map<Item, number>
  /** Markers of the clips on the first track, by item. */
  clipMarkers: Map<number, Marker[]>
  /** Ids of the files that were already described. */
  files: Set<string>
}

function writeXmeml({ timeline, options }: ExportInput): string {
  const onClips = options.markers_on === 'clips'
  const tracks = mediaTracks(timeline, channelsOf)
  const [video, audio] = [
    tracks.filter(({ kind }) => kind === 'video'),
    tracks.filter(({ kind }) => kind === 'audio'),
  ]
  const writer: Writer = {
    timeline,
    tracks,
    indexes: new Map(timeline.tracks.flatMap(({ items }) => items.map((item, at) => [item, at]))),
    clipMarkers: onClips ? Map.groupBy(timeline.markers, (marker) => marker.item) : new Map(),
    files: new Set(),
  }
  const frame = timeline.frame && frameNode(timeline.frame, rate(timeline.format), true)
  const root = element(
    'xmeml',
    { version: '5' },
    element(
      'sequence',
      { id: 'sequence-1' },
      text('name', timeline.title),
      text('duration', timeline.frames),
      rate(timeline.format),
      timecode(timeline.format, timeline.recordStart),
      ...(onClips ? [] : timeline.markers.map((marker) => markerNode(marker, 0))),
      branch(
        'media',
        video.length > 0 &&
          branch(
            'video',
            branch('format', frame),
            ...video.map((track) => branch('track', ...videoItems(writer, track))),
          ),
        audio.length > 0 &&
          soundMedia(
            timeline.sources.find((source) => source.channels > 0)!.audio[0]!.sample_rate,
            audio.map((track) => track.items.map((item) => clipItem(writer, track, item))),
          ),
      ),
    ),
  )
  return renderXml('xmeml', root)
}

function videoItems(writer: Writer, track: MediaTrack): XmlNode[] {
  const { format } = writer.timeline
  return track.items.flatMap((item) => {
    const clip = clipItem(writer, track, item)
    return item.transition ? [transitionItem(item.transition, rate(format)), clip] : [clip]
  })
}

function clipItem(writer: Writer, track: MediaTrack, item: Item): XmlNode {
  const { source } = item
  const isVideo = track.kind === 'video'
  const index = writer.indexes.get(item)!
  const before = isVideo ? item.transition : null
  const after = (isVideo && track.track.items[index + 1]?.transition) || null
  const markers = track === writer.tracks[0] ? writer.clipMarkers.get(index) : undefined
  return element(
    'clipitem',
    { id: clipId(writer, track, item) },
    text('name', item.name),
    text('enabled', 'TRUE'),
    text('duration', source.grid.frames),
    rate(source.grid.format),
    text('start', before ? -1 : item.recordIn),
    text('end', after ? -1 : item.recordOut),
    text('in', item.sourceIn - (before ? before.cut - before.start : 0)),
    text('out', item.sourceOut + (after ? after.end - after.cut : 0)),
    fileNode(writer, item),
    track.stream !== null &&
      branch('sourcetrack', text('mediatype', 'audio'), text('trackindex', track.stream + 1)),
    item.speed !== 1 && timeRemap(item.speed, track.kind),
    ...links(writer, track, item),
    ...(markers ?? []).map((marker) => markerNode(marker, item.sourceIn - item.recordIn)),
  )
}

function clipId({ indexes }: Writer, { kind, number }: MediaTrack, item: Item): string {
  return `clipitem-${kind[0]}${number}-${indexes.get(item)! + 1}`
}

/** Describes a file in full the first time, and by its id afterwards. */
function fileNode({ timeline, files }: Writer, { source }: Item): XmlNode {
  const id = `file-${timeline.sources.indexOf(source) + 1}`
  if (files.has(id)) return element('file', { id })
  files.add(id)
  return wholeFile(id, source)
}

/** Links the clips of an item: its video first, then each channel. */
function links(writer: Writer, { track }: MediaTrack, item: Item): XmlNode[] {
  const own = writer.tracks.filter((other) => other.track === track && other.places.has(item))
  if (own.length < 2) return []
  return own.map((other) =>
    branch(
      'link',
      text('linkclipref', clipId(writer, other, item)),
      text('mediatype', other.kind),
      text('trackindex', other.number),
      text('clipindex', other.places.get(item)! + 1),
    ),
  )
}

function transitionItem({ type, start, end }: Transition, frameRate: XmlNode): XmlNode {
  const wipe = type === 'wipe'
  const name = wipe ? 'Edge Wipe' : 'Cross Dissolve'
  return branch(
    'transitionitem',
    text('name', type === 'fade' ? 'Fade' : name),
    frameRate,
    text('start', start),
    text('end', end),
    text('alignment', 'center'),
    branch(
      'effect',
      text('name', name),
      text('effectid', name),
      text('effectcategory', wipe ? 'Wipe' : 'Dissolve'),
      text('effecttype', 'transition'),
      text('mediatype', 'video'),
      text('wipecode', 0),
      text('wipeaccuracy', 100),
      text('startratio', 0),
      text('endratio', 1),
      text('reverse', 'FALSE'),
    ),
  )
}

/** A marker of one frame has no out point. */
function markerNode({ name, note, start, end }: Marker, shift: number): XmlNode {
  return branch(
    'marker',
    text('name', name),
    text('comment', note),
    text('in', start + shift),
    text('out', end - start > 1 ? end + shift : -1),
  )
}

function checkXmeml(body: string, { timeline, options }: ExportInput): void {
  const tracks = mediaTracks(timeline, channelsOf)
  const onClips = options.markers_on === 'clips'
  const { framesPerDay, dropFrame } = timeline.format
  const used = timeline.sources.filter((source) => source.hasVideo || source.channels > 0)
  expectSame('the sequence', readXmeml(body, timeline), {
    frames: timeline.frames,
    recordStart: timeline.recordStart % framesPerDay,
    dropFrame,
    files: used.map((source) => ({
      url: fileUrl(source.path, 'localhost', '%3a'),
      start: source.grid.startFrame % source.grid.format.framesPerDay,
      dropFrame: source.grid.format.dropFrame,
    })),
    tracks: tracks.map(({ kind, items }) => ({
      kind,
      items: items.map((item) => ({
        ...placeMeant(kind === 'video' ? item : { ...item, transition: null }),
        file: used.indexOf(item.source),
        sourceIn: item.sourceIn,
        sourceOut: item.sourceOut,
        speed: percentOf(item.speed),
      })),
    })),
    markers: timeline.markers.map((marker) => {
      const { recordIn, sourceIn } = timeline.tracks[0]!.items[marker.item]!
      const read = markerMeant(marker)
      return onClips ? { ...read, start: read.start + sourceIn - recordIn } : read
    }),
  })
}
