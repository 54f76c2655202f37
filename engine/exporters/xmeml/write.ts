/**
 * FCP7 XML (xmeml version 5) for Premiere and Resolve. Everything is counted in frames of the
 * sequence: `start`/`end` on the timeline, `in`/`out` in the file from its first frame. Beside a
 * transition a clip's `start` or `end` is -1 and its `in` or `out` runs on to the far side of it.
 * Each audio channel of each stream has its own track; clips that belong together are linked.
 */
import type { ExportOptions } from '../../../contract/export-options.ts'
import { isNtsc, toTimecode } from '../../../contract/timecode.ts'
import type { TimelineMarker } from '../timeline/markers.ts'
import { fileUrl } from '../timeline/names.ts'
import type { Clip, Timeline, Transition } from '../timeline/timeline.ts'
import { element, renderXml, text } from '../xml/write.ts'
import type { XmlNode } from '../xml/write.ts'

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
  const tracks = Array.from({ length: source.channels }, (_, index) => index)
  const root = element(
    'xmeml',
    { version: '5' },
    element(
      'sequence',
      { id: 'sequence-1' },
      text('name', timeline.title),
      text('duration', timeline.frames),
      rate(timeline),
      timecode(timeline, timeline.recordStart),
      ...(onClips ? [] : markers.map(sequenceMarker)),
      element(
        'media',
        {},
        source.hasVideo &&
          element(
            'video',
            {},
            element('format', {}, pictureCharacteristics(timeline, true)),
            element('track', {}, ...pictureItems(writer)),
          ),
        source.channels > 0 && sound(writer, tracks),
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

function rate(timeline: Timeline): XmlNode {
  const { format } = timeline.grid
  return element(
    'rate',
    {},
    text('timebase', format.nominal),
    text('ntsc', isNtsc(format.rate) ? 'TRUE' : 'FALSE'),
  )
}

function timecode(timeline: Timeline, frame: number, reel?: string): XmlNode {
  const { format } = timeline.grid
  const wrapped = frame % format.framesPerDay
  return element(
    'timecode',
    {},
    rate(timeline),
    text('string', toTimecode(wrapped, format)),
    text('frame', wrapped),
    text('displayformat', format.dropFrame ? 'DF' : 'NDF'),
    reel !== undefined && element('reel', {}, text('name', reel)),
  )
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
    { id: clipId('v', 0, index) },
    text('name', clip.name),
    text('enabled', 'TRUE'),
    text('duration', timeline.grid.frames),
    rate(timeline),
    text('start', before ? -1 : clip.recordIn),
    text('end', after ? -1 : clip.recordOut),
    text('in', clip.sourceIn - (before ? before.cut - before.start : 0)),
    text('out', clip.sourceOut + (after ? after.end - after.cut : 0)),
    file(writer),
    ...links(timeline, index),
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
    rate(timeline),
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

function sound(writer: Writer, tracks: number[]): XmlNode {
  const { timeline } = writer
  const outputs = tracks.length > 1 ? [1, 2] : [1]
  return element(
    'audio',
    {},
    element('format', {}, soundCharacteristics(timeline.source.audio[0]!.sample_rate)),
    element(
      'outputs',
      {},
      ...outputs.map((index) =>
        element(
          'group',
          {},
          text('index', index),
          text('numchannels', 1),
          text('downmix', 0),
          element('channel', {}, text('index', index)),
        ),
      ),
    ),
    ...tracks.map((track) =>
      element(
        'track',
        {},
        ...timeline.clips.map((clip, index) => soundItem(writer, { clip, index, track })),
        text('outputchannelindex', (track % 2) + 1),
      ),
    ),
  )
}

function soundItem(writer: Writer, of: { clip: Clip; index: number; track: number }): XmlNode {
  const { clip, index, track } = of
  const { timeline } = writer
  const alone = !timeline.source.hasVideo && track === 0
  return element(
    'clipitem',
    { id: clipId('a', track, index) },
    text('name', clip.name),
    text('enabled', 'TRUE'),
    text('duration', timeline.grid.frames),
    rate(timeline),
    text('start', clip.recordIn),
    text('end', clip.recordOut),
    text('in', clip.sourceIn),
    text('out', clip.sourceOut),
    file(writer),
    element('sourcetrack', {}, text('mediatype', 'audio'), text('trackindex', track + 1)),
    ...links(timeline, index),
    ...(alone ? clipMarkers(writer, clip, index) : []),
  )
}

function clipId(kind: 'v' | 'a', track: number, index: number): string {
  return `clipitem-${kind}${track + 1}-${index + 1}`
}

function links(timeline: Timeline, index: number): XmlNode[] {
  const { source } = timeline
  const members: { kind: 'v' | 'a'; track: number }[] = [
    ...(source.hasVideo ? [{ kind: 'v' as const, track: 0 }] : []),
    ...Array.from({ length: source.channels }, (_, track) => ({ kind: 'a' as const, track })),
  ]
  if (members.length < 2) return []
  return members.map(({ kind, track }) =>
    element(
      'link',
      {},
      text('linkclipref', clipId(kind, track, index)),
      text('mediatype', kind === 'v' ? 'video' : 'audio'),
      text('trackindex', track + 1),
      text('clipindex', index + 1),
    ),
  )
}

function file(writer: Writer): XmlNode {
  if (writer.fileWritten) return element('file', { id: 'file-1' })
  writer.fileWritten = true
  const { timeline } = writer
  const { grid, source } = timeline
  let channel = 0
  return element(
    'file',
    { id: 'file-1' },
    text('name', source.name),
    text('pathurl', fileUrl(source.path, 'localhost', '%3a')),
    rate(timeline),
    text('duration', grid.frames),
    timecode(timeline, grid.startFrame, source.reel === 'AX' ? undefined : source.reel),
    element(
      'media',
      {},
      source.hasVideo &&
        element(
          'video',
          {},
          text('duration', grid.frames),
          pictureCharacteristics(timeline, false),
        ),
      ...source.audio.map((track) =>
        element(
          'audio',
          {},
          soundCharacteristics(track.sample_rate),
          text('channelcount', track.channels),
          ...Array.from({ length: track.channels }, () =>
            element('audiochannel', {}, text('sourcechannel', ++channel)),
          ),
        ),
      ),
    ),
  )
}

function pictureCharacteristics(timeline: Timeline, upright: boolean): XmlNode {
  return picture(timeline.source.media, rate(timeline), upright)
}

export function picture(
  media: Timeline['source']['media'],
  frameRate: XmlNode,
  upright: boolean,
): XmlNode {
  const turned = upright && media.rotation % 180 !== 0
  const [width, height] = turned ? [media.height, media.width] : [media.width, media.height]
  return element(
    'samplecharacteristics',
    {},
    frameRate,
    text('width', width ?? 1920),
    text('height', height ?? 1080),
    text('anamorphic', 'FALSE'),
    text('pixelaspectratio', pixelAspect(media)),
    text('fielddominance', fieldsOf(media)),
  )
}

function fieldsOf({ field_order: order }: Timeline['source']['media']): string {
  return order === 'upper' || order === 'lower' ? order : 'none'
}

/** The named ratios of the format; any other is left to the file itself. */
function pixelAspect(media: Timeline['source']['media']): string {
  if (media.pixel_aspect === null || media.pixel_aspect === '1/1') return 'square'
  if (media.width === 1440 && media.height === 1080) return 'HD-(1440x1080)'
  if (media.width === 1280 && media.height === 1080) return 'HD-(1280x1080)'
  if (media.width === 960 && media.height === 720) return 'HD-(960x720)'
  if (media.width === 720 && media.height === 576) return 'PAL-601'
  if (media.width === 720 && (media.height === 480 || media.height === 486)) return 'NTSC-601'
  return 'square'
}

export function soundCharacteristics(sampleRate: number): XmlNode {
  return element('samplecharacteristics', {}, text('depth', 16), text('samplerate', sampleRate))
}

function sequenceMarker(marker: TimelineMarker): XmlNode {
  return markerNode(marker, marker.recordStart, marker.recordEnd)
}

function clipMarkers(writer: Writer, clip: Clip, index: number): XmlNode[] {
  return (writer.clipMarkers.get(index) ?? []).map((marker) => {
    const shift = clip.sourceIn - clip.recordIn
    return markerNode(marker, marker.recordStart + shift, marker.recordEnd + shift)
  })
}

/** A marker of one frame has no out point. */
function markerNode(marker: TimelineMarker, start: number, end: number): XmlNode {
  return element(
    'marker',
    {},
    text('name', marker.name || marker.kind),
    text('comment', marker.note),
    text('in', start),
    text('out', end - start > 1 ? end : -1),
  )
}
