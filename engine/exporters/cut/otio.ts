/**
 * A cut as OpenTimelineIO. A source range starts in frames of its media, at the media's rate, and
 * lasts frames of the timeline; a source without picture or sound leaves a gap on that track.
 */
import * as z from 'zod'
import { formatRational, toNumber } from '../../../domain/time/rational.ts'
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import { expectEqual } from '../compare.ts'
import { fileUrl } from '../timeline/names.ts'
import type { CutClip, CutTimeline } from './timeline.ts'

export function makeCutOtio(timeline: CutTimeline): string {
  const streams = Math.max(0, ...timeline.sources.map((source) => source.audio.length))
  const seen = timeline.sources.some((source) => source.hasVideo)
  const { format } = timeline
  const body = otioDocument(timeline, {
    markers: timeline.markers.map((marker) => ({
      OTIO_SCHEMA: 'Marker.2',
      name: marker.name || 'Comment',
      color: 'YELLOW',
      comment: marker.text,
      marked_range: range(time(marker.at, format), time(marker.out - marker.at, format)),
      metadata: { cutindex: { kind: 'comment' } },
    })),
    tracks: [
      ...(seen ? [track(timeline, 'V1', null)] : []),
      ...Array.from({ length: streams }, (_, index) => track(timeline, `A${index + 1}`, index)),
    ],
  })
  checkCutOtio(body, timeline)
  return body
}

export function otioDocument(
  timeline: Omit<CutTimeline, 'clips'>,
  { tracks, markers = [] }: { tracks: object[]; markers?: object[] },
): string {
  const { format } = timeline
  const document = {
    OTIO_SCHEMA: 'Timeline.1',
    name: timeline.title,
    global_start_time: time(timeline.recordStart, format),
    tracks: {
      OTIO_SCHEMA: 'Stack.1',
      name: 'tracks',
      source_range: null,
      effects: [],
      markers,
      enabled: true,
      metadata: {},
      children: tracks,
    },
    metadata: {
      cutindex: {
        frame_rate: formatRational(format.rate),
        drop_frame: format.dropFrame,
        notes: timeline.notes,
      },
    },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function track(timeline: CutTimeline, name: string, stream: number | null) {
  return {
    OTIO_SCHEMA: 'Track.1',
    name,
    kind: stream === null ? 'Video' : 'Audio',
    source_range: null,
    effects: [],
    markers: [],
    enabled: true,
    metadata: {},
    children: timeline.clips.map((clip) =>
      isOn(clip, stream) ? clipOf(timeline, clip, stream) : gapOf(timeline, clip),
    ),
  }
}

function isOn({ source }: CutClip, stream: number | null): boolean {
  return stream === null ? source.hasVideo : source.audio.length > stream
}

export function clipOf({ format }: CutTimeline, clip: CutClip, stream: number | null) {
  const { source } = clip
  const { grid } = source
  return {
    OTIO_SCHEMA: 'Clip.2',
    name: clip.name,
    source_range: range(
      time(grid.startFrame + clip.sourceIn, grid.format),
      time(clip.recordOut - clip.recordIn, format),
    ),
    effects: [],
    markers: [],
    enabled: true,
    active_media_reference_key: 'DEFAULT_MEDIA',
    media_references: {
      DEFAULT_MEDIA: {
        OTIO_SCHEMA: 'ExternalReference.1',
        name: source.name,
        target_url: fileUrl(source.path, '', ':'),
        available_range: range(time(grid.startFrame, grid.format), time(grid.frames, grid.format)),
        available_image_bounds: null,
        metadata: {},
      },
    },
    metadata: {
      cmx_3600: { reel: source.tape },
      cutindex: {
        note: clip.note,
        source_id: source.contentId,
        ...(stream === null ? {} : { audio_track: stream + 1 }),
      },
    },
  }
}

function gapOf({ format }: CutTimeline, clip: CutClip) {
  return {
    OTIO_SCHEMA: 'Gap.1',
    name: '',
    source_range: range(time(0, format), time(clip.recordOut - clip.recordIn, format)),
    effects: [],
    markers: [],
    enabled: true,
    metadata: {},
  }
}

export function time(value: number, format: TimecodeFormat) {
  return { OTIO_SCHEMA: 'RationalTime.1', rate: toNumber(format.rate), value }
}

export function range(start: ReturnType<typeof time>, duration: ReturnType<typeof time>) {
  return { OTIO_SCHEMA: 'TimeRange.1', start_time: start, duration }
}

const Time = z.object({
  OTIO_SCHEMA: z.literal('RationalTime.1'),
  rate: z.number(),
  value: z.int(),
})
const Range = z.object({ OTIO_SCHEMA: z.literal('TimeRange.1'), start_time: Time, duration: Time })
const Clip = z.object({
  OTIO_SCHEMA: z.literal('Clip.2'),
  source_range: Range,
  media_references: z.object({ DEFAULT_MEDIA: z.object({ target_url: z.string() }) }),
})
const Gap = z.object({ OTIO_SCHEMA: z.literal('Gap.1'), source_range: Range })
const Document = z.object({
  OTIO_SCHEMA: z.literal('Timeline.1'),
  global_start_time: Time,
  tracks: z.object({
    markers: z.array(z.object({ marked_range: Range })),
    children: z.array(
      z.object({
        kind: z.enum(['Video', 'Audio']),
        children: z.array(z.discriminatedUnion('OTIO_SCHEMA', [Clip, Gap])),
      }),
    ),
  }),
})

export function checkCutOtio(body: string, timeline: CutTimeline): void {
  const { tracks, global_start_time: start } = Document.parse(JSON.parse(body))
  expectEqual('the start', start.value, timeline.recordStart)
  let stream = -1
  for (const { kind, children } of tracks.children) {
    if (kind === 'Audio') stream += 1
    expectEqual('the number of clips', children.length, timeline.clips.length)
    let record = 0
    children.forEach((item, index) => {
      const clip = timeline.clips[index]!
      const { source } = clip
      const isHere = isOn(clip, kind === 'Video' ? null : stream)
      expectEqual(`clip ${index + 1}: a gap`, item.OTIO_SCHEMA === 'Gap.1', !isHere)
      expectEqual(`clip ${index + 1}: record in`, record, clip.recordIn)
      record += item.source_range.duration.value
      expectEqual(`clip ${index + 1}: record out`, record, clip.recordOut)
      if (item.OTIO_SCHEMA === 'Gap.1') return
      const { start_time: from } = item.source_range
      expectEqual(`clip ${index + 1}: rate`, from.rate, toNumber(source.grid.format.rate))
      expectEqual(`clip ${index + 1}: in`, from.value - source.grid.startFrame, clip.sourceIn)
      const { target_url: url } = item.media_references.DEFAULT_MEDIA
      expectEqual(`clip ${index + 1}: media`, url, fileUrl(source.path, '', ':'))
    })
  }
  expectEqual('the number of markers', tracks.markers.length, timeline.markers.length)
  tracks.markers.forEach(({ marked_range: marked }, index) => {
    expectEqual(`marker ${index + 1}`, marked.start_time.value, timeline.markers[index]!.at)
  })
}
