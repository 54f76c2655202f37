/** Reads an FCPXML back: every time must be a whole number of frames. */
import { multiply, rational } from '../../../contract/rational.ts'
import type { TimecodeFormat } from '../../../contract/timecode.ts'
import { expectEqual, fail } from '../compare.ts'
import type { ReadClip, ReadMarker, ReadTimeline } from '../compare.ts'
import { attribute, child, childrenOf, readXml } from '../xml/tree.ts'
import type { Tree } from '../xml/tree.ts'

export interface ReadFcpxml extends ReadTimeline {
  version: string
  audioSources: number
  captions: { start: number; frames: number; text: string }[]
}

export function readFcpxml(body: string, format: TimecodeFormat): ReadFcpxml {
  const root = readXml(body, 'fcpxml')
  const frames = (text: string) => framesOf(text, format)
  const asset = child(child(root, 'resources'), 'asset')
  const sequence = child(child(child(child(root, 'library'), 'event'), 'project'), 'sequence')
  const frame = frames(attribute(child(child(root, 'resources'), 'format'), 'frameDuration'))
  expectEqual('the frame duration', frame, 1)
  const recordStart = frames(attribute(sequence, 'tcStart'))
  const sourceStart = frames(attribute(asset, 'start'))
  const assetFrames = frames(attribute(asset, 'duration'))
  const items = child(sequence, 'spine').children
  const clips = items.filter((item) => item.name === 'asset-clip')
  const audioSources = Number(asset.attributes['audioSources'] ?? 0)
  const read = items.flatMap((item, index) => {
    if (item.name !== 'asset-clip') return []
    const before = items[index - 1]
    return [
      readClip(item, before?.name === 'transition' ? before : null, frames, {
        recordStart,
        sourceStart,
      }),
    ]
  })
  for (const clip of read) {
    if (clip.sourceOut > assetFrames) fail('a clip outlasts its asset')
  }
  expectEqual(
    'the length of the sequence',
    frames(attribute(sequence, 'duration')),
    read.at(-1)?.recordOut,
  )
  const hasVideo = asset.attributes['hasVideo'] === '1'
  const straight = read.map((clip) => ({ ...clip, transition: null }))
  return {
    version: attribute(root, 'version'),
    recordStart: recordStart % format.framesPerDay,
    sourceStart: sourceStart % format.framesPerDay,
    dropFrame: attribute(sequence, 'tcFormat') === 'DF',
    picture: hasVideo ? read : [],
    sound: Array.from({ length: audioSources }, () => straight),
    audioSources,
    markers: clips.flatMap((clip, index) => readMarkers(clip, read[index]!, frames, sourceStart)),
    captions: clips.flatMap((clip, index) => readCaptions(clip, read[index]!, frames, sourceStart)),
  }
}

function framesOf(text: string, format: TimecodeFormat): number {
  const match = /^(\d+)(?:\/(\d+))?s$/.exec(text)
  if (!match) fail(`${text} is no time`)
  const count = multiply(rational(BigInt(match[1]!), BigInt(match[2] ?? 1)), format.rate)
  return count.den === 1n ? Number(count.num) : fail(`${text} is not on a frame`)
}

type Frames = (text: string) => number

function readClip(
  clip: Tree,
  transition: Tree | null,
  frames: Frames,
  from: { recordStart: number; sourceStart: number },
): ReadClip {
  const recordIn = frames(attribute(clip, 'offset')) - from.recordStart
  const sourceIn = frames(attribute(clip, 'start')) - from.sourceStart
  const length = frames(attribute(clip, 'duration'))
  const start = transition && frames(attribute(transition, 'offset')) - from.recordStart
  return {
    sourceIn,
    sourceOut: sourceIn + length,
    recordIn,
    recordOut: recordIn + length,
    transition:
      transition && start !== null
        ? { start, end: start + frames(attribute(transition, 'duration')) }
        : null,
  }
}

function readMarkers(
  clip: Tree,
  range: ReadClip,
  frames: Frames,
  sourceStart: number,
): ReadMarker[] {
  return childrenOf(clip, 'marker').map((marker) => {
    const at = frames(attribute(marker, 'start')) - sourceStart
    if (at < range.sourceIn || at >= range.sourceOut) fail('a marker lies outside its clip')
    return {
      start: range.recordIn + at - range.sourceIn,
      frames: frames(attribute(marker, 'duration')),
      name: attribute(marker, 'value'),
    }
  })
}

function readCaptions(clip: Tree, range: ReadClip, frames: Frames, sourceStart: number) {
  return childrenOf(clip, 'caption').map((caption) => ({
    start: range.recordIn + frames(attribute(caption, 'offset')) - sourceStart - range.sourceIn,
    frames: frames(attribute(caption, 'duration')),
    text: child(child(caption, 'text'), 'text-style').text,
  }))
}
