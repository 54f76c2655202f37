/**
 * Reads an FCPXML back: every time of the timeline must be a whole number of frames. An asset of
 * another rate has its own frames, so a clip is read at the timeline's frame nearest to its start.
 */
import { add, compare, multiply, rational, round, subtract } from '../../../domain/time/rational.ts'
import type { Rational } from '../../../domain/time/rational.ts'
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import { expectEqual, fail } from '../compare.ts'
import type { ReadClip, ReadMarker, ReadTimeline } from '../compare.ts'
import { attribute, child, childrenOf, readXml } from '../xml/tree.ts'
import type { Tree } from '../xml/tree.ts'

export interface ReadFcpxml extends ReadTimeline {
  version: string
  /** As it is written. */
  assetStart: string
  audioSources: number
  captions: { start: number; frames: number; text: string }[]
}

export function readFcpxml(
  body: string,
  format: TimecodeFormat,
  /** Where the asset has another rate: the one at which its frames are counted. */
  countedAt: Rational = format.rate,
): ReadFcpxml {
  const root = readXml(body, 'fcpxml')
  const frames = (text: string) => framesOf(secondsOf(text), format)
  const asset = child(child(root, 'resources'), 'asset')
  const sequence = child(child(child(child(root, 'library'), 'event'), 'project'), 'sequence')
  const frame = frames(attribute(child(child(root, 'resources'), 'format'), 'frameDuration'))
  expectEqual('the frame duration', frame, 1)
  const recordStart = frames(attribute(sequence, 'tcStart'))
  const assetStart = secondsOf(attribute(asset, 'start'))
  const assetEnd = add(assetStart, secondsOf(attribute(asset, 'duration')))
  const isOwn = (asset.attributes['format'] ?? 'r1') !== attribute(sequence, 'format')
  const sourceFrame = (time: Rational): number =>
    isOwn
      ? Number(round(multiply(subtract(time, assetStart), countedAt)))
      : framesOf(subtract(time, assetStart), format)
  const items = child(sequence, 'spine').children
  const clips = items.filter((item) => item.name === 'asset-clip')
  const audioSources = Number(asset.attributes['audioSources'] ?? 0)
  const read = items.flatMap((item, index) => {
    if (item.name !== 'asset-clip') return []
    const before = items[index - 1]
    return [
      readClip(item, before?.name === 'transition' ? before : null, frames, {
        recordStart,
        sourceFrame,
      }),
    ]
  })
  for (const clip of clips) {
    const end = add(startOf(clip), secondsOf(attribute(clip, 'duration')))
    if (compare(end, assetEnd) > 0) fail('a clip outlasts its asset')
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
    assetStart: attribute(asset, 'start'),
    sourceStart: isOwn ? null : framesOf(assetStart, format) % format.framesPerDay,
    dropFrame: attribute(sequence, 'tcFormat') === 'DF',
    picture: hasVideo ? read : [],
    sound: Array.from({ length: audioSources }, () => straight),
    audioSources,
    markers: clips.flatMap((clip, index) => readMarkers(clip, read[index]!, format)),
    captions: clips.flatMap((clip, index) => readCaptions(clip, read[index]!, format)),
  }
}

function secondsOf(text: string): Rational {
  const match = /^(\d+)(?:\/(\d+))?s$/.exec(text)
  return match ? rational(BigInt(match[1]!), BigInt(match[2] ?? 1)) : fail(`${text} is no time`)
}

function framesOf(time: Rational, format: TimecodeFormat): number {
  const count = multiply(time, format.rate)
  return count.den === 1n ? Number(count.num) : fail(`${time.num}/${time.den} s is not on a frame`)
}

function startOf(item: Tree): Rational {
  return secondsOf(attribute(item, 'start'))
}

function readClip(
  clip: Tree,
  transition: Tree | null,
  frames: (text: string) => number,
  from: { recordStart: number; sourceFrame: (time: Rational) => number },
): ReadClip {
  const recordIn = frames(attribute(clip, 'offset')) - from.recordStart
  const sourceIn = from.sourceFrame(startOf(clip))
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

function readMarkers(clip: Tree, range: ReadClip, format: TimecodeFormat): ReadMarker[] {
  return childrenOf(clip, 'marker').map((marker) => {
    const start = range.recordIn + framesOf(subtract(startOf(marker), startOf(clip)), format)
    if (start < range.recordIn || start >= range.recordOut) fail('a marker lies outside its clip')
    return {
      start,
      frames: framesOf(secondsOf(attribute(marker, 'duration')), format),
      name: attribute(marker, 'value'),
    }
  })
}

function readCaptions(clip: Tree, range: ReadClip, format: TimecodeFormat) {
  return childrenOf(clip, 'caption').map((caption) => {
    const offset = secondsOf(attribute(caption, 'offset'))
    return {
      start: range.recordIn + framesOf(subtract(offset, startOf(clip)), format),
      frames: framesOf(secondsOf(attribute(caption, 'duration')), format),
      text: child(child(caption, 'text'), 'text-style').text,
    }
  })
}
