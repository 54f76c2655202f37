import type { View } from '../../../playback/timeline-scale.ts'
import type { Peaks } from './timeline-data.ts'

/** Pixels from one column of the waveform to the next. */
const step = 2

export interface PeakColumn {
  pixel: number
  low: number
  high: number
}

/** The lowest and highest peak of each column in view, as far as there is sound. */
export function peakColumns(
  peaks: Peaks,
  view: View,
  secondsAt: (frame: number) => number,
): PeakColumn[] {
  const count = Math.floor(peaks.values.length / 2)
  const peakAt = (pixel: number): number => {
    const seconds = secondsAt(view.startFrame + pixel / view.pixelsPerFrame)
    return Math.floor((seconds - peaks.startSeconds) * peaks.perSecond)
  }
  const columns: PeakColumn[] = []
  let next = peakAt(0)
  for (let pixel = 0; pixel < view.width; pixel += step) {
    const from = Math.max(0, next)
    next = peakAt(pixel + step)
    if (from >= count) break
    columns.push({ pixel, ...extremes(peaks, from, Math.min(count, Math.max(from + 1, next))) })
  }
  return columns
}

function extremes({ values }: Peaks, from: number, to: number): { low: number; high: number } {
  let low = 0
  let high = 0
  for (let index = from; index < to; index++) {
    low = Math.min(low, values[index * 2] ?? 0)
    high = Math.max(high, values[index * 2 + 1] ?? 0)
  }
  return { low, high }
}
