/** When the sound of a file begins and ends, by its packets where they were read. */
import { toNumber } from '../../domain/time/rational.ts'
import type { Report } from './report.ts'
import { parseBase } from './streams.ts'
import type { Stream } from './streams.ts'

export interface SoundDetails {
  index: number
  startSeconds: number
  durationSeconds: number
}

/** `latestEnd`, on the container's clock, bounds a wrong header whose packets were not read. */
export function soundDetails(
  sound: Stream | undefined,
  report: Report,
  latestEnd = Infinity,
): SoundDetails | null {
  if (!sound) return null
  const startSeconds = Number(sound.start_time ?? 0) || 0
  // Where a track has no length of its own it ends with the file at the latest.
  const fileStart = Number(report.format.start_time ?? 0) || 0
  const fileEnd = fileStart + (Number(report.format.duration ?? 0) || 0)
  const left = Math.max(0, fileEnd - startSeconds)
  const stated = Math.min(Number(sound.duration ?? 0) || left, left || Infinity)
  const end = packetsEnd(sound, report) ?? latestEnd
  const durationSeconds = Math.min(stated, Math.max(0, end - startSeconds))
  return { index: sound.index, startSeconds, durationSeconds }
}

/** End of the last packet; null if packets were not all read, or if some have no times. */
function packetsEnd({ index, time_base: base }: Stream, { packets }: Report): number | null {
  let end = -Infinity
  for (const { pts, ticks } of packets?.get(index) ?? []) {
    if (!Number.isSafeInteger(pts)) return null
    end = Math.max(end, pts + (ticks > 0 ? ticks : 0))
  }
  return end === -Infinity ? null : end * toNumber(parseBase(base))
}
