/**
 * Timelines of many sources, read by the formats' definitions: for each clip of the picture the
 * file, the first source frame by the source's own count, and its frames on the timeline. Shares
 * nothing with the exporters or their readers.
 */
import SmpteTimecode from 'smpte-timecode'
import { find, only, parseXml } from './xml.ts'
import type { XmlTree } from './xml.ts'

export interface SourceEdit {
  /** The path, or in an EDL the reel. */
  source: string
  sourceIn: number
  recordIn: number
  recordOut: number
}

export interface ParsedCut {
  recordStart: number
  edits: SourceEdit[]
  markers: { at: number; text: string }[]
}

type Fraction = [num: bigint, den: bigint]

export function parseCutFcpxml(text: string): ParsedCut {
  const root = parseXml(text)
  const resources = only(root, 'resources').children
  const byId = new Map(resources.map((resource) => [resource.attributes['id'], resource]))
  const sequence = only(root, 'library', 'event', 'project', 'sequence')
  const frame = duration(byId.get(sequence.attributes['format'])!.attributes['frameDuration']!)
  const recordStart = count(duration(sequence.attributes['tcStart']!), frame)
  const markers: ParsedCut['markers'] = []
  const edits = only(sequence, 'spine').children.map((clip): SourceEdit => {
    const asset = byId.get(clip.attributes['ref'])!
    const own = byId.get(asset.attributes['format'])
    const ownFrame = own ? duration(own.attributes['frameDuration']!) : ([1n, 25n] as Fraction)
    const recordIn = count(duration(clip.attributes['offset']!), frame) - recordStart
    const start = duration(clip.attributes['start']!)
    for (const marker of clip.children.filter((item) => item.name === 'marker')) {
      const since = minus(duration(marker.attributes['start']!), start)
      markers.push({ at: recordIn + count(since, frame), text: marker.attributes['value']! })
    }
    return {
      source: pathOf(only(asset, 'media-rep').attributes['src']!),
      sourceIn: count(minus(start, duration(asset.attributes['start']!)), ownFrame),
      recordIn,
      recordOut: recordIn + count(duration(clip.attributes['duration']!), frame),
    }
  })
  return { recordStart, edits, markers }
}

function duration(text: string): Fraction {
  const match = /^(\d+)(?:\/(\d+))?s$/.exec(text)
  if (!match) throw new Error(`${text} is no time`)
  return [BigInt(match[1]!), BigInt(match[2] ?? '1')]
}

function minus([a, b]: Fraction, [c, d]: Fraction): Fraction {
  return [a * d - c * b, b * d]
}

function count([num, den]: Fraction, [frameNum, frameDen]: Fraction): number {
  const [top, bottom] = [num * frameDen, den * frameNum]
  if (top % bottom !== 0n) throw new Error(`${num}/${den} is not on a frame`)
  return Number(top / bottom)
}

export function parseCutXmeml(text: string): ParsedCut {
  const sequence = only(parseXml(text), 'sequence')
  const paths = new Map<string, string>()
  for (const file of find(sequence, 'file')) {
    if (file.children.length === 0) continue
    paths.set(file.attributes['id']!, pathOf(only(file, 'pathurl').text))
  }
  const number = (tree: XmlTree, name: string): number => Number(only(tree, name).text)
  const track = only(sequence, 'media', 'video', 'track')
  return {
    recordStart: number(only(sequence, 'timecode'), 'frame'),
    edits: track.children
      .filter((item) => item.name === 'clipitem')
      .map((item) => ({
        source: paths.get(only(item, 'file').attributes['id']!)!,
        sourceIn: number(item, 'in'),
        recordIn: number(item, 'start'),
        recordOut: number(item, 'end'),
      })),
    markers: sequence.children
      .filter((child) => child.name === 'marker')
      .map((marker) => ({ at: number(marker, 'in'), text: only(marker, 'comment').text })),
  }
}

interface OtioTime {
  rate: number
  value: number
}
interface OtioRange {
  start_time: OtioTime
  duration: OtioTime
}
interface OtioClip {
  source_range: OtioRange
  media_references: { DEFAULT_MEDIA: { target_url: string; available_range: OtioRange } }
}

export function parseCutOtio(text: string): ParsedCut {
  const timeline = JSON.parse(text) as {
    global_start_time: OtioTime
    tracks: {
      markers: { comment: string; marked_range: OtioRange }[]
      children: { kind: string; children: OtioClip[] }[]
    }
  }
  const { rate, value: recordStart } = timeline.global_start_time
  const video = timeline.tracks.children.find((track) => track.kind === 'Video')!
  let record = 0
  return {
    recordStart,
    edits: video.children.map(({ source_range: own, media_references: media }) => {
      const { target_url: url, available_range: available } = media.DEFAULT_MEDIA
      if (own.duration.rate !== rate) throw new Error('A length at another rate')
      if (own.start_time.rate !== available.start_time.rate) throw new Error('Two source rates')
      const recordIn = record
      record += own.duration.value
      const sourceIn = own.start_time.value - available.start_time.value
      return { source: pathOf(url), sourceIn, recordIn, recordOut: record }
    }),
    markers: timeline.tracks.markers.map((marker) => ({
      at: marker.marked_range.start_time.value,
      text: marker.comment,
    })),
  }
}

/** `sources`: by reel, the timecode of the first frame and the rate that it counts at. */
export function parseCutEdl(
  text: string,
  fps: number,
  sources: ReadonlyMap<string, { start: string; fps: number }>,
): ParsedCut {
  const lines = text.split('\r\n')
  const recordTimes: number[] = []
  const edits: SourceEdit[] = []
  const markers: ParsedCut['markers'] = []
  for (const line of lines) {
    if (line.startsWith('M2')) throw new Error('A speed change')
    const words = line.trim().split(/\s+/)
    if (/^\d+\s/.test(line)) {
      const [sourceIn = '', , recordIn = '', recordOut = ''] = words.slice(-4)
      const reel = words[1]!
      const source = sources.get(reel)
      if (!source) throw new Error(`Unknown reel ${reel}`)
      recordTimes.push(frames(recordIn, fps))
      edits.push({
        source: reel,
        sourceIn: Math.round(source.fps) === Math.round(fps) ? since(sourceIn, source) : -1,
        recordIn: frames(recordIn, fps) - recordTimes[0]!,
        recordOut: frames(recordOut, fps) - recordTimes[0]!,
      })
    }
    const own = /^\* SOURCE AT \S+ FPS, PLACED BY TIME: (\S+) - /.exec(line)
    if (own) {
      const edit = edits.at(-1)!
      edit.sourceIn = since(own[1]!, sources.get(edit.source)!)
    }
    const marker = /^\* LOC: (\S+) \w+ +(.*)$/.exec(line)
    if (marker) markers.push({ at: frames(marker[1]!, fps) - recordTimes[0]!, text: marker[2]! })
  }
  return { recordStart: recordTimes[0]!, edits, markers }
}

function since(timecode: string, source: { start: string; fps: number }): number {
  return frames(timecode, source.fps) - frames(source.start, source.fps)
}

function frames(timecode: string, fps: number): number {
  return new SmpteTimecode(timecode, fps, timecode.includes(';')).frameCount
}

function pathOf(url: string): string {
  return decodeURIComponent(url.replace(/^file:\/\/(?:localhost)?/, ''))
}
