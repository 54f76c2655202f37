/**
 * The times of an event. Timecode names wrap at 24 h, and a list whose out point has an earlier
 * name than its in point is refused: an out point, and all that follows on the timeline, counts on.
 */
import { parseTimecode, toTimecode } from '../../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'

/** The name of a frame that is not wrapped at 24 h. */
export function countedTimecode(frame: number, format: TimecodeFormat): string {
  const days = Math.floor(frame / format.framesPerDay)
  const name = toTimecode(frame, format)
  return `${String(Number(name.slice(0, 2)) + days * 24).padStart(2, '0')}${name.slice(2)}`
}

/**
 * Timecodes of the in and out points of a source; the in point is the timecode that the file has.
 */
export function sourceTimecodes(start: number, end: number, format: TimecodeFormat): string[] {
  const from = start % format.framesPerDay
  return [countedTimecode(from, format), countedTimecode(from + end - start, format)]
}

/** The frame that such a timecode means. */
export function parseCountedTimecode(text: string, format: TimecodeFormat): number | null {
  const hours = Number(text.slice(0, 2))
  const name = `${String(hours % 24).padStart(2, '0')}${text.slice(2)}`
  const frame = parseTimecode(name, format)
  return frame === null ? null : frame + Math.floor(hours / 24) * format.framesPerDay
}
