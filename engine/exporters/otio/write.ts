/**
 * OpenTimelineIO. Source ranges are in source timecode, as the media's available range is; clips of
 * a track meet, and a transition says how far it reaches into both. Markers of the timeline count
 * from its first frame, those of a clip in source timecode: each in the space of what holds it.
 */
import type { ExportOptions } from '../../../contract/footage/export-options.ts'
import { formatRational, toNumber } from '../../../domain/time/rational.ts'
import type { TimelineMarker } from '../timeline/markers.ts'
import { fileUrl } from '../timeline/names.ts'
import type { Clip, Timeline } from '../timeline/timeline.ts'

export function writeOtio(
  timeline: Timeline,
  markers: TimelineMarker[],
  options: Pick<ExportOptions, 'markers_on'>,
): string {
  const onClips = options.markers_on === 'clips'
  const { source } = timeline
  const clipMarkers = onClips ? Map.groupBy(markers, (marker) => marker.clip) : new Map()
  const tracks = [
    ...(source.hasVideo ? [track(timeline, 'Video', 'V1', clipMarkers, null)] : []),
    ...source.audio.map((_, index) =>
      track(
        timeline,
        'Audio',
        `A${index + 1}`,
        source.hasVideo || index > 0 ? new Map() : clipMarkers,
        index,
      ),
    ),
  ]
  const document = {
    OTIO_SCHEMA: 'Timeline.1',
    name: timeline.title,
    global_start_time: time(timeline, timeline.recordStart),
    tracks: {
      OTIO_SCHEMA: 'Stack.1',
      name: 'tracks',
      source_range: null,
      effects: [],
      markers: onClips
        ? []
        : markers.map((marker) => markerOf(timeline, marker, marker.recordStart)),
      enabled: true,
      metadata: {},
      children: tracks,
    },
    metadata: {
      cutindex: {
        frame_rate: formatRational(timeline.grid.format.rate),
        drop_frame: timeline.grid.format.dropFrame,
        notes: timeline.grid.notes,
      },
    },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

type ClipMarkers = Map<number, TimelineMarker[]>

function track(
  timeline: Timeline,
  kind: 'Video' | 'Audio',
  name: string,
  markers: ClipMarkers,
  audioTrack: number | null,
) {
  return {
    OTIO_SCHEMA: 'Track.1',
    name,
    kind,
    source_range: null,
    effects: [],
    markers: [],
    enabled: true,
    metadata: {},
    children: timeline.clips.flatMap((clip, index): object[] => {
      const item = clipOf(timeline, clip, markers.get(index) ?? [], audioTrack)
      return kind === 'Video' && clip.transition ? [transitionOf(timeline, clip), item] : [item]
    }),
  }
}

function clipOf(
  timeline: Timeline,
  clip: Clip,
  markers: TimelineMarker[],
  audioTrack: number | null,
) {
  const { grid, source } = timeline
  const shift = grid.startFrame + clip.sourceIn - clip.recordIn
  return {
    OTIO_SCHEMA: 'Clip.2',
    name: clip.name,
    source_range: range(timeline, grid.startFrame + clip.sourceIn, clip.sourceOut - clip.sourceIn),
    effects: [],
    markers: markers.map((marker) => markerOf(timeline, marker, marker.recordStart + shift)),
    enabled: true,
    active_media_reference_key: 'DEFAULT_MEDIA',
    media_references: {
      DEFAULT_MEDIA: {
        OTIO_SCHEMA: 'ExternalReference.1',
        name: source.name,
        target_url: fileUrl(source.path, '', ':'),
        available_range: range(timeline, grid.startFrame, grid.frames),
        available_image_bounds: null,
        metadata: {},
      },
    },
    metadata: {
      cmx_3600: { reel: source.tape },
      ...(audioTrack === null ? {} : { cutindex: { audio_track: audioTrack + 1 } }),
    },
  }
}

function transitionOf(timeline: Timeline, clip: Clip) {
  const { type, start, cut, end } = clip.transition!
  return {
    OTIO_SCHEMA: 'Transition.1',
    name: type,
    transition_type: type === 'wipe' ? 'Custom_Transition' : 'SMPTE_Dissolve',
    in_offset: time(timeline, cut - start),
    out_offset: time(timeline, end - cut),
    metadata: { cutindex: { type } },
  }
}

const markerColors: Record<TimelineMarker['kind'], string> = {
  comments: 'YELLOW',
  shots: 'BLUE',
  cutpoints: 'GREEN',
  removals: 'YELLOW',
  'lip-flap': 'RED',
  'voice-only': 'CYAN',
  talking: 'PURPLE',
  sentences: 'WHITE',
  flashes: 'ORANGE',
  black: 'BLACK',
  freeze: 'MAGENTA',
  text: 'CYAN',
  slates: 'PINK',
}

function markerOf(timeline: Timeline, marker: TimelineMarker, start: number) {
  return {
    OTIO_SCHEMA: 'Marker.2',
    name: marker.name,
    color: markerColors[marker.kind],
    comment: marker.note,
    marked_range: range(timeline, start, marker.recordEnd - marker.recordStart),
    metadata: { cutindex: { kind: marker.kind } },
  }
}

function time(timeline: Timeline, value: number) {
  return { OTIO_SCHEMA: 'RationalTime.1', rate: toNumber(timeline.grid.format.rate), value }
}

function range(timeline: Timeline, start: number, length: number) {
  return {
    OTIO_SCHEMA: 'TimeRange.1',
    start_time: time(timeline, start),
    duration: time(timeline, length),
  }
}
