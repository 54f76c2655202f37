/**
 * FCP7 XML (xmeml version 5) for Premiere and Resolve. Everything is counted in frames of the
 * sequence: `start`/`end` on the timeline, `in`/`out` in the file from its first frame. Beside a
 * transition a clip's `start` or `end` is -1 and its `in` or `out` runs on to the far side of it.
 * Each audio channel of each stream has its own track; clips that belong together are linked.
 */
import type { ExportOptions } from '../../../contract/footage/export-options.ts'
import type { TimelineMarker } from '../timeline/markers.ts'
import type { Clip, Timeline, Transition } from '../timeline/timeline.ts'
import { element, renderXml, text } from '../xml/write.ts'
import type { XmlNode } from '../xml/write.ts'
import { clipId, links, marker, picture, rate, soundMedia, timecode, wholeFile } from './parts.ts'

export function writeXmeml(
  timeline: Timeline,
  markers: TimelineMarker[],
  options: Pick<ExportOptions, 'markers_on'>,
): string {
  const onClips = options.markers_on === 'clips'
  const writer: Writer = {
    timeline,
    clipMarkers: onClips ? Map.groupBy(markers, (marker) => marker.clip) : new Map(),
    fileWritten: false,
  }
  const { source } = timeline
  const root = element(
    'xmeml',
    { version: '5' },
    element(
      'sequence',
      { id: 'sequence-1' },
      text('name', timeline.title),
      text('duration', timeline.frames),
      rate(timeline.grid.format),
      timecode(timeline.grid.format, timeline.recordStart),
      ...(onClips ? [] : markers.map(sequenceMarker)),
      element(
        'media',
        {},
        source.hasVideo &&
          element(
            'video',
            {},
            element('format', {}, picture(source.media, rate(timeline.grid.format), true)),
            element('track', {}, ...pictureItems(writer)),
          ),
        source.channels > 0 &&
          soundMedia(source.audio[0]!.sample_rate, source.channels, (track) =>
            timeline.clips.map((clip, index) => soundItem(writer, { clip, index, track })),
          ),
      ),
    ),
  )
  return renderXml('xmeml', root)
}

interface Writer {
  timeline: Timeline
  clipMarkers: Map<number, TimelineMarker[]>
  /** The whole file is described once; every other clip names its id. */
  fileWritten: boolean
}

function pictureItems(writer: Writer): XmlNode[] {
  const { timeline } = writer
  return timeline.clips.flatMap((clip, index) => {
    const item = pictureItem(writer, clip, index)
    return clip.transition ? [transitionItem(timeline, clip.transition), item] : [item]
  })
}

function pictureItem(writer: Writer, clip: Clip, index: number): XmlNode {
  const { timeline } = writer
  const before = clip.transition
  const after = timeline.clips[index + 1]?.transition ?? null
  return element(
    'clipitem',
    { id: clipId(null, index) },
    text('name', clip.name),
    text('enabled', 'TRUE'),
    text('duration', timeline.grid.frames),
    rate(timeline.grid.format),
    text('start', before ? -1 : clip.recordIn),
    text('end', after ? -1 : clip.recordOut),
    text('in', clip.sourceIn - (before ? before.cut - before.start : 0)),
    text('out', clip.sourceOut + (after ? after.end - after.cut : 0)),
    file(writer),
    ...links(timeline.source, index, () => index),
    ...clipMarkers(writer, clip, index),
  )
}

function transitionItem(timeline: Timeline, transition: Transition): XmlNode {
  const wipe = transition.type === 'wipe'
  const name = wipe ? 'Edge Wipe' : 'Cross Dissolve'
  return element(
    'transitionitem',
    {},
    text('name', transition.type === 'fade' ? 'Fade' : name),
    rate(timeline.grid.format),
    text('start', transition.start),
    text('end', transition.end),
    text('alignment', 'center'),
    element(
      'effect',
      {},
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

function soundItem(writer: Writer, input: { clip: Clip; index: number; track: number }): XmlNode {
  const { clip, index, track } = input
  const { timeline } = writer
  const alone = !timeline.source.hasVideo && track === 0
  return element(
    'clipitem',
    { id: clipId(track, index) },
    text('name', clip.name),
    text('enabled', 'TRUE'),
    text('duration', timeline.grid.frames),
    rate(timeline.grid.format),
    text('start', clip.recordIn),
    text('end', clip.recordOut),
    text('in', clip.sourceIn),
    text('out', clip.sourceOut),
    file(writer),
    element('sourcetrack', {}, text('mediatype', 'audio'), text('trackindex', track + 1)),
    ...links(timeline.source, index, () => index),
    ...(alone ? clipMarkers(writer, clip, index) : []),
  )
}

function file(writer: Writer): XmlNode {
  if (writer.fileWritten) return element('file', { id: 'file-1' })
  writer.fileWritten = true
  const { grid, source } = writer.timeline
  return wholeFile('file-1', source, grid)
}

function sequenceMarker(one: TimelineMarker): XmlNode {
  return markerNode(one, one.recordStart, one.recordEnd)
}

function clipMarkers(writer: Writer, clip: Clip, index: number): XmlNode[] {
  return (writer.clipMarkers.get(index) ?? []).map((one) => {
    const shift = clip.sourceIn - clip.recordIn
    return markerNode(one, one.recordStart + shift, one.recordEnd + shift)
  })
}

function markerNode({ name, kind, note }: TimelineMarker, start: number, end: number): XmlNode {
  return marker({ name: name || kind, note, start, end })
}
