/** Reads an OpenTimelineIO timeline back by its schemas. */
import * as z from 'zod'
import { toNumber } from '../../../domain/time/rational.ts'
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import { expectEqual, fail } from '../compare.ts'
import type { ReadClip, ReadTimeline } from '../compare.ts'

const Time = z.object({
  OTIO_SCHEMA: z.literal('RationalTime.1'),
  rate: z.number(),
  value: z.int(),
})
const Range = z.object({
  OTIO_SCHEMA: z.literal('TimeRange.1'),
  start_time: Time,
  duration: Time,
})
const Marker = z.object({
  OTIO_SCHEMA: z.literal('Marker.2'),
  name: z.string(),
  marked_range: Range,
})
const Clip = z.object({
  OTIO_SCHEMA: z.literal('Clip.2'),
  source_range: Range,
  markers: z.array(Marker),
  media_references: z.object({
    DEFAULT_MEDIA: z.object({
      OTIO_SCHEMA: z.literal('ExternalReference.1'),
      target_url: z.string(),
      available_range: Range,
    }),
  }),
})
const Transition = z.object({
  OTIO_SCHEMA: z.literal('Transition.1'),
  in_offset: Time,
  out_offset: Time,
})
const Track = z.object({
  OTIO_SCHEMA: z.literal('Track.1'),
  kind: z.enum(['Video', 'Audio']),
  children: z.array(z.discriminatedUnion('OTIO_SCHEMA', [Clip, Transition])),
})
const Document = z.object({
  OTIO_SCHEMA: z.literal('Timeline.1'),
  global_start_time: Time,
  tracks: z.object({
    OTIO_SCHEMA: z.literal('Stack.1'),
    markers: z.array(Marker),
    children: z.array(Track),
  }),
  metadata: z.object({ cutindex: z.object({ drop_frame: z.boolean() }) }),
})

export function readOtio(body: string, format: TimecodeFormat): ReadTimeline {
  const document = Document.parse(JSON.parse(body))
  const { tracks } = document
  const frames = (time: z.infer<typeof Time>): number => {
    expectEqual('a rate', time.rate, toNumber(format.rate))
    return time.value
  }
  const recordStart = frames(document.global_start_time)
  const first = tracks.children[0]?.children.find((item) => item.OTIO_SCHEMA === 'Clip.2')
  if (!first) fail('there is no clip')
  const sourceStart = frames(first.media_references.DEFAULT_MEDIA.available_range.start_time)
  const read = (kind: 'Video' | 'Audio') =>
    tracks.children
      .filter((track) => track.kind === kind)
      .map((track) => readTrack(track.children, frames, sourceStart))
  const onTimeline = tracks.markers.map((marker) => ({
    name: marker.name,
    start: frames(marker.marked_range.start_time),
    frames: frames(marker.marked_range.duration),
  }))
  return {
    recordStart: recordStart % format.framesPerDay,
    sourceStart: sourceStart % format.framesPerDay,
    dropFrame: document.metadata.cutindex.drop_frame,
    picture: read('Video')[0] ?? [],
    sound: read('Audio'),
    markers: [...onTimeline, ...clipMarkers(tracks.children[0]!.children, frames)],
  }
}

type Item = z.infer<typeof Track>['children'][number]
type Frames = (time: z.infer<typeof Time>) => number

function readTrack(items: Item[], frames: Frames, sourceStart: number): ReadClip[] {
  let record = 0
  return items.flatMap((item, index) => {
    if (item.OTIO_SCHEMA === 'Transition.1') return []
    const recordIn = record
    const sourceIn = frames(item.source_range.start_time) - sourceStart
    const length = frames(item.source_range.duration)
    record += length
    const before = items[index - 1]
    const soft = before?.OTIO_SCHEMA === 'Transition.1' ? before : null
    return [
      {
        sourceIn,
        sourceOut: sourceIn + length,
        recordIn,
        recordOut: record,
        transition: soft && {
          start: recordIn - frames(soft.in_offset),
          end: recordIn + frames(soft.out_offset),
        },
      },
    ]
  })
}

/** Markers on clips are in source time; the clip says where that plays. */
function clipMarkers(items: Item[], frames: Frames) {
  let record = 0
  return items.flatMap((item) => {
    if (item.OTIO_SCHEMA === 'Transition.1') return []
    const shift = record - frames(item.source_range.start_time)
    record += frames(item.source_range.duration)
    return item.markers.map((marker) => ({
      name: marker.name,
      start: frames(marker.marked_range.start_time) + shift,
      frames: frames(marker.marked_range.duration),
    }))
  })
}
