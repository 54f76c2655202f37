/** A sync group as an OpenTimelineIO stack: a track for each picture and each sound track. */
import * as z from 'zod'
import { toNumber } from '../../../domain/time/rational.ts'
import { expectEqual, fail } from '../compare.ts'
import { clipOf, otioDocument, range, time } from '../cut/otio.ts'
import { fileUrl } from '../timeline/names.ts'
import type { SyncClip, SyncTimeline } from './timeline.ts'

export function makeSyncOtio(timeline: SyncTimeline): string {
  const tracks = tracksOf(timeline).map(({ clip, stream }) => track(timeline, clip, stream))
  const body = otioDocument(timeline, { tracks })
  checkSyncOtio(body, timeline)
  return body
}

function tracksOf({ clips }: SyncTimeline): { clip: SyncClip; stream: number | null }[] {
  return [
    ...clips.filter(({ source }) => source.hasVideo).map((clip) => ({ clip, stream: null })),
    ...clips.flatMap((clip) => clip.source.audio.map((_, stream) => ({ clip, stream }))),
  ]
}

function track(timeline: SyncTimeline, clip: SyncClip, stream: number | null) {
  const { format } = timeline
  const plain = { effects: [], markers: [], enabled: true }
  return {
    OTIO_SCHEMA: 'Track.1',
    name: clip.source.name,
    kind: stream === null ? 'Video' : 'Audio',
    source_range: null,
    ...plain,
    metadata: {
      cutindex: {
        offset: clip.item.offset,
        drift_ppm: clip.item.driftPpm,
        reference: clip.item.isReference,
      },
    },
    children: [
      ...(clip.recordIn > 0
        ? [
            {
              OTIO_SCHEMA: 'Gap.1',
              name: '',
              source_range: range(time(0, format), time(clip.recordIn, format)),
              ...plain,
              metadata: {},
            },
          ]
        : []),
      { ...clipOf(timeline, clip, stream), effects: clip.speed === 1 ? [] : [warp(clip.speed)] },
    ],
  }
}

function warp(speed: number) {
  return {
    OTIO_SCHEMA: 'LinearTimeWarp.1',
    name: '',
    effect_name: 'LinearTimeWarp',
    time_scalar: speed,
    metadata: {},
  }
}

const Time = z.object({ rate: z.number(), value: z.int() })
const Range = z.object({ start_time: Time, duration: Time })
const Document = z.object({
  global_start_time: Time,
  tracks: z.object({
    children: z.array(
      z.object({
        kind: z.enum(['Video', 'Audio']),
        children: z.array(
          z.object({
            OTIO_SCHEMA: z.enum(['Gap.1', 'Clip.2']),
            source_range: Range,
            effects: z.array(z.object({ time_scalar: z.number() })),
            media_references: z
              .object({ DEFAULT_MEDIA: z.object({ target_url: z.string() }) })
              .optional(),
          }),
        ),
      }),
    ),
  }),
})

export function checkSyncOtio(body: string, timeline: SyncTimeline): void {
  const { tracks, global_start_time: start } = Document.parse(JSON.parse(body))
  expectEqual('the start', start.value, timeline.recordStart)
  const meant = tracksOf(timeline)
  expectEqual('the number of tracks', tracks.children.length, meant.length)
  tracks.children.forEach(({ kind, children }, index) => {
    const { clip, stream } = meant[index]!
    expectEqual(`track ${index + 1}: kind`, kind, stream === null ? 'Video' : 'Audio')
    const item = children.at(-1) ?? fail(`track ${index + 1} is empty`)
    const before = children.length > 1 ? children[0]!.source_range.duration.value : 0
    const { start_time: from, duration } = item.source_range
    expectEqual(`track ${index + 1}: place`, before, clip.recordIn)
    expectEqual(`track ${index + 1}: end`, before + duration.value, clip.recordOut)
    expectEqual(`track ${index + 1}: rate`, from.rate, toNumber(clip.source.grid.format.rate))
    expectEqual(`track ${index + 1}: in`, from.value - clip.source.grid.startFrame, clip.sourceIn)
    const url = item.media_references?.DEFAULT_MEDIA.target_url
    const speed = item.effects[0]?.time_scalar ?? 1
    expectEqual(`track ${index + 1}: speed`, speed, clip.speed)
    expectEqual(`track ${index + 1}: media`, url, fileUrl(clip.source.path, '', ':'))
  })
}
