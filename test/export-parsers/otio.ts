/** OpenTimelineIO by its schema documents: every object names its schema, times carry a rate. */
import type { Edit, ParsedTimeline } from './edit.ts'

interface OtioObject {
  OTIO_SCHEMA: string
  [field: string]: unknown
}

export interface ParsedOtio extends ParsedTimeline {
  rate: number
  targetUrl: string
}

export function parseOtio(text: string): ParsedOtio {
  const timeline = JSON.parse(text) as OtioObject
  expectSchema(timeline, 'Timeline.1')
  const start = timeline['global_start_time'] as OtioObject
  const rate = start['rate'] as number
  const frames = (time: unknown): number => {
    const value = time as OtioObject
    expectSchema(value, 'RationalTime.1')
    if (value['rate'] !== rate) throw new Error(`Another rate: ${String(value['rate'])}`)
    if (!Number.isInteger(value['value'])) throw new Error('Between two frames')
    return value['value'] as number
  }
  const stack = timeline['tracks'] as OtioObject
  expectSchema(stack, 'Stack.1')
  const tracks = stack['children'] as OtioObject[]
  const firstClip = (tracks[0]!['children'] as OtioObject[])[0]!
  const media = reference(firstClip)
  const available = range(media['available_range'], frames)
  const read = tracks.map((track) => readTrack(track, frames, available.start))
  const video = tracks.findIndex((track) => track['kind'] === 'Video')
  return {
    rate,
    targetUrl: media['target_url'] as string,
    sourceStart: available.start,
    recordStart: frames(start),
    dropFrame: false,
    video: read[video]?.edits ?? [],
    transitions: read[video]?.transitions ?? [],
    sound: read.filter((_, index) => tracks[index]!['kind'] === 'Audio').map((item) => item.edits),
    markers: (stack['markers'] as OtioObject[]).map((marker) => {
      expectSchema(marker, 'Marker.2')
      const marked = range(marker['marked_range'], frames)
      return { start: marked.start, frames: marked.length, name: marker['name'] as string }
    }),
  }
}

type Frames = (time: unknown) => number

function readTrack(track: OtioObject, frames: Frames, sourceStart: number) {
  expectSchema(track, 'Track.1')
  const children = track['children'] as OtioObject[]
  const edits: Edit[] = []
  const transitions: [number, number][] = []
  let record = 0
  children.forEach((child, index) => {
    if (child.OTIO_SCHEMA === 'Transition.1') {
      transitions.push([record - frames(child['in_offset']), record + frames(child['out_offset'])])
      return
    }
    expectSchema(child, 'Clip.2')
    const own = range(child['source_range'], frames)
    const before = children[index - 1]
    const after = children[index + 1]
    const early = before?.OTIO_SCHEMA === 'Transition.1' ? frames(before['in_offset']) : 0
    const late = after?.OTIO_SCHEMA === 'Transition.1' ? frames(after['out_offset']) : 0
    const sourceIn = own.start - sourceStart
    edits.push({
      recordIn: record - early,
      recordOut: record + own.length + late,
      sourceIn: sourceIn - early,
      sourceOut: sourceIn + own.length + late,
    })
    record += own.length
  })
  return { edits, transitions }
}

function reference(clip: OtioObject): OtioObject {
  const key = clip['active_media_reference_key'] as string
  const media = (clip['media_references'] as Record<string, OtioObject>)[key]!
  expectSchema(media, 'ExternalReference.1')
  return media
}

function range(value: unknown, frames: Frames): { start: number; length: number } {
  const object = value as OtioObject
  expectSchema(object, 'TimeRange.1')
  return { start: frames(object['start_time']), length: frames(object['duration']) }
}

function expectSchema(object: OtioObject, schema: string): void {
  if (object.OTIO_SCHEMA !== schema) throw new Error(`${object.OTIO_SCHEMA} is not ${schema}`)
}
