/**
 * Reads an FCPXML back: every time of the timeline must be a whole number of frames. A file of
 * another rate has its own frames, so a clip is read at the timeline's frame nearest to its start.
 */
import { add, compare, multiply, rational, round, subtract } from '../../../domain/time/rational.ts'
import type { Rational } from '../../../domain/time/rational.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import { fail } from '../compare.ts'
import { attribute, child, childrenOf, readXml } from '../xml/tree.ts'
import type { Tree } from '../xml/tree.ts'
import { isFrameForFrame } from './times.ts'

export function readFcpxml(body: string, timeline: Timeline) {
  const root = readXml(body, 'fcpxml')
  const resources = child(root, 'resources')
  const sequence = child(child(child(child(root, 'library'), 'event'), 'project'), 'sequence')
  const assets = childrenOf(resources, 'asset')
  const recordStart = framesIn(attribute(sequence, 'tcStart'), timeline.format.rate)
  const reader: Reader = { timeline, recordStart, assets: new Map() }
  assets.forEach((asset, index) => reader.assets.set(attribute(asset, 'id'), { asset, index }))
  const media = childrenOf(resources, 'media')[0]
  const tracks = media
    ? childrenOf(child(media, 'multicam'), 'mc-angle')
    : [child(sequence, 'spine')]
  const items = tracks.map((track) => readTrack(track, reader))
  const clips = items.flat()
  return {
    version: attribute(root, 'version'),
    frameDuration: attribute(child(resources, 'format'), 'frameDuration'),
    recordStart,
    frames: framesIn(attribute(sequence, 'duration'), timeline.format.rate),
    dropFrame: attribute(sequence, 'tcFormat') === 'DF',
    assets: assets.map(({ attributes, ...asset }) => ({
      url: attribute(child({ attributes, ...asset }, 'media-rep'), 'src'),
      start: attributes['start'],
      hasVideo: attributes['hasVideo'] === '1',
      audioSources: Number(attributes['audioSources'] ?? 0),
    })),
    tracks: items,
    markers: clips.flatMap((clip) => clip.markers),
    captions: clips.flatMap((clip) => clip.captions),
  }
}

interface Reader {
  timeline: Timeline
  recordStart: number
  assets: Map<string, { asset: Tree; index: number }>
}

/** Reads a track; items must be adjacent or have a gap element between them. */
function readTrack(track: Tree, reader: Reader) {
  const { rate } = reader.timeline.format
  let at = 0
  return track.children.flatMap((node, index) => {
    if (node.name === 'transition' || node.name === 'mc-clip') return []
    const offset = framesIn(attribute(node, 'offset'), rate) - reader.recordStart
    if (offset !== at) fail(`<${node.name}> lies at ${offset}, after ${at}`)
    at += framesIn(attribute(node, 'duration'), rate)
    if (node.name === 'gap') return []
    const before = track.children[index - 1]
    const soft = before?.name === 'transition' ? before : null
    return [
      {
        ...readClip(node, reader, { recordIn: offset, recordOut: at }),
        transition: soft && readTransition(soft, reader),
      },
    ]
  })
}

function readTransition(node: Tree, { timeline, recordStart }: Reader) {
  const { rate } = timeline.format
  const start = framesIn(attribute(node, 'offset'), rate) - recordStart
  return { start, end: start + framesIn(attribute(node, 'duration'), rate) }
}

function readClip(
  clip: Tree,
  { timeline, assets }: Reader,
  place: { recordIn: number; recordOut: number },
) {
  const { rate } = timeline.format
  const { asset, index } = assets.get(attribute(clip, 'ref')) ?? fail('a clip has no asset')
  const source = timeline.sources[index] ?? fail(`there is no source ${index}`)
  const start = secondsOf(attribute(clip, 'start'))
  const since = subtract(start, secondsOf(attribute(asset, 'start')))
  const counted = isFrameForFrame(source) ? source.fileGrid : source.grid
  const length = secondsOf(attribute(clip, 'duration'))
  if (
    !source.conformed &&
    compare(add(since, length), secondsOf(attribute(asset, 'duration'))) > 0
  ) {
    fail('a clip outlasts its asset')
  }
  const frameAt = (time: string): number =>
    place.recordIn + wholeFrames(subtract(secondsOf(time), start), rate)
  return {
    ...place,
    asset: index,
    sourceIn:
      source.fileGrid === source.grid
        ? wholeFrames(since, source.grid.format.rate)
        : Number(round(multiply(since, counted.format.rate))),
    markers: childrenOf(clip, 'marker').map((marker) => {
      const at = frameAt(attribute(marker, 'start'))
      if (at < place.recordIn || at >= place.recordOut) fail('a marker lies outside its clip')
      const frames = framesIn(attribute(marker, 'duration'), rate)
      return { start: at, frames, name: attribute(marker, 'value') }
    }),
    captions: childrenOf(clip, 'caption').map((caption) => ({
      start: frameAt(attribute(caption, 'offset')),
      frames: framesIn(attribute(caption, 'duration'), rate),
      text: child(child(caption, 'text'), 'text-style').text,
    })),
  }
}

function framesIn(time: string, rate: Rational): number {
  return wholeFrames(secondsOf(time), rate)
}

function wholeFrames(time: Rational, rate: Rational): number {
  const count = multiply(time, rate)
  return count.den === 1n ? Number(count.num) : fail(`${time.num}/${time.den} s is not on a frame`)
}

function secondsOf(text: string): Rational {
  const match = /^(\d+)(?:\/(\d+))?s$/.exec(text)
  return match ? rational(BigInt(match[1]!), BigInt(match[2] ?? 1)) : fail(`${text} is no time`)
}
