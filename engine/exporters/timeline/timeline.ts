/**
 * The one model that every timeline format is written from: clips of a single source that follow
 * each other without a gap on the grid of the export.
 *
 * A gradual change of the source stays a transition in the timeline. Both of its clips run on under
 * it at the same source frames, so it mixes each frame with itself: the picture plays exactly as in
 * the source, and the editor finds the transition where it is. The clips meet at `cut`.
 */
import type { ExportOptions, ExportSelect } from '../../../contract/footage/export-options.ts'
import type { Findings, Media, Shot, ShotChange, Slate } from '../../../domain/findings/findings.ts'
import { formatRational, toNumber } from '../../../domain/time/rational.ts'
import {
  analysedFrames,
  editFrame,
  joinsShots,
  recutChanges,
  shotsBetween,
} from '../../../domain/findings/recut.ts'
import { slateBefore } from '../../../domain/findings/slates.ts'
import { defaultMinPartFrames, tightenedRanges } from '../../../domain/findings/tighten.ts'
import { parseTimecode } from '../../../domain/time/timecode.ts'
import { sourceTimes } from '../../../domain/time/source-times.ts'
import { buildGrid, timecodeOption } from './grid.ts'
import type { Grid } from './grid.ts'
import { mediaPath, oneLine, stemOf } from './names.ts'
import { reelName } from './reel-name.ts'
import { ExportRefused } from '../refused.ts'

export interface Transition {
  type: 'dissolve' | 'fade' | 'wipe'
  /** Timeline frames: first blended, where the clips meet, first clean. */
  start: number
  cut: number
  end: number
}

export interface Clip {
  name: string
  sourceIn: number
  /** Exclusive. */
  sourceOut: number
  recordIn: number
  recordOut: number
  /** How this clip comes in; null is a cut. */
  transition: Transition | null
}

export interface Timeline {
  title: string
  grid: Grid
  /** The timecode where the timeline starts, as a frame number. */
  recordStart: number
  clips: Clip[]
  frames: number
  source: TimelineSource
}

export interface TimelineSource {
  name: string
  /** The path that file URLs are made of. */
  path: string
  /** As an EDL holds it. */
  reel: string
  /** The reel by its whole name. */
  tape: string
  media: Media
  hasVideo: boolean
  audio: Media['audio']
  /** Over all tracks. */
  channels: number
}

export type Which = NonNullable<ExportOptions['which']>

/** What somebody wrote on a shared link, in frames of the source. */
export interface SourceComment {
  start_frame: number
  end_frame: number
  name: string
  text: string
}

export interface TimelineInput {
  findings: Findings
  source: { name: string; path?: string | undefined }
  options: ExportOptions
  /** Written on shared links of the clip. */
  comments?: readonly SourceComment[]
}

export function buildTimeline(input: TimelineInput): Timeline {
  const { findings, options } = input
  const { media } = findings
  if (media.kind !== 'video' && media.kind !== 'audio') {
    throw new ExportRefused('A timeline needs video or audio; this is neither.')
  }
  const grid = buildGrid(findings, options)
  if (grid.frames < 1) throw new ExportRefused('The media has no frame to put on a timeline.')
  const which = options.which ?? presentKind(findings, options)
  const numbered = clipsOf(which, findings, options, grid)
  const clips = options.clip_names === 'slate' ? nameBySlate(numbered, findings, grid) : numbered
  return {
    title: titleOf(input),
    grid,
    recordStart: recordStartOf(which, options, grid),
    clips,
    frames: clips.at(-1)!.recordOut,
    source: sourceOf(input),
  }
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

export function titleOf(input: TimelineInput): string {
  return oneLine(input.options.title ?? '') || oneLine(stemOf(input.source.name)) || 'Untitled'
}

/** The changes that the options ask for. */
export function chosenChanges(findings: Findings, options: ExportOptions): ShotChange[] {
  if (!findings.shots) return []
  const { threshold, accepted_shots: accepted, rejected_shots: rejected } = options
  const timeOf = sourceTimes(findings)
  return recutChanges(findings.shots, { threshold, accepted, rejected }, (frame) => {
    const time = formatRational(timeOf(frame))
    const start = toNumber(timeOf(frame))
    const range = { start_frame: frame, end_frame: frame, start_time: time, end_time: time }
    return { type: 'cut', ...range, start, end: start, score: 1 }
  })
}

/** The shots between those changes. */
export function chosenShots(findings: Findings, options: ExportOptions): Shot[] {
  const { media, shots } = findings
  if (!shots) return []
  const timeOf = sourceTimes(findings)
  const film = analysedFrames(shots, media.frames)
  const end = shots.shots.at(-1) ?? { end_time: media.duration_time, end: media.duration }
  return shotsBetween(chosenChanges(findings, options), {
    known: shots.shots,
    film,
    // Where the film ends is known better than a frame after its last.
    timeOf: (frame) =>
      frame === film.end_frame
        ? { time: end.end_time, seconds: end.end }
        : { time: formatRational(timeOf(frame)), seconds: toNumber(timeOf(frame)) },
  })
}

/** The cut points that the options ask for, in order of time. */
export function chosenPoints(findings: Findings, options: ExportOptions) {
  const rejected = new Set(options.rejected)
  const wanted = acceptedPoints(options)
  const accepted = wanted && new Set(wanted)
  return (findings.cutpoints?.points ?? [])
    .filter((point) => !rejected.has(point.frame))
    .filter((point) => (accepted ? accepted.has(point.frame) : point.score >= options.min_score))
    .toSorted((a, b) => a.frame - b.frame)
}

/** An empty list means that nobody has chosen yet. */
function acceptedPoints(options: ExportOptions): number[] | undefined {
  return options.accepted && options.accepted.length > 0 ? options.accepted : undefined
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

function sourceOf(input: TimelineInput): TimelineSource {
  const { findings, options } = input
  const { media } = findings
  const name = oneLine(input.source.name) || 'media'
  const wanted = options.reel ?? media.reel
  // Sound is all there is of an audio file, so it cannot be left out there.
  const wantsAudio = options.audio || media.kind === 'audio'
  const audio = wantsAudio ? media.audio.filter((track) => track.channels > 0) : []
  return {
    name,
    path: mediaPath(name, options.media_path ?? input.source.path),
    reel: reelName(wanted ?? stemOf(name), options.full_reel),
    tape: oneLine(wanted ?? '') || stemOf(name),
    media,
    hasVideo: media.kind === 'video',
    audio,
    channels: audio.reduce((sum, track) => sum + track.channels, 0),
  }
}

function numbered(word: string, index: number, width: number): string {
  return `${word} ${String(index + 1).padStart(Math.max(3, width), '0')}`
}
