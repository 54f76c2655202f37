/**
 * Timelines of many sources, read by the formats' definitions: for each clip of the picture the
 * file, the first source frame by the source's own count, and its frames on the timeline. Shares
 * nothing with the exporters or their readers.
 */
import SmpteTimecode from 'smpte-timecode'
import { pathOf } from './edit.ts'
import type { SourceEdit } from './edit.ts'
import { count, frameOf, minus, seconds } from './fcpxml.ts'
import type { Time } from './fcpxml.ts'
import { number, pathsIn } from './xmeml.ts'
import { only, parseXml } from './xml.ts'
import type { XmlTree } from './xml.ts'

export interface ParsedCut {
  recordStart: number
  edits: SourceEdit[]
  markers: { at: number; text: string }[]
}

/** Reads the clips that lie on a sequence or in an angle of it. */
export function clipsOf(root: XmlTree, timeline: XmlTree) {
  const resources = only(root, 'resources').children
  const byId = new Map(resources.map((resource) => [resource.attributes['id'], resource]))
  const frame = frameOf(byId.get(timeline.attributes['format'])!)
  const frames = (time: string): number => count(seconds(time), frame)
  const recordStart = frames(timeline.attributes['tcStart']!)
  const editOf = (clip: XmlTree): SourceEdit => {
    const asset = byId.get(clip.attributes['ref'])!
    const own = byId.get(asset.attributes['format'])
    const ownFrame: Time = own ? frameOf(own) : [1n, 25n]
    const from = minus(seconds(clip.attributes['start']!), seconds(asset.attributes['start']!))
    const recordIn = frames(clip.attributes['offset']!) - recordStart
    return {
      source: pathOf(only(asset, 'media-rep').attributes['src']!),
      sourceIn: count(from, ownFrame),
      recordIn,
      recordOut: recordIn + frames(clip.attributes['duration']!),
    }
  }
  return { byId, frame, frames, recordStart, editOf }
}

export function parseCutFcpxml(text: string): ParsedCut {
  const root = parseXml(text)
  const sequence = only(root, 'library', 'event', 'project', 'sequence')
  const { frame, recordStart, editOf } = clipsOf(root, sequence)
  const markers: ParsedCut['markers'] = []
  const edits = only(sequence, 'spine').children.map((clip) => {
    const edit = editOf(clip)
    for (const marker of clip.children.filter((item) => item.name === 'marker')) {
      const start = seconds(clip.attributes['start']!)
      const since = minus(seconds(marker.attributes['start']!), start)
      const at = edit.recordIn + count(since, frame)
      markers.push({ at, text: marker.attributes['value']! })
    }
    return edit
  })
  return { recordStart, edits, markers }
}

/** Reads the clips of a sequence's tracks. */
export function itemsOf(sequence: XmlTree): (item: XmlTree) => SourceEdit {
  const paths = pathsIn(sequence)
  return (item) => ({
    source: paths.get(only(item, 'file').attributes['id']!)!,
    sourceIn: number(item, 'in'),
    recordIn: number(item, 'start'),
    recordOut: number(item, 'end'),
  })
}

export function parseCutXmeml(text: string): ParsedCut {
  const sequence = only(parseXml(text), 'sequence')
  const track = only(sequence, 'media', 'video', 'track')
  return {
    recordStart: number(only(sequence, 'timecode'), 'frame'),
    edits: track.children.filter((item) => item.name === 'clipitem').map(itemsOf(sequence)),
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
export interface OtioClip {
  source_range: OtioRange
  media_references: { DEFAULT_MEDIA: { target_url: string; available_range: OtioRange } }
}

/** A clip that begins at a frame of a timeline of this rate. */
export function otioEdit(clip: OtioClip, recordIn: number, rate: number): SourceEdit {
  const { source_range: own, media_references: media } = clip
  const { target_url: url, available_range: available } = media.DEFAULT_MEDIA
  if (own.duration.rate !== rate) throw new Error('A length at another rate')
  if (own.start_time.rate !== available.start_time.rate) throw new Error('Two source rates')
  const sourceIn = own.start_time.value - available.start_time.value
  return { source: pathOf(url), sourceIn, recordIn, recordOut: recordIn + own.duration.value }
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
    edits: video.children.map((clip) => {
      const edit = otioEdit(clip, record, rate)
      record = edit.recordOut
      return edit
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
