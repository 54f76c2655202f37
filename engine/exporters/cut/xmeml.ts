/**
 * A cut as FCP7 XML. `start` and `end` count in frames of the sequence, `in` and `out` in frames of
 * the source, whose rate stands in the clip. Each source is described once as a file; channels lie on
 * tracks of their own, as many as the source with the most of them has.
 */
import { expectEqual, fail } from '../compare.ts'
import { fileUrl } from '../timeline/names.ts'
import { child, childrenOf, integer, readXml } from '../xml/tree.ts'
import type { Tree } from '../xml/tree.ts'
import { element, renderXml, text } from '../xml/write.ts'
import type { XmlNode } from '../xml/write.ts'
import {
  clipId,
  links,
  marker,
  picture,
  rate,
  soundMedia,
  timecode,
  wholeFile,
} from '../xmeml/parts.ts'
import type { CutClip, CutTimeline, TrackSource } from './timeline.ts'

export function makeCutXmeml(timeline: CutTimeline): string {
  const seen = timeline.sources.some((source) => source.hasVideo)
  const channels = Math.max(0, ...timeline.sources.map((source) => source.channels))
  const written = new Set<TrackSource>()
  const body = xmemlDocument(
    timeline,
    ...timeline.markers.map(({ name, text: note, at: start, out: end }) =>
      marker({ name: name || 'Comment', note, start, end }),
    ),
    element(
      'media',
      {},
      seen && pictureTrack(timeline, written),
      channels > 0 && soundTracks(timeline, channels, written),
    ),
  )
  checkCutXmeml(body, timeline, channels)
  return body
}

export function xmemlDocument(
  timeline: Omit<CutTimeline, 'clips'>,
  ...children: readonly XmlNode[]
): string {
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
      ...children,
    ),
  )
  return renderXml('xmeml', root)
}

function pictureTrack(timeline: CutTimeline, written: Set<TrackSource>): XmlNode {
  return element(
    'video',
    {},
    element('format', {}, picture(timeline.picture!, rate(timeline.format), true)),
    element(
      'track',
      {},
      ...timeline.clips.flatMap((clip, index) =>
        clip.source.hasVideo ? [item(timeline, { clip, index, track: null }, written)] : [],
      ),
    ),
  )
}

function soundTracks(timeline: CutTimeline, channels: number, written: Set<TrackSource>): XmlNode {
  const sampleRate = timeline.sources.find((one) => one.audio[0])!.audio[0]!.sample_rate
  return soundMedia(sampleRate, channels, (track) =>
    timeline.clips.flatMap((clip, index) =>
      clip.source.channels > track ? [item(timeline, { clip, index, track }, written)] : [],
    ),
  )
}

function item(
  timeline: CutTimeline,
  { clip, index, track }: { clip: CutClip; index: number; track: number | null },
  written: Set<TrackSource>,
): XmlNode {
  const { source } = clip
  return element(
    'clipitem',
    { id: clipId(track, index) },
    text('name', clip.name),
    ...clipPlace(clip),
    file(timeline, source, written),
    track !== null &&
      element('sourcetrack', {}, text('mediatype', 'audio'), text('trackindex', track + 1)),
    ...links(source, index, (on) => placeOf(timeline, index, on)),
  )
}

/** Where a clip lies, and what it shows of its source. */
export function clipPlace(clip: CutClip): XmlNode[] {
  const { grid } = clip.source
  return [
    text('enabled', 'TRUE'),
    text('duration', grid.frames),
    rate(grid.format),
    text('start', clip.recordIn),
    text('end', clip.recordOut),
    text('in', clip.sourceIn),
    text('out', clip.sourceOut),
  ]
}

/** How many clips before this one lie on the same track. */
function placeOf(timeline: CutTimeline, index: number, track: number | null): number {
  return timeline.clips
    .slice(0, index)
    .filter(({ source }) => (track === null ? source.hasVideo : source.channels > track)).length
}

/** The whole file the first time, its id from then on. */
export function file(
  timeline: Pick<CutTimeline, 'sources'>,
  source: TrackSource,
  written: Set<TrackSource>,
): XmlNode {
  const id = `file-${timeline.sources.indexOf(source) + 1}`
  if (written.has(source)) return element('file', { id })
  written.add(source)
  return wholeFile(id, source, source.grid)
}

export function checkCutXmeml(body: string, timeline: CutTimeline, channels: number): void {
  const sequence = child(readXml(body, 'xmeml'), 'sequence')
  const media = child(sequence, 'media')
  expectEqual('the length', integer(sequence, 'duration'), timeline.frames)
  const files = new Map<string, string>()
  const compareTrack = (track: Tree, meant: readonly CutClip[]): void => {
    const items = childrenOf(track, 'clipitem')
    expectEqual('the number of clips', items.length, meant.length)
    items.forEach((one, index) => {
      const clip = meant[index]!
      const found = child(one, 'file')
      const id = found.attributes['id'] ?? fail('a file has no id')
      if (found.children.length > 0) files.set(id, child(found, 'pathurl').text)
      expectEqual('a file', files.get(id), fileUrl(clip.source.path, 'localhost', '%3a'))
      expectEqual(`clip ${index + 1}: start`, integer(one, 'start'), clip.recordIn)
      expectEqual(`clip ${index + 1}: end`, integer(one, 'end'), clip.recordOut)
      expectEqual(`clip ${index + 1}: in`, integer(one, 'in'), clip.sourceIn)
      expectEqual(`clip ${index + 1}: out`, integer(one, 'out'), clip.sourceOut)
      const own = integer(child(one, 'rate'), 'timebase')
      expectEqual(`clip ${index + 1}: rate`, own, clip.source.grid.format.nominal)
    })
  }
  const video = media.children.find((one) => one.name === 'video')
  const seen = timeline.clips.filter((clip) => clip.source.hasVideo)
  if (seen.length > 0) compareTrack(child(video ?? fail('no picture'), 'track'), seen)
  const audio = media.children.find((one) => one.name === 'audio')
  const tracks = audio ? childrenOf(audio, 'track') : []
  expectEqual('the number of sound tracks', tracks.length, channels)
  tracks.forEach((track, index) =>
    compareTrack(
      track,
      timeline.clips.filter((clip) => clip.source.channels > index),
    ),
  )
  const markers = childrenOf(sequence, 'marker')
  expectEqual('the number of markers', markers.length, timeline.markers.length)
  markers.forEach((one, index) =>
    expectEqual(`marker ${index + 1}`, integer(one, 'in'), timeline.markers[index]!.at),
  )
}
