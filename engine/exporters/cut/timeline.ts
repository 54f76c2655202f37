/**
 * A cut as every timeline format writes it: clips of many sources that follow each other without a
 * gap. Each source keeps a grid of its own, at its own rate; a variable or odd one goes onto the
 * standard rate next to it. Where it plays comes from `domain/cuts/cut-times.ts`.
 */
import type { Cut, CutExportOptions, CutSource } from '../../../contract/footage/cuts.ts'
import type { CutExportFormat } from '../../../domain/export-formats.ts'
import type { CutTranscript, FrameSize } from '../../../domain/cuts/cut.ts'
import {
  cutEvents,
  cutFormat,
  cutStart,
  sourceClock,
  spanFrames,
} from '../../../domain/cuts/cut-times.ts'
import { ExportOptions } from '../../../contract/footage/export-options.ts'
import type { Media } from '../../../domain/findings/findings.ts'
import { add, compare } from '../../../domain/time/rational.ts'
import { convertTimecode, recordedAt } from '../../../domain/time/source-timecode.ts'
import {
  frameTime,
  isCounted,
  nearestFrame,
  rateLabel,
  toTimecode,
} from '../../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import { ExportRefused } from '../refused.ts'
import { buildGrid, timecodeOption } from '../timeline/grid.ts'
import type { Grid } from '../timeline/grid.ts'
import { mediaPath, oneLine, stemOf } from '../timeline/names.ts'
import { reelName } from '../timeline/reel-name.ts'

export interface CutComment {
  /** Frames of the cut. */
  at: number
  out: number
  name: string
  text: string
}

export interface CutExportInput {
  cut: Pick<
    Cut,
    | 'name'
    | 'frame_rate'
    | 'drop_frame'
    | 'start_timecode'
    | 'target_seconds'
    | 'ranges'
    | 'version'
  > &
    Partial<Pick<Cut, 'frame_size'>>
  sources: (Pick<CutSource, 'content_id' | 'name' | 'offline' | 'media' | 'frame_times'> & {
    /** Where it lies on the editor's machine, if that is known. */
    folder?: string | null
  })[]
  transcripts: CutTranscript[]
  comments: CutComment[]
  format: CutExportFormat
  options: CutExportOptions
}

export interface TrackSource {
  contentId: string
  name: string
  path: string
  /** As an EDL holds it: unique in the cut. */
  reel: string
  /** The reel by its whole name. */
  tape: string
  offline: boolean
  media: Media
  grid: Grid
  hasVideo: boolean
  audio: Media['audio']
  channels: number
  /** Placed by exact time: its rate is not the cut's. */
  conformed: boolean
}

export interface CutClip {
  source: TrackSource
  rangeIndex: number
  name: string
  note: string
  /** Frames of the source's own grid. */
  sourceIn: number
  sourceOut: number
  recordIn: number
  recordOut: number
  /** Where what was chosen begins on the timeline, after the handle, and in the cut without any. */
  chosenAt: number
  cutIn: number
}

export interface CutTimeline {
  title: string
  format: TimecodeFormat
  recordStart: number
  frames: number
  /** Of the first clip, in the size that was chosen for the cut. */
  picture: Media | undefined
  clips: CutClip[]
  /** In order of their first clip. */
  sources: TrackSource[]
  markers: CutComment[]
  notes: string[]
}

const defaults = ExportOptions.parse({})

/** All that they say is timecode, or whole frames to the second. */
const countingFormats: ReadonlySet<CutExportFormat> = new Set([
  'edl',
  'xml',
  'ale',
  'avid-markers',
  'resolve-markers',
  'premiere-markers',
])

export function buildCutTimeline(input: CutExportInput): CutTimeline {
  const { cut, options } = input
  const format = cutFormat(cut)
  if (countingFormats.has(input.format) && !isCounted(format.rate)) {
    throw new ExportRefused(`This format has no rate of ${rateLabel(format.rate)} frames a second.`)
  }
  const used = new Set(cut.ranges.filter((range) => !range.disabled).map((one) => one.content_id))
  const sources = sourcesOf(input, used, format)
  const clips = clipsOf(input, sources, format)
  if (clips.length === 0) throw new ExportRefused('There is nothing in this cut to export.')
  const shown = new Set(clips.map((clip) => clip.source))
  const listed = [...sources.values()].filter((source) => shown.has(source))
  return {
    title: oneLine(options.title ?? '') || oneLine(cut.name) || 'Untitled',
    format,
    recordStart:
      options.record_start === undefined
        ? cutStart(cut)
        : timecodeOption(options.record_start, format),
    frames: clips.at(-1)!.recordOut,
    picture: pictureOf(cut.frame_size ?? null, clips),
    clips,
    sources: listed,
    markers: options.comments ? markersOf(input.comments, clips) : [],
    notes: notesOf(listed, format, cut.ranges.filter((range) => range.disabled).length),
  }
}

function clipsOf(
  { cut, sources: given, options }: CutExportInput,
  sources: ReadonlyMap<string, TrackSource>,
  format: TimecodeFormat,
): CutClip[] {
  const clocks = new Map(given.map((source) => [source.content_id, sourceClock(source)]))
  const handle = options.handle_frames ?? 0
  let record = 0
  return cutEvents(cut, given).map((event) => {
    const source = sources.get(event.contentId)!
    const clock = clocks.get(event.contentId)!
    const last = source.media.kind === 'video' ? source.media.frames : source.grid.frames
    const span = {
      in: Math.max(0, event.in - handle),
      out: Math.max(event.out, Math.min(last, event.out + handle)),
    }
    const length =
      handle > 0 ? spanFrames(format.rate, clock, span) : event.recordOut - event.recordIn
    const start = source.grid.place(span.in)
    const range = cut.ranges[event.rangeIndex]!
    const recordIn = record
    record += length
    const lead =
      event.in > span.in ? spanFrames(format.rate, clock, { in: span.in, out: event.in }) : 0
    return {
      source,
      rangeIndex: event.rangeIndex,
      name: oneLine(range.name) || source.name,
      note: oneLine(range.note),
      ...(source.conformed
        ? { sourceIn: start, sourceOut: Math.max(start + 1, source.grid.place(span.out)) }
        : frameForFrame(start, length, source.grid.frames)),
      recordIn,
      recordOut: record,
      chosenAt: recordIn + lead,
      cutIn: event.recordIn,
    }
  })
}

/** At the cut's own rate source and record are equally long; a rounded start gives way at the end. */
function frameForFrame(start: number, length: number, frames: number) {
  const sourceIn = Math.max(0, Math.min(start, frames - length))
  return { sourceIn, sourceOut: sourceIn + length }
}

function sourcesOf(
  { sources, options }: CutExportInput,
  used: ReadonlySet<string>,
  format: TimecodeFormat,
): Map<string, TrackSource> {
  const reels = new Set<string>()
  return new Map(
    sources
      .filter((source) => used.has(source.content_id))
      .map(({ media, ...source }): [string, TrackSource] => {
        const name = oneLine(source.name) || 'media'
        const grid = buildGrid({ media }, defaults, sourceClock({ ...source, media }))
        const audio =
          options.audio || media.kind === 'audio'
            ? media.audio.filter((track) => track.channels > 0)
            : []
        const folder = options.media_path ?? source.folder ?? undefined
        return [
          source.content_id,
          {
            contentId: source.content_id,
            name,
            path: mediaPath(name, folder && `${folder.replace(/[\\/]+$/, '')}/`),
            reel: uniqueReel(media.reel ?? stemOf(name), options.full_reel, reels),
            tape: oneLine(media.reel ?? '') || stemOf(name),
            offline: source.offline,
            media,
            grid,
            hasVideo: media.kind === 'video',
            audio,
            channels: audio.reduce((sum, track) => sum + track.channels, 0),
            conformed: compare(grid.format.rate, format.rate) !== 0,
          },
        ]
      }),
  )
}

function pictureOf(size: FrameSize | null, clips: readonly CutClip[]): Media | undefined {
  const media = clips.find(({ source }) => source.hasVideo)?.source.media
  return media && size ? { ...media, ...size, rotation: 0, pixel_aspect: null } : media
}

/** Two cards may hold the same name: the second reel ends in a number. */
function uniqueReel(name: string, full: boolean, taken: Set<string>): string {
  const reel = reelName(name, full)
  let free = reel
  for (let number = 2; taken.has(free.toUpperCase()); number++) {
    const ending = `_${number}`
    free = `${reel.slice(0, (full ? 64 : 8) - ending.length)}${ending}`
  }
  taken.add(free.toUpperCase())
  return free
}

/** Where the timeline plays a frame of the cut: handles move what was chosen. */
export function withHandles(frame: number, clips: readonly CutClip[]): number {
  const clip = clips.findLast((one) => one.cutIn <= frame) ?? clips[0]!
  return clip.chosenAt + frame - clip.cutIn
}

function markersOf(comments: readonly CutComment[], clips: readonly CutClip[]): CutComment[] {
  const frames = clips.at(-1)!.recordOut
  return comments
    .map((comment) => {
      const at = withHandles(comment.at, clips)
      const length = Math.max(1, comment.out - comment.at)
      return {
        at,
        out: Math.min(frames, at + length),
        name: oneLine(comment.name),
        text: oneLine(comment.text),
      }
    })
    .filter((marker) => marker.at < frames)
    .sort((a, b) => a.at - b.at || a.out - b.out)
}

function notesOf(
  sources: readonly TrackSource[],
  format: TimecodeFormat,
  disabled: number,
): string[] {
  const notes: string[] = []
  for (const source of sources) {
    if (source.conformed) {
      const own = rateLabel(source.grid.format.rate)
      notes.push(
        `${source.name}: ${own} fps placed by exact time on ${rateLabel(format.rate)} fps.`,
      )
    }
    notes.push(...source.grid.notes.map((note) => `${source.name}: ${note}`))
    if (source.offline) notes.push(`${source.name}: offline, it was deleted from the library.`)
  }
  for (const [path, same] of Map.groupBy(sources, (source) => source.path.toLowerCase())) {
    if (same.length < 2) continue
    const reels = same.map((source) => source.reel).join(', ')
    notes.push(
      `${same.length} sources are named ${path.split('/').at(-1)}: they are the reels ${reels} in an EDL.`,
    )
  }
  if (disabled > 0) notes.push(`${disabled} disabled range${disabled === 1 ? '' : 's'} left out.`)
  return notes
}

/**
 * The source frames of a clip as a list at the cut's rate can say them. Frames that count alike keep
 * their own names; those of another rate are converted. It lasts as long as it plays, and ends with
 * its file: one that plays slower than it counts (23.976 at 24) has fewer frames than the timeline.
 */
export function listRange(clip: CutClip, format: TimecodeFormat): [number, number] {
  const { source, sourceIn, recordIn, recordOut } = clip
  const start = listFrame(source, sourceIn, format)
  const end = Math.max(start + 1, listFrame(source, source.grid.frames, format))
  return [start, Math.min(end, start + recordOut - recordIn)]
}

/** How a source counts in a list at the cut's rate. */
export function listFormat({ media, grid }: TrackSource, format: TimecodeFormat): TimecodeFormat {
  const isAlike = media.kind === 'video' && grid.format.nominal === format.nominal
  return isAlike ? grid.format : format
}

/** The number of a source's frame in such a list. */
export function listFrame(source: TrackSource, frame: number, format: TimecodeFormat): number {
  const { grid, media } = source
  const to = listFormat(source, format)
  const clock = recordedAt(media)
  if (clock) return nearestFrame(add(clock, frameTime(frame, grid.format.rate)), to.rate)
  return convertTimecode(grid.startFrame + frame, { kind: media.kind, from: grid.format, to })
}

/** The same names in the source's own frames. */
export function ownTimecodes({ source, sourceIn, sourceOut }: CutClip): [string, string] {
  const { grid } = source
  return [
    toTimecode(grid.startFrame + sourceIn, grid.format),
    toTimecode(grid.startFrame + sourceOut, grid.format),
  ]
}

/** The clip that shows a frame of the timeline. */
export function clipAt(timeline: CutTimeline, frame: number): number {
  return timeline.clips.findIndex((clip) => frame >= clip.recordIn && frame < clip.recordOut)
}
