/** A sync group as FCP7 XML: a picture track for each camera, a sound track for each channel, linked. */
import { expectEqual, fail } from '../compare.ts'
import { clipPlace, file, xmemlDocument } from '../cut/xmeml.ts'
import type { TrackSource } from '../cut/timeline.ts'
import { fileUrl } from '../timeline/names.ts'
import { child, childrenOf, integer, readXml } from '../xml/tree.ts'
import type { Tree } from '../xml/tree.ts'
import { element, text } from '../xml/write.ts'
import type { XmlNode } from '../xml/write.ts'
import { picture, rate, soundMedia } from '../xmeml/parts.ts'
import type { SyncClip, SyncTimeline } from './timeline.ts'

interface Track {
  clip: SyncClip
  /** Null: the picture. */
  channel: number | null
  /** Counted from 1 among the tracks of its kind. */
  number: number
}

export function makeSyncXmeml(timeline: SyncTimeline): string {
  const { pictures, sounds } = tracksOf(timeline)
  const written = new Set<TrackSource>()
  const seen = timeline.sources.find((source) => source.hasVideo)
  const body = xmemlDocument(
    timeline,
    element(
      'media',
      {},
      seen &&
        element(
          'video',
          {},
          element('format', {}, picture(seen.media, rate(timeline.format), true)),
          ...pictures.map((track) => element('track', {}, item(timeline, track, written))),
        ),
      sounds.length > 0 &&
        soundMedia(soundRateOf(timeline), sounds.length, (track) => [
          item(timeline, sounds[track]!, written),
        ]),
    ),
  )
  checkSyncXmeml(body, timeline)
  return body
}

/** The first angle lies lowest. */
function tracksOf(timeline: SyncTimeline): { pictures: Track[]; sounds: Track[] } {
  const pictures = timeline.clips
    .filter(({ source }) => source.hasVideo)
    .map((clip, index) => ({ clip, channel: null, number: index + 1 }))
  const sounds = timeline.clips
    .flatMap((clip) =>
      Array.from({ length: clip.source.channels }, (_, channel) => ({ clip, channel })),
    )
    .map((track, index) => ({ ...track, number: index + 1 }))
  return { pictures, sounds }
}

function soundRateOf(timeline: SyncTimeline): number {
  return timeline.sources.find((source) => source.audio[0])!.audio[0]!.sample_rate
}

function item(timeline: SyncTimeline, track: Track, written: Set<TrackSource>): XmlNode {
  const { clip, channel } = track
  const { source } = clip
  return element(
    'clipitem',
    { id: clipId(track) },
    text('name', source.name),
    ...clipPlace(clip),
    file(timeline, source, written),
    channel !== null &&
      element('sourcetrack', {}, text('mediatype', 'audio'), text('trackindex', channel + 1)),
    clip.speed !== 1 && timeRemap(clip.speed, channel === null ? 'video' : 'audio'),
    ...links(timeline, clip),
  )
}

/** A constant speed in percent, exact to a tenth of a millionth. */
function timeRemap(speed: number, kind: 'video' | 'audio'): XmlNode {
  const parameter = (id: string, value: string | number, ...limits: XmlNode[]): XmlNode =>
    element(
      'parameter',
      {},
      text('parameterid', id),
      text('name', id),
      ...limits,
      text('value', value),
    )
  return element(
    'filter',
    {},
    element(
      'effect',
      {},
      text('name', 'Time Remap'),
      text('effectid', 'timeremap'),
      text('effectcategory', 'motion'),
      text('effecttype', 'motion'),
      text('mediatype', kind),
      parameter('variablespeed', 0, text('valuemin', 0), text('valuemax', 1)),
      parameter('speed', percentOf(speed), text('valuemin', -100_000), text('valuemax', 100_000)),
      parameter('reverse', 'FALSE'),
      parameter('frameblending', 'FALSE'),
    ),
  )
}

function percentOf(speed: number): string {
  return (speed * 100).toFixed(5)
}

function clipId({ channel, number }: Track): string {
  return `clipitem-${channel === null ? 'v' : 'a'}${number}`
}

function links(timeline: SyncTimeline, clip: SyncClip): XmlNode[] {
  const { pictures, sounds } = tracksOf(timeline)
  const own = [...pictures, ...sounds].filter((track) => track.clip === clip)
  if (own.length < 2) return []
  return own.map((track) =>
    element(
      'link',
      {},
      text('linkclipref', clipId(track)),
      text('mediatype', track.channel === null ? 'video' : 'audio'),
      text('trackindex', track.number),
      text('clipindex', 1),
    ),
  )
}

function speedIn(item: Tree): string {
  const filters = childrenOf(item, 'filter').flatMap((filter) =>
    childrenOf(child(filter, 'effect'), 'parameter'),
  )
  const speed = filters.find((parameter) => child(parameter, 'parameterid').text === 'speed')
  return speed ? child(speed, 'value').text : percentOf(1)
}

export function checkSyncXmeml(body: string, timeline: SyncTimeline): void {
  const sequence = child(readXml(body, 'xmeml'), 'sequence')
  expectEqual('the length', integer(sequence, 'duration'), timeline.frames)
  const media = child(sequence, 'media')
  const { pictures, sounds } = tracksOf(timeline)
  const files = new Map<string, string>()
  const compareTracks = (found: readonly Tree[], meant: readonly Track[]): void => {
    expectEqual('the number of tracks', found.length, meant.length)
    found.forEach((track, index) => {
      const { clip } = meant[index]!
      const one = child(track, 'clipitem')
      const of = child(one, 'file')
      const id = of.attributes['id'] ?? fail('a file has no id')
      if (of.children.length > 0) files.set(id, child(of, 'pathurl').text)
      expectEqual('a file', files.get(id), fileUrl(clip.source.path, 'localhost', '%3a'))
      expectEqual(`track ${index + 1}: start`, integer(one, 'start'), clip.recordIn)
      expectEqual(`track ${index + 1}: end`, integer(one, 'end'), clip.recordOut)
      expectEqual(`track ${index + 1}: in`, integer(one, 'in'), clip.sourceIn)
      expectEqual(`track ${index + 1}: out`, integer(one, 'out'), clip.sourceOut)
      expectEqual(`track ${index + 1}: speed`, speedIn(one), percentOf(clip.speed))
    })
  }
  const tracks = (name: string): Tree[] => {
    const kind = media.children.find((one) => one.name === name)
    return kind ? childrenOf(kind, 'track') : []
  }
  compareTracks(tracks('video'), pictures)
  compareTracks(tracks('audio'), sounds)
}
