import type { Peaks } from './timeline-data.ts'

/**
 * A stroke from the lowest to the highest peak in each column, over a height of 256 where 128 is
 * silence. Loud enough to see: the loudest peak of the file reaches the edge.
 */
export function waveformPath(
  peaks: Peaks,
  { seconds, columns }: { seconds: number; columns: number },
): string {
  const count = Math.floor(peaks.values.length / 2)
  const { loudest } = peaks
  const strokes: string[] = []
  for (let column = 0; column < columns; column += 1) {
    const at = (edge: number): number =>
      Math.floor(((edge / columns) * seconds - peaks.startSeconds) * peaks.perSecond)
    const from = Math.max(0, at(column))
    const to = Math.min(count, Math.max(from + 1, at(column + 1)))
    if (((column + 1) / columns) * seconds <= peaks.startSeconds || from >= count) continue
    let low = 0
    let high = 0
    for (let index = from; index < to; index += 1) {
      low = Math.min(low, peaks.values[index * 2] ?? 0)
      high = Math.max(high, peaks.values[index * 2 + 1] ?? 0)
    }
    const y = (value: number): number => Math.round(128 - (value / loudest) * 120)
    strokes.push(`M${column + 0.5} ${y(high) - 1}V${y(low) + 1}`)
  }
  return strokes.join('')
}

/** The largest distance from silence, at least 1. */
export function loudestPeak(values: Int8Array): number {
  return values.reduce((loudest, value) => Math.max(loudest, Math.abs(value)), 1)
}
