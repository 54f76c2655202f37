/**
 * OpenTimelineIO. A source range starts in source timecode at the rate of the media, as its
 * available range does, and lasts frames of the timeline. Items of a track meet or have a gap
 * between them; a transition says how far it reaches into both. Markers of the timeline count from
 * its first frame, those of a clip in source timecode: each in the space of what holds it.
 */
import { formatRational, toNumber } from '../../../domain/time/rational.ts'
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import { markerColors } from '../marker-colors.ts'
import { fileUrl } from '../../timeline/names.ts'
import { mediaTracks, streamsOf } from '../../timeline/timeline.ts'
import type { Item, Marker, MediaTrack, Timeline } from '../../timeline/timeline.ts'
import { expectSame, markerMeant, placeMeant } from '../compare.ts'
import { timelineMarkers } from '../format.ts'
import type { ExportInput, Format } from '../format.ts'
import { readOtio } from './read.ts'

export const otio: Format = {
  markers: timelineMarkers,
  speed: true,
  angles: true,
  anyRate: true,
  write: writeOtio,
  check: checkOtio,
}

function writeOtio({ timeline, options }: ExportInput): string {
  const { format, markers } = timeline
  const onClips = options.markers_on === 'clips'
  const document = {
    OTIO_SCHEMA: 'Timeline.1',
    name: timeline.title,
    global_start_time: time(timeline.recordStart, format),
    tracks: {
      OTIO_SCHEMA: 'Stack.1',
      name: 'tracks',
      source_range: null,
      effects: [],
      markers: onClips ? [] : markers.map((marker) => markerOf(marker, marker.start, format)),
      enabled: true,
      metadata: {},
      children: mediaTracks(timeline, streamsOf).map((media, index) =>
        trackOf(timeline, media, onClips && index === 0 ? markers : []),
      ),
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

function trackOf({ format }: Timeline, media: MediaTrack, markers: readonly Marker[]) {
  const { kind, number, places, stream, track } = media
  const { angle } = track
  const marked = Map.groupBy(markers, (marker) => marker.item)
  let at = 0
  const children = track.items.flatMap((item, index): object[] => {
    const gap = item.recordIn - at
    at = item.recordOut
    return [
      ...(gap > 0 ? [gapOf(gap, format)] : []),
      ...(kind === 'video' && item.transition ? [transitionOf(item.transition, format)] : []),
      places.has(item)
        ? clipOf(item, { format, stream, markers: marked.get(index) ?? [] })
        : gapOf(item.recordOut - item.recordIn, format),
    ]
  })
  return {
    OTIO_SCHEMA: 'Track.1',
    name: angle ? track.items[0]!.source.name : `${kind[0]!.toUpperCase()}${number}`,
    kind: kind === 'video' ? 'Video' : 'Audio',
    source_range: null,
    effects: [],
    markers: [],
    enabled: true,
    metadata: angle
      ? {
          cutindex: {
            offset: angle.offset,
            drift_ppm: angle.driftPpm,
            reference: angle.isReference,
          },
        }
      : {},
    children,
  }
}

function clipOf(
  item: Item,
  {
    format,
    stream,
    markers,
  }: { format: TimecodeFormat; stream: number | null; markers: readonly Marker[] },
) {
  const { grid, contentId, ...source } = item.source
  const sourceIn = grid.startFrame + item.sourceIn
  const named = {
    ...(contentId === null ? {} : { note: item.note, source_id: contentId }),
    ...(stream === null ? {} : { audio_track: stream + 1 }),
  }
  return {
    OTIO_SCHEMA: 'Clip.2',
    name: item.name,
    source_range: range(time(sourceIn, grid.format), time(item.recordOut - item.recordIn, format)),
    effects: item.speed === 1 ? [] : [warpOf(item.speed)],
    markers: markers.map((marker) =>
      markerOf(marker, marker.start + sourceIn - item.recordIn, format),
    ),
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
      ...(Object.keys(named).length > 0 ? { cutindex: named } : {}),
    },
  }
}

function gapOf(frames: number, format: TimecodeFormat) {
  return {
    OTIO_SCHEMA: 'Gap.1',
    name: '',
    source_range: range(time(0, format), time(frames, format)),
    effects: [],
    markers: [],
    enabled: true,
    metadata: {},
  }
}

function warpOf(speed: number) {
  return {
    OTIO_SCHEMA: 'LinearTimeWarp.1',
    name: '',
    effect_name: 'LinearTimeWarp',
    time_scalar: speed,
    metadata: {},
  }
}

function transitionOf(
  { type, start, cut, end }: NonNullable<Item['transition']>,
  format: TimecodeFormat,
) {
  return {
    OTIO_SCHEMA: 'Transition.1',
    name: type,
    transition_type: type === 'wipe' ? 'Custom_Transition' : 'SMPTE_Dissolve',
    in_offset: time(cut - start, format),
    out_offset: time(end - cut, format),
    metadata: { cutindex: { type } },
  }
}

function markerOf(marker: Marker, start: number, format: TimecodeFormat) {
  return {
    OTIO_SCHEMA: 'Marker.2',
    name: marker.name,
    color: markerColors[marker.kind].otio,
    comment: marker.note,
    marked_range: range(time(start, format), time(marker.end - marker.start, format)),
    metadata: { cutindex: { kind: marker.kind } },
  }
}

function time(value: number, format: TimecodeFormat) {
  return { OTIO_SCHEMA: 'RationalTime.1', rate: toNumber(format.rate), value }
}

function range(start: ReturnType<typeof time>, duration: ReturnType<typeof time>) {
  return { OTIO_SCHEMA: 'TimeRange.1', start_time: start, duration }
}

function checkOtio(body: string, { timeline }: ExportInput): void {
  expectSame('the timeline', readOtio(body, toNumber(timeline.format.rate)), {
    recordStart: timeline.recordStart,
    dropFrame: timeline.format.dropFrame,
    tracks: mediaTracks(timeline, streamsOf).map(({ kind, items }) => ({
      kind,
      items: items.map((item) => ({
        ...placeMeant(kind === 'video' ? item : { ...item, transition: null }),
        media: fileUrl(item.source.path, '', ':'),
        mediaStart: item.source.grid.startFrame,
        rate: toNumber(item.source.grid.format.rate),
        sourceIn: item.sourceIn,
        speed: item.speed,
      })),
    })),
    markers: timeline.markers.map(markerMeant),
  })
}
