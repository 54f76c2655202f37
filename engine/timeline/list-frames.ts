/** The frames of a source as a list names them that has one rate, that of the timeline. */
import { add } from '../../domain/time/rational.ts'
import { convertTimecode } from '../../domain/time/source-timecode.ts'
import { frameTime, nearestFrame, toTimecode } from '../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../domain/time/timecode.ts'
import type { Item, Source } from './timeline.ts'

/** Frames that count alike keep their own names; those of another rate are converted. */
export function listFormat({ media, grid }: Source, format: TimecodeFormat): TimecodeFormat {
  const isAlike = media.kind === 'video' && grid.format.nominal === format.nominal
  return isAlike ? grid.format : format
}

export function listFrame(source: Source, frame: number, format: TimecodeFormat): number {
  const { clock, grid, media } = source
  const to = listFormat(source, format)
  if (clock) return nearestFrame(add(clock, frameTime(frame, grid.format.rate)), to.rate)
  if (to === grid.format) return grid.startFrame + frame
  return convertTimecode(grid.startFrame + frame, { kind: media.kind, from: grid.format, to })
}

/**
 * A stretch of a source lasts as long as it plays, and ends with its file: one that plays slower
 * than it counts (23.976 at 24) has fewer frames than the timeline.
 */
export function listRange(
  source: Source,
  { sourceIn, frames }: { sourceIn: number; frames: number },
  format: TimecodeFormat,
): [start: number, end: number] {
  const start = listFrame(source, sourceIn, format)
  const end = Math.max(start + 1, listFrame(source, source.grid.frames, format))
  return [start, Math.min(end, start + frames)]
}

/** In and out point of an item in the source's own count. */
export function ownTimecodes({ source, sourceIn, sourceOut }: Item): [string, string] {
  const { format, startFrame } = source.grid
  return [toTimecode(startFrame + sourceIn, format), toTimecode(startFrame + sourceOut, format)]
}
