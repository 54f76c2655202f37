/**
 * A cut as a timeline: items of many sources that follow each other without a gap. Each source
 * keeps a grid at its own rate; a variable or odd one goes onto the standard rate next to it. Where
 * it plays comes from `domain/cuts/cut-times.ts`.
 */
import type { Cut, CutExportOptions, CutSource } from '../../contract/footage/cuts.ts'
import { ExportOptions } from '../../contract/footage/export-options.ts'
import {
  cutEvents,
  cutFormat,
  cutStart,
  sourceClock,
  spanFrames,
} from '../../domain/cuts/cut-times.ts'
import type { SourceClock } from '../../domain/cuts/cut-times.ts'
import type { CutTranscript, FrameSize, FrameSpan } from '../../domain/cuts/cut.ts'
import type { CutExportFormat } from '../../domain/export-formats.ts'
import type { Media } from '../../domain/findings/findings.ts'
import { compare } from '../../domain/time/rational.ts'
import type { Rational } from '../../domain/time/rational.ts'
import { recordedAt } from '../../domain/time/source-timecode.ts'
import { isCounted, rateLabel } from '../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../domain/time/timecode.ts'
import { buildGrid, timecodeOption } from './grid.ts'
import { mediaPath, oneLine } from './names.ts'
import { ExportRefused } from './refused.ts'
import { makeSource } from './source.ts'
import type { Carries, Item, Marker, Source, Timeline } from './timeline.ts'

export interface CutComment {
  /** Frames of the cut. */
  at: number
  out: number
  name: string
  text: string
}

export interface CutExportSource extends Pick<
  CutSource,
  'content_id' | 'name' | 'offline' | 'media' | 'frame_times'
> {
  /** Folder on the editor's machine, if known. */
  folder?: string | null
}

export interface CutExport {
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
  sources: CutExportSource[]
  transcripts: CutTranscript[]
  comments: CutComment[]
  format: CutExportFormat
  options: CutExportOptions
}

const defaults = ExportOptions.parse({})

export function buildCutTimeline(order: Omit<CutExport, 'format'>, { anyRate }: Carries): Timeline {
  const { cut, options } = order
  const format = cutFormat(cut)
  if (!anyRate && !isCounted(format.rate)) {
    throw new ExportRefused(`This format has no rate of ${rateLabel(format.rate)} frames a second.`)
  }
  const [disabled, enabled] = [true, false].map((isOff) =>
    cut.ranges.filter((range) => range.disabled === isOff),
  )
  const used = new Set(enabled!.map((range) => range.content_id))
  const known = order.sources.filter((source) => used.has(source.content_id))
  const placed = placeSources(known, options, format)
  const items = itemsOf(order, placed, format)
  if (items.length === 0) throw new ExportRefused('There is nothing in this cut to export.')
  const shown = new Set(items.map((item) => item.source))
  const sources = [...placed.values()].flatMap(({ source }) => (shown.has(source) ? [source] : []))
  return {
    title: titleOf(options.title, cut.name),
    format,
    recordStart:
      options.record_start === undefined
        ? cutStart(cut)
        : timecodeOption(options.record_start, format),
    frames: items.at(-1)!.recordOut,
    frame: frameOf([...shown], cut.frame_size ?? null),
    sources,
    tracks: [{ items, angle: null }],
    markers: options.comments ? markersOf(order.comments, items) : [],
    notes: [
      ...sourceNotes(sources, format),
      ...(disabled!.length > 0
        ? [`${disabled!.length} disabled range${disabled!.length === 1 ? '' : 's'} left out.`]
        : []),
    ],
  }
}

export function titleOf(wanted: string | undefined, name: string): string {
  return oneLine(wanted ?? '') || oneLine(name) || 'Untitled'
}

interface PlacedSource {
  source: Source
  clock: SourceClock
}

/** Sources of a library by their id, each on a grid of its own rate. */
export function placeSources(
  sources: readonly CutExportSource[],
  options: Pick<CutExportOptions, 'full_reel' | 'media_path'> & { audio?: boolean },
  format: TimecodeFormat,
): Map<string, PlacedSource> {
  const reels = new Set<string>()
  return new Map(
    sources.map((known): [string, PlacedSource] => {
      const { content_id: contentId, media, offline } = known
      const name = oneLine(known.name) || 'media'
      const clock = sourceClock(known)
      const grid = buildGrid({ media }, defaults, clock)
      const folder = options.media_path ?? known.folder ?? undefined
      const path = mediaPath(name, folder && `${folder.replace(/[\\/]+$/, '')}/`)
      const conformed = compare(grid.format.rate, format.rate) !== 0
      const own = { contentId, offline, media, grid, path, conformed, clock: recordedAt(media) }
      const source = makeSource(name, own, { audio: true, ...options }, reels)
      return [contentId, { source, clock }]
    }),
  )
}

/** The source frames of a span, and how many frames of the timeline they last. */
export function placeSpan({ source, clock }: PlacedSource, span: FrameSpan, rate: Rational) {
  const { grid } = source
  const length = spanFrames(rate, clock, span)
  const start = grid.place(span.in)
  if (source.conformed) {
    return { length, sourceIn: start, sourceOut: Math.max(start + 1, grid.place(span.out)) }
  }
  // At the cut's own rate both are equally long; a rounded start gives way at the end.
  const sourceIn = Math.max(0, Math.min(start, grid.frames - length))
  return { length, sourceIn, sourceOut: sourceIn + length }
}

function itemsOf(
  { cut, sources, options }: Omit<CutExport, 'format'>,
  placed: ReadonlyMap<string, PlacedSource>,
  { rate }: TimecodeFormat,
): Item[] {
  const handle = options.handle_frames ?? 0
  let recordIn = 0
  return cutEvents(cut, sources).map((event) => {
    const known = placed.get(event.contentId)!
    const { source, clock } = known
    const last = source.media.kind === 'video' ? source.media.frames : source.grid.frames
    const from = Math.max(0, event.in - handle)
    const to = Math.max(event.out, Math.min(last, event.out + handle))
    const { length, ...frames } = placeSpan(known, { in: from, out: to }, rate)
    const lead = event.in > from ? spanFrames(rate, clock, { in: from, out: event.in }) : 0
    const range = cut.ranges[event.rangeIndex]!
    const item: Item = {
      source,
      name: oneLine(range.name) || source.name,
      note: oneLine(range.note),
      ...frames,
      recordIn,
      recordOut: recordIn + length,
      transition: null,
      speed: 1,
      range: { id: range.id, chosenAt: recordIn + lead, cutIn: event.recordIn },
    }
    recordIn += length
    return item
  })
}

/** The media of the first image, in the size that was chosen. */
export function frameOf(sources: readonly Source[], size: FrameSize | null): Media | undefined {
  const media = sources.find((source) => source.hasVideo)?.media
  return media && size ? { ...media, ...size, rotation: 0, pixel_aspect: null } : media
}

/** The frame of the timeline for a frame of the cut: handles shift the chosen ranges. */
export function withHandles(frame: number, items: readonly Item[]): number {
  const { range } = items.findLast((item) => item.range!.cutIn <= frame) ?? items[0]!
  return range!.chosenAt + frame - range!.cutIn
}

function markersOf(comments: readonly CutComment[], items: readonly Item[]): Marker[] {
  const frames = items.at(-1)!.recordOut
  return comments
    .map((comment): Marker => {
      const start = withHandles(comment.at, items)
      const author = oneLine(comment.name)
      const sourceFrames = Math.max(1, comment.out - comment.at)
      return {
        kind: 'comments',
        author,
        name: author || 'Comment',
        note: oneLine(comment.text),
        start,
        end: Math.min(frames, start + sourceFrames),
        sourceFrames,
        item: items.findIndex((item) => start >= item.recordIn && start < item.recordOut),
      }
    })
    .filter((marker) => marker.start < frames)
    .sort((a, b) => a.start - b.start || a.end - b.end)
}

export function sourceNotes(sources: readonly Source[], format: TimecodeFormat): string[] {
  const notes = sources.flatMap(({ name, grid, conformed, offline }) => {
    const rates = `${rateLabel(grid.format.rate)} fps placed by exact time on ${rateLabel(format.rate)} fps.`
    return [
      ...(conformed ? [`${name}: ${rates}`] : []),
      ...grid.notes.map((note) => `${name}: ${note}`),
      ...(offline ? [`${name}: offline, it was deleted from the library.`] : []),
    ]
  })
  for (const [path, same] of Map.groupBy(sources, (source) => source.path.toLowerCase())) {
    if (same.length < 2) continue
    const reels = same.map((source) => source.reel).join(', ')
    notes.push(
      `${same.length} sources are named ${path.split('/').at(-1)}: they are the reels ${reels} in an EDL.`,
    )
  }
  return notes
}
