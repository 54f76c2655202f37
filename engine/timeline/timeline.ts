/**
 * The model that every format is written from: sources, each on a frame grid of its own, and tracks
 * of items that play them. Record frames count from the first frame of the timeline at its rate,
 * source frames on the grid of the source. Tracks lie on each other, the first lowest, each with
 * video and sound; those with an `angle` were recorded at once.
 */
import type { MarkerKind } from '../../contract/footage/export-options.ts'
import type { Media } from '../../domain/findings/findings.ts'
import type { Rational } from '../../domain/time/rational.ts'
import type { TimecodeFormat } from '../../domain/time/timecode.ts'
import type { Grid } from './grid.ts'

export interface Timeline {
  title: string
  format: TimecodeFormat
  /** The timecode of its first frame, as a frame number. */
  recordStart: number
  frames: number
  /** The media whose size and fields the timeline has; none where there is only sound. */
  frame: Media | undefined
  sources: Source[]
  tracks: Track[]
  markers: Marker[]
  /** Sentences on what was conformed, is offline or was left out. */
  notes: string[]
}

export interface Source {
  /** Null: it is not an item of a library. */
  contentId: string | null
  name: string
  /** The path that file URLs are made of. */
  path: string
  /** As an EDL holds it: unique in the timeline. */
  reel: string
  /** The reel by its whole name. */
  tape: string
  offline: boolean
  media: Media
  /** On which items name its frames. */
  grid: Grid
  /** The grid of the file itself, where the items are counted at another rate. */
  fileGrid: Grid
  /** The second of the day at which a recorder's file begins, to the sample. */
  clock: Rational | null
  hasVideo: boolean
  audio: Media['audio']
  /** Over all audio tracks. */
  channels: number
  /** Placed by exact time: its grid has not the rate of the timeline. */
  conformed: boolean
}

export interface Track {
  items: Item[]
  angle: Angle | null
}

export interface Angle {
  /** Exact seconds of the reference. */
  offset: string
  driftPpm: number | null
  isReference: boolean
}

export interface Item {
  source: Source
  name: string
  note: string
  sourceIn: number
  /** Exclusive. */
  sourceOut: number
  recordIn: number
  recordOut: number
  /** Transition at the start; null is a cut. */
  transition: Transition | null
  /** Seconds of the source for each second of the timeline. */
  speed: number
  /** The range of a cut that it plays, if any. */
  range: PlayedRange | null
}

interface PlayedRange {
  id: string
  /** First chosen frame on the timeline, after the handle. */
  chosenAt: number
  /** First chosen frame in the cut, which has no handles. */
  cutIn: number
}

export interface Transition {
  type: 'dissolve' | 'fade' | 'wipe'
  /** Timeline frames: first blended, where the items meet, first clean. */
  start: number
  cut: number
  end: number
}

export interface Marker {
  kind: MarkerKind | 'comments' | 'clips'
  /** Who wrote the note; null: the name says what was found. */
  author: string | null
  name: string
  note: string
  /** Timeline frames; at least one. */
  start: number
  end: number
  /** Duration of the finding in frames of its source. */
  sourceFrames: number
  /** Index of the item on the first track that shows it. */
  item: number
}

/** The limits of a format; the rest is left out with a note, or refused. */
export interface Carries {
  /** The kinds of marker that a job has unless others are asked for. */
  markers?: readonly MarkerKind[]
  /** Items that run a few millionths faster or slower. */
  speed?: boolean
  /** Several tracks at once; else one is chosen. */
  angles?: boolean
  /** Rates that no timecode counts, such as 12.5. */
  anyRate?: boolean
}

/** All of a marker in one line. */
export function markerLabel({ author, name, note }: Marker): string {
  return author === null ? name : `${author}: ${note}`
}

/** The item of the first track that shows a frame of the timeline; -1: none. */
export function itemAt({ tracks }: Pick<Timeline, 'tracks'>, frame: number): number {
  return tracks[0]!.items.findIndex((item) => frame >= item.recordIn && frame < item.recordOut)
}

/** A track of video or of one stream of sound, as most formats keep them. */
export interface MediaTrack {
  kind: 'video' | 'audio'
  track: Track
  /** Audio stream or channel of the sources, from 0; null is video. */
  stream: number | null
  /** Counted from 1 among the tracks of its kind. */
  number: number
  /** The items that have something on it. */
  items: Item[]
  /** Which of them an item is. */
  places: ReadonlyMap<Item, number>
}

/** Video from the lowest track up, then sound; `soundsOf` counts streams or channels. */
export function mediaTracks(
  { tracks }: Timeline,
  soundsOf: (source: Source) => number,
): MediaTrack[] {
  const split = tracks.flatMap((track) => {
    const streams = Math.max(0, ...track.items.map((item) => soundsOf(item.source)))
    return [null, ...Array.from({ length: streams }, (_, stream) => stream)].map((stream) => {
      const items = track.items.filter(({ source }) =>
        stream === null ? source.hasVideo : soundsOf(source) > stream,
      )
      return { track, stream, items, places: new Map(items.map((item, place) => [item, place])) }
    })
  })
  const [video, audio] = (['video', 'audio'] as const).map((kind) =>
    split
      .filter(({ stream, items }) => (stream === null) === (kind === 'video') && items.length > 0)
      .map((track, index) => ({ ...track, kind, number: index + 1 })),
  )
  return [...video!, ...audio!]
}

export function streamsOf({ audio }: Source): number {
  return audio.length
}

export function channelsOf({ channels }: Source): number {
  return channels
}
