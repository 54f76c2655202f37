/**
 * The frame grid of an export. A file of an editing system has one constant rate, so every frame of
 * the findings gets a frame of that grid:
 *
 * - a constant source at its own rate, or at one that counts the same frames to the second (23.976
 *   and 24): frame for frame;
 * - a variable source, or another rate: by exact time, to the nearest frame of the grid. A variable
 *   source goes onto the standard rate next to its own, an uncounted rate onto a multiple.
 */
import type { ExportOptions } from '../../contract/footage/export-options.ts'
import type { Findings } from '../../domain/findings/findings.ts'
import { compare, parseRational } from '../../domain/time/rational.ts'
import type { Rational } from '../../domain/time/rational.ts'
import {
  canDropFrame,
  countAlike,
  countedRate,
  frameAtTime,
  frameTime,
  nearestFrame,
  parseRate,
  parseSourceTimecode,
  rateLabel,
  timecodeFormat,
  toTimecode,
} from '../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../domain/time/timecode.ts'
import { convertTimecode, firstFrameIn, sourceFormat } from '../../domain/time/source-timecode.ts'
import { audioRate, sourceTimes } from '../../domain/time/source-times.ts'
import { ExportRefused } from './refused.ts'

export interface Grid {
  format: TimecodeFormat
  /** Length of the source on this grid. */
  frames: number
  /** The timecode of the source's first frame, as a frame number. */
  startFrame: number
  /** Frames a second beside the media, which may be a little off the standard rate of the grid. */
  playedRate: Rational
  /** Each frame lies where its time does; else the frames of the findings are those of the grid. */
  isByTime: boolean
  /** How the frames were placed, when that is worth saying. */
  notes: string[]
  /** The grid frame of a frame of the findings, 0..frames; `time` is its exact time, if known. */
  place(frame: number, time?: string): number
}

export function buildGrid(
  findings: Findings,
  options: ExportOptions,
  timeOf: (frame: number) => Rational = sourceTimes(findings),
): Grid {
  const { media } = findings
  const notes: string[] = []
  const sourceRate = parseRational(media.frame_rate ?? audioRate)!
  const wanted = options.frame_rate === undefined ? null : parseRate(options.frame_rate)
  const rate = countedRate(wanted ?? sourceRate)
  const byTime = media.variable_frame_rate || !countAlike(sourceRate, rate)
  const isSound = media.kind === 'audio'
  if (byTime && !isSound) {
    const kind = media.variable_frame_rate ? 'Variable frame rate' : `${rateLabel(sourceRate)} fps`
    notes.push(`${kind} placed by time on ${rateLabel(rate)} fps, to the nearest frame.`)
  } else if (compare(rate, sourceRate) !== 0 && !isSound) {
    notes.push(`${rateLabel(sourceRate)} fps taken frame for frame as ${rateLabel(rate)} fps.`)
  }
  const format = formatOf(findings, options, rate)
  const frames = framesOf(findings, rate, byTime ? timeOf : null)
  const startFrame = startOf(findings, options, format, notes)
  return {
    format,
    playedRate: wanted || byTime || isSound ? rate : sourceRate,
    frames,
    startFrame,
    isByTime: byTime,
    notes,
    place(frame, time) {
      const exact = time === undefined ? null : parseRational(time)
      const placed = byTime ? nearestFrame(exact ?? timeOf(frame), rate) : frame
      return Math.min(frames, Math.max(0, placed))
    },
  }
}

/**
 * The same grid as long as the sound, where that goes on after the picture: what is said there has
 * no frame of its own and stands by its time.
 */
export function withSoundTail(grid: Grid, { media }: Findings): Grid {
  const { playedRate: rate } = grid
  const frames = nearestFrame(parseRational(media.duration_time)!, rate)
  if (media.kind !== 'video' || frames <= grid.frames) return grid
  return {
    ...grid,
    frames,
    place(frame, time) {
      const exact = frame < media.frames || time === undefined ? null : parseRational(time)
      return exact ? Math.min(frames, nearestFrame(exact, rate)) : grid.place(frame, time)
    },
  }
}

/**
 * The grid of the source itself, where the timeline has another rate. Frame for frame on a slower
 * timeline (24 as 23.976) the clip lasts longer than its file, so there the file counts as the
 * timeline does.
 */
export function ownGrid(findings: Findings, options: ExportOptions, grid: Grid): Grid {
  const unset = { frame_rate: undefined, start_timecode: undefined, drop_frame: undefined }
  const own = buildGrid(findings, { ...options, ...unset })
  const difference = compare(grid.format.rate, own.format.rate)
  const isOutlasted = difference < 0 && !own.isByTime && !grid.isByTime
  if (findings.media.kind !== 'video' || difference === 0 || isOutlasted) return grid
  if (options.start_timecode === undefined) return own
  const formats = { from: grid.format, to: own.format }
  return { ...own, startFrame: convertTimecode(grid.startFrame, { kind: 'video', ...formats }) }
}

/** A frame number of a timecode option in this format; refused when it names no frame. */
export function timecodeOption(text: string, format: TimecodeFormat): number {
  const frame = parseSourceTimecode(text, format)
  if (frame === null) {
    throw new ExportRefused(
      `The timecode ${text} does not exist at ${rateLabel(format.rate)} frames a second.`,
    )
  }
  return frame
}

function formatOf(findings: Findings, options: ExportOptions, rate: Rational): TimecodeFormat {
  const { media } = findings
  const flagged =
    options.start_timecode === undefined ? media.drop_frame : options.start_timecode.includes(';')
  const dropFrame = options.drop_frame ?? (flagged && canDropFrame(rate))
  if (dropFrame && !canDropFrame(rate)) {
    throw new ExportRefused(
      `There is no drop-frame timecode at ${rateLabel(rate)} frames a second: 29.97 and 59.94 only.`,
    )
  }
  return timecodeFormat(rate, dropFrame)
}

function startOf(
  findings: Findings,
  options: ExportOptions,
  format: TimecodeFormat,
  notes: string[],
): number {
  if (options.start_timecode !== undefined) return timecodeOption(options.start_timecode, format)
  const text = findings.media.start_timecode
  if (text === null) return 0
  const { kind } = findings.media
  const { format: own, startFrame } = sourceFormat(findings.media)
  if (parseSourceTimecode(text, own) === null) {
    notes.push(`The source timecode ${text} is not valid at this rate; counted from 00:00:00:00.`)
    return 0
  }
  const frame = firstFrameIn(findings.media, format)
  if (kind === 'video' && own.nominal !== format.nominal && startFrame > 0) {
    notes.push(`The source timecode ${text} is ${toTimecode(frame, format)} at this rate.`)
  }
  return frame
}

function framesOf(
  { media }: Findings,
  rate: Rational,
  timeOf: ((frame: number) => Rational) | null,
): number {
  // Sound rarely ends on a frame; a clip that outlasts its file is refused by editing systems.
  if (media.kind === 'audio') {
    return Math.max(1, frameAtTime(parseRational(media.duration_time)!, rate))
  }
  if (!timeOf) return media.frames
  const own = countedRate(parseRational(media.frame_rate ?? audioRate)!)
  const whole = frameTime(Math.max(1, nearestFrame(timeOf(media.frames), own)), own)
  return Math.max(1, frameAtTime(whole, rate))
}
