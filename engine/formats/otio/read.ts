/** Reads an OpenTimelineIO timeline back by its schemas. */
import * as z from 'zod'
import { expectEqual } from '../compare.ts'
import type { ReadMarker } from '../compare.ts'

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
  effects: z.array(
    z.object({ OTIO_SCHEMA: z.literal('LinearTimeWarp.1'), time_scalar: z.number() }),
  ),
  markers: z.array(Marker),
  media_references: z.object({
    DEFAULT_MEDIA: z.object({
      OTIO_SCHEMA: z.literal('ExternalReference.1'),
      target_url: z.string(),
      available_range: Range,
    }),
  }),
})
const Gap = z.object({ OTIO_SCHEMA: z.literal('Gap.1'), source_range: Range })
const Transition = z.object({
  OTIO_SCHEMA: z.literal('Transition.1'),
  in_offset: Time,
  out_offset: Time,
})
const Track = z.object({
  OTIO_SCHEMA: z.literal('Track.1'),
  kind: z.enum(['Video', 'Audio']),
  children: z.array(z.discriminatedUnion('OTIO_SCHEMA', [Clip, Gap, Transition])),
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

/** `rate`: of the timeline, at which everything but the start of a source range counts. */
export function readOtio(body: string, rate: number) {
  const { global_start_time: start, tracks, metadata } = Document.parse(JSON.parse(body))
  const frames = (time: z.infer<typeof Time>): number => {
    expectEqual('a rate', time.rate, rate)
    return time.value
  }
  const read = tracks.children.map((track) => readTrack(track, frames))
  const markers = tracks.markers.map((marker) => readMarker(marker, frames, 0))
  return {
    recordStart: frames(start),
    dropFrame: metadata.cutindex.drop_frame,
    tracks: read.map(({ kind, items }) => ({ kind, items })),
    markers: [...markers, ...read.flatMap((track) => track.markers)],
  }
}

type Frames = (time: z.infer<typeof Time>) => number

function readTrack({ kind, children }: z.infer<typeof Track>, frames: Frames) {
  let record = 0
  const markers: ReadMarker[] = []
  const items = children.flatMap((item, index) => {
    if (item.OTIO_SCHEMA === 'Transition.1') return []
    const recordIn = record
    record += frames(item.source_range.duration)
    if (item.OTIO_SCHEMA === 'Gap.1') return []
    const { target_url: media, available_range: whole } = item.media_references.DEFAULT_MEDIA
    const from = item.source_range.start_time
    expectEqual('the rate of the media', whole.start_time.rate, from.rate)
    markers.push(...item.markers.map((marker) => readMarker(marker, frames, recordIn - from.value)))
    const before = children[index - 1]
    const soft = before?.OTIO_SCHEMA === 'Transition.1' ? before : null
    return [
      {
        media,
        mediaStart: whole.start_time.value,
        rate: from.rate,
        sourceIn: from.value - whole.start_time.value,
        recordIn,
        recordOut: record,
        transition: soft && {
          start: recordIn - frames(soft.in_offset),
          end: recordIn + frames(soft.out_offset),
        },
        speed: item.effects.reduce((speed, effect) => speed * effect.time_scalar, 1),
      },
    ]
  })
  return { kind: kind === 'Video' ? 'video' : 'audio', items, markers }
}

/**
 * Reads a marker of a clip, whose times are in the source; `shift` converts them to the timeline.
 */
function readMarker(marker: z.infer<typeof Marker>, frames: Frames, shift: number): ReadMarker {
  const { start_time: start, duration } = marker.marked_range
  return { name: marker.name, start: frames(start) + shift, frames: frames(duration) }
}
