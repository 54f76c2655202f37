import { parseTimecode } from '../../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import { fail } from '../compare.ts'

/** The frame that a timecode of a list names, counted from the start of its timeline. */
export function sinceStart(text: string, format: TimecodeFormat, start: number): number {
  const frame = parseTimecode(text, format) ?? fail(`there is no timecode ${text}`)
  const day = format.framesPerDay
  return (((frame - start) % day) + day) % day
}
