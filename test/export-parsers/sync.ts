/**
 * Groups in sync, read by the formats' definitions: for each angle the file, its first frame and
 * its place on the common clock. Shares nothing with the exporters or their readers.
 */
import SmpteTimecode from 'smpte-timecode'
import { find, only, parseXml } from './xml.ts'
import type { XmlTree } from './xml.ts'

export interface Angle {
  source: string
  sourceIn: number
  recordIn: number
  recordOut: number
  /** Seconds of the source for each second of the timeline, where it is retimed. */
  speed?: number
}

export function parseMulticam(text: string): Angle[] {
  const root = parseXml(text)
  const resources = only(root, 'resources')
  const byId = new Map(resources.children.map((item) => [item.attributes['id'], item]))
  const multicam = only(resources, 'media', 'multicam')
  const frame = seconds(byId.get(multicam.attributes['format'])!.attributes['frameDuration']!)
  const start = count(seconds(multicam.attributes['tcStart']!), frame)
  const used = only(root, 'library', 'event', 'project', 'sequence', 'spine', 'mc-clip')
  if (byId.get(used.attributes['ref'])?.name !== 'media') throw new Error('No multicam is used')
  const ids = new Set(multicam.children.map((angle) => angle.attributes['angleID']))
  for (const source of find(used, 'mc-source')) {
    if (!ids.has(source.attributes['angleID'])) throw new Error('An angle that is not there')
  }
  return multicam.children.map((angle): Angle => {
    const clip = only(angle, 'asset-clip')
    const asset = byId.get(clip.attributes['ref'])!
    const own = byId.get(asset.attributes['format'])
    const ownFrame: Time = own ? seconds(own.attributes['frameDuration']!) : [1n, 25n]
    const from = minus(seconds(clip.attributes['start']!), seconds(asset.attributes['start']!))
    const recordIn = count(seconds(clip.attributes['offset']!), frame) - start
    // The item before it in the angle fills the time until then.
    const gaps = angle.children.filter((item) => item.name === 'gap')
    const filled = gaps.reduce(
      (sum, gap) => sum + count(seconds(gap.attributes['duration']!), frame),
      0,
    )
    if (filled !== recordIn) throw new Error(`A gap of ${filled} before ${recordIn}`)
    return {
      source: pathOf(only(asset, 'media-rep').attributes['src']!),
      sourceIn: count(from, ownFrame),
      recordIn,
      recordOut: recordIn + count(seconds(clip.attributes['duration']!), frame),
    }
  })
}

type Time = [num: bigint, den: bigint]

function seconds(text: string): Time {
  const match = /^(\d+)(?:\/(\d+))?s$/.exec(text)
  if (!match) throw new Error(`${text} is no time`)
  return [BigInt(match[1]!), BigInt(match[2] ?? '1')]
}

function minus([a, b]: Time, [c, d]: Time): Time {
  return [a * d - c * b, b * d]
}

function count([num, den]: Time, [frameNum, frameDen]: Time): number {
  const [top, bottom] = [num * frameDen, den * frameNum]
  if (top % bottom !== 0n) throw new Error(`${num}/${den} is not on a frame`)
  return Number(top / bottom)
}

export interface StackedTrack extends Angle {
  kind: 'video' | 'audio'
  /** Ids of the clips that move with it. */
  linked: string[]
  id: string
}

export function parseStackedXmeml(text: string): StackedTrack[] {
  const sequence = only(parseXml(text), 'sequence')
  const paths = new Map<string, string>()
  for (const file of find(sequence, 'file')) {
    if (file.children.length > 0) {
      paths.set(file.attributes['id']!, pathOf(only(file, 'pathurl').text))
    }
  }
  const number = (tree: XmlTree, name: string): number => Number(only(tree, name).text)
  return only(sequence, 'media').children.flatMap((kind) =>
    kind.children
      .filter((child) => child.name === 'track')
      .map((track): StackedTrack => {
        const clip = only(track, 'clipitem')
        return {
          kind: kind.name === 'video' ? 'video' : 'audio',
          id: clip.attributes['id']!,
          linked: find(clip, 'linkclipref').map((link) => link.text),
          source: paths.get(only(clip, 'file').attributes['id']!)!,
          sourceIn: number(clip, 'in'),
          recordIn: number(clip, 'start'),
          recordOut: number(clip, 'end'),
          speed: speedIn(clip),
        }
      }),
  )
}

function speedIn(clip: XmlTree): number {
  const speeds = find(clip, 'effect')
    .filter((effect) => only(effect, 'effectid').text === 'timeremap')
    .flatMap((effect) => find(effect, 'parameter'))
    .filter((parameter) => only(parameter, 'parameterid').text === 'speed')
  return speeds.length === 0 ? 1 : Number(only(speeds[0]!, 'value').text) / 100
}

interface OtioRange {
  start_time: { rate: number; value: number }
  duration: { rate: number; value: number }
}

export function parseStackedOtio(text: string): (Angle & { kind: string })[] {
  const { global_start_time: start, tracks } = JSON.parse(text) as {
    global_start_time: { rate: number }
    tracks: {
      OTIO_SCHEMA: string
      children: {
        kind: string
        children: {
          OTIO_SCHEMA: string
          source_range: OtioRange
          effects: { OTIO_SCHEMA: string; time_scalar: number }[]
          media_references?: {
            DEFAULT_MEDIA: { target_url: string; available_range: OtioRange }
          }
        }[]
      }[]
    }
  }
  if (tracks.OTIO_SCHEMA !== 'Stack.1') throw new Error('No stack')
  return tracks.children.map(({ kind, children }) => {
    let record = 0
    for (const child of children) {
      const { source_range: own, media_references: media } = child
      if (own.duration.rate !== start.rate) throw new Error('A length at another rate')
      if (child.OTIO_SCHEMA === 'Gap.1') {
        record += own.duration.value
        continue
      }
      const { target_url: url, available_range: whole } = media!.DEFAULT_MEDIA
      return {
        kind,
        source: pathOf(url),
        sourceIn: own.start_time.value - whole.start_time.value,
        recordIn: record,
        recordOut: record + own.duration.value,
        speed: child.effects
          .filter((effect) => effect.OTIO_SCHEMA === 'LinearTimeWarp.1')
          .reduce((speed, effect) => speed * effect.time_scalar, 1),
      }
    }
    throw new Error('A track without a clip')
  })
}

/** Record in and out of the only event, and the source's timecode. */
export function parseAngleEdl(text: string, fps: number): { sourceIn: string; record: number[] } {
  const events = text.split('\r\n').filter((line) => /^\d+\s/.test(line))
  if (events.length !== 1) throw new Error(`${events.length} events`)
  const [sourceIn = '', , ...record] = events[0]!.trim().split(/\s+/).slice(-4)
  return {
    sourceIn,
    record: record.map((at) => new SmpteTimecode(at, fps as 25, at.includes(';')).frameCount),
  }
}

function pathOf(url: string): string {
  return decodeURIComponent(url.replace(/^file:\/\/(?:localhost)?/, ''))
}
