/**
 * The findings of one source as a timeline: shots, parts between cut points, selects, or the rest
 * without silences and fillers.
 *
 * A gradual change of the source stays a transition in the timeline. Both of its clips run on under
 * it at the same source frames, so it mixes each frame with itself: it plays exactly as in the
 * source, and the editor finds the transition where it is. The clips meet at `cut`.
 */
import type { ExportOptions, ExportSelect } from '../../contract/footage/export-options.ts'
import type { ExportFormat } from '../../domain/export-formats.ts'
import type { Findings, ShotChange, Slate } from '../../domain/findings/findings.ts'
import { editFrame, joinsShots } from '../../domain/findings/recut.ts'
import { slateBefore } from '../../domain/findings/slates.ts'
import { defaultMinPartFrames, tightenedRanges } from '../../domain/findings/tighten.ts'
import { parseTimecode } from '../../domain/time/timecode.ts'
import { acceptedPoints, chosenChanges, chosenPoints } from './chosen.ts'
import { buildGrid, ownGrid, timecodeOption } from './grid.ts'
import type { Grid } from './grid.ts'
import { commentMarkers, placeMarkers, sourceMarkers } from './markers.ts'
import type { SourceComment } from './markers.ts'
import { mediaPath, oneLine, stemOf } from './names.ts'
import { ExportRefused } from './refused.ts'
import { makeSource } from './source.ts'
import type { Carries, Item, Timeline, Transition } from './timeline.ts'

export interface JobExport {
  findings: Findings
  format: ExportFormat
  source: {
    /** The media's file name, as the editor knows it. */
    name: string
    /** Path on the editor's machine, if known. */
    path?: string | undefined
  }
  options: ExportOptions
  /** Written on shared links of the clip. */
  comments?: readonly SourceComment[]
}

type Which = NonNullable<ExportOptions['which']>
type Clip = Pick<Item, 'name' | 'sourceIn' | 'sourceOut' | 'recordIn' | 'recordOut' | 'transition'>

export function buildJobTimeline(
  order: Omit<JobExport, 'format'>,
  { markers = [] }: Carries = {},
): Timeline {
  const { findings, options } = order
  const { media } = findings
  if (media.kind !== 'video' && media.kind !== 'audio') {
    throw new ExportRefused('A timeline needs video or audio; this is neither.')
  }
  const grid = buildGrid(findings, options)
  if (grid.frames < 1) throw new ExportRefused('The media has no frame to put on a timeline.')
  const which = options.which ?? presentKind(findings, options)
  const numbered = clipsOf(which, findings, options, grid)
  const clips = options.clip_names === 'slate' ? nameBySlate(numbered, findings, grid) : numbered
  const name = oneLine(order.source.name) || 'media'
  const path = mediaPath(name, options.media_path ?? order.source.path)
  const fileGrid = ownGrid(findings, options, grid)
  const known = { contentId: null, offline: false, media, grid, fileGrid, path }
  const source = makeSource(name, known, options)
  const items = clips.map((clip) => ({ ...clip, source, note: '', speed: 1, range: null }))
  return {
    title: jobTitle(order),
    format: grid.format,
    recordStart: recordStartOf(which, options, grid),
    frames: items.at(-1)!.recordOut,
    frame: source.hasVideo ? media : undefined,
    sources: [source],
    tracks: [{ items, angle: null }],
    markers: placeMarkers(
      [
        ...sourceMarkers(options.markers ?? markers, findings, options, grid),
        ...commentMarkers(options.comments ? (order.comments ?? []) : [], grid),
      ],
      items,
    ),
    notes: grid.notes,
  }
}

export function jobTitle({ options, source }: Pick<JobExport, 'options' | 'source'>): string {
  return oneLine(options.title ?? '') || oneLine(stemOf(source.name)) || 'Untitled'
}

/** Slates in frames of the grid, as clips are. */
export function slatesOnGrid(findings: Findings, grid: Grid): Slate[] {
  return (findings.text?.slates ?? []).map((slate) => ({
    ...slate,
    start_frame: grid.place(slate.start_frame, slate.start_time),
    end_frame: grid.place(slate.end_frame, slate.end_time),
  }))
}

/** The clip that shows the slate has its name, those after it their number as well. */
function nameBySlate(clips: Clip[], findings: Findings, grid: Grid): Clip[] {
  const slates = slatesOnGrid(findings, grid).filter((slate) => slate.clip_name !== null)
  const used = new Set<Slate>()
  return clips.map((clip) => {
    const slate = slateBefore(slates, clip.sourceOut)
    if (!slate?.clip_name) return clip
    const isFirst = !used.has(slate)
    used.add(slate)
    return { ...clip, name: isFirst ? slate.clip_name : `${slate.clip_name} ${clip.name}` }
  })
}

function presentKind(findings: Findings, options: ExportOptions): Which {
  if (options.selects && options.selects.length > 0 && !findings.shots) return 'selects'
  if (findings.shots || !findings.cutpoints) return 'shots'
  return 'cutpoints'
}

function clipsOf(which: Which, findings: Findings, options: ExportOptions, grid: Grid): Clip[] {
  if (which === 'selects')
    return selectClips(options.selects ?? [], options.handle_frames ?? 0, grid)
  if (which === 'shots') {
    if (options.which === 'shots' && !findings.shots) {
      throw new ExportRefused('There are no shots in these findings: run the shots extractor.')
    }
    const film = { start_frame: 0, end_frame: findings.media.frames }
    return shotClips(chosenChanges(findings, options), { film, options, grid })
  }
  if (!findings.cutpoints && !(which === 'cutpoints' && acceptedPoints(options))) {
    throw new ExportRefused('There are no cut points in these findings: run cutpoints.')
  }
  return which === 'cutpoints'
    ? pointClips(findings, options, grid)
    : keptClips(findings, options, grid)
}

function shotClips(
  changes: ShotChange[],
  input: {
    film: { start_frame: number; end_frame: number }
    options: ExportOptions
    grid: Grid
  },
): Clip[] {
  const { film, options, grid } = input
  const joints: { cut: number; transition: Transition | null }[] = []
  let free = 1
  for (const change of changes) {
    if (!joinsShots(change, film)) continue
    const start = grid.place(change.start_frame, change.start_time)
    const end = grid.place(change.end_frame, change.end_time)
    // The middle again on this grid: a reader of an EDL knows the edit point by nothing else.
    const cut = editFrame({ start_frame: start, end_frame: Math.max(start, end) })
    const gradual = change.type !== 'cut' && end > start
    const soft = gradual && options.transitions === 'effects'
    const [first, last] = soft ? [start, end] : [cut, cut + 1]
    if (first < free || last > grid.frames) continue
    const type = change.type === 'cut' ? 'dissolve' : change.type
    joints.push({ cut, transition: soft ? { type, start, cut, end } : null })
    free = last
  }
  const cuts = [0, ...joints.map((joint) => joint.cut), grid.frames]
  const width = String(cuts.length - 1).length
  return cuts.slice(0, -1).map((cut, index) => ({
    name: numbered('Shot', index, width),
    sourceIn: cut,
    sourceOut: cuts[index + 1]!,
    recordIn: cut,
    recordOut: cuts[index + 1]!,
    transition: joints[index - 1]?.transition ?? null,
  }))
}

function pointClips(findings: Findings, options: ExportOptions, grid: Grid): Clip[] {
  const known = chosenPoints(findings, options)
  const times = new Map(known.map((point) => [point.frame, point.time]))
  const wanted = acceptedPoints(options) ?? known.map((point) => point.frame)
  const rejected = new Set(options.rejected)
  const cuts = new Set(
    wanted
      .filter((frame) => !rejected.has(frame))
      .map((frame) => grid.place(frame, times.get(frame))),
  )
  const edges = [...cuts.difference(new Set([0, grid.frames]))].sort((a, b) => a - b)
  const bounds = [0, ...edges, grid.frames]
  return laid(
    bounds.slice(0, -1).map((start, index) => ({ start, end: bounds[index + 1]! })),
    'Part',
  )
}

function selectClips(selects: readonly ExportSelect[], handle: number, grid: Grid): Clip[] {
  const ranges = selects.flatMap((select) => {
    const start = Math.max(0, grid.place(select.start_frame) - handle)
    const end = Math.min(grid.frames, grid.place(select.end_frame) + handle)
    return end > start ? [{ start, end, name: oneLine(select.name ?? '') }] : []
  })
  if (ranges.length === 0) throw new ExportRefused('There is no select to export.')
  return laid(ranges, 'Select')
}

function keptClips(findings: Findings, options: ExportOptions, grid: Grid): Clip[] {
  const kinds = new Set(options.remove ?? ['silence', 'filler'])
  const removals = (findings.cutpoints?.removals ?? []).filter(({ kind }) => kinds.has(kind))
  const kept = tightenedRanges({ removals, words: findings.transcription?.words }, grid, {
    handleFrames: options.handle_frames ?? 0,
    minPartFrames: options.min_part_frames ?? defaultMinPartFrames,
  })
  if (kept.length === 0) throw new ExportRefused('Nothing is left when all removals are taken out.')
  return laid(kept, 'Part')
}

/** Ranges one after another on the timeline. */
function laid(ranges: { start: number; end: number; name?: string }[], word: string): Clip[] {
  const width = String(ranges.length).length
  let record = 0
  return ranges.map(({ start, end, name }, index) => {
    const recordIn = record
    record += end - start
    return {
      name: name || numbered(word, index, width),
      sourceIn: start,
      sourceOut: end,
      recordIn,
      recordOut: record,
      transition: null,
    }
  })
}

function recordStartOf(which: Which, options: ExportOptions, grid: Grid): number {
  if (options.record_start !== undefined) return timecodeOption(options.record_start, grid.format)
  if (which === 'shots' || which === 'cutpoints') return grid.startFrame
  const separator = grid.format.dropFrame ? ';' : ':'
  return parseTimecode(`01:00:00${separator}00`, grid.format)!
}

function numbered(word: string, index: number, width: number): string {
  return `${word} ${String(index + 1).padStart(Math.max(3, width), '0')}`
}
