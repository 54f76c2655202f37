/**
 * Divides the speech of a film into what one part hears each. Windows are heard on their own, so
 * the findings do not depend on it.
 */
import type { Seconds } from '../speech/voice/vad.ts'

/** The last third is cut into groups half as long, so that few workers wait at the end. */
const lastShare = 1 / 3

export function groupWindows(windows: readonly Seconds[], groupSeconds: number): Seconds[][] {
  const total = lengthOf(windows)
  const groups: Seconds[][] = []
  let left = total
  let seconds = 0
  let limit = 0
  for (const window of windows) {
    if (seconds >= limit) {
      groups.push([])
      seconds = 0
      limit = left <= lastShare * total ? groupSeconds / 2 : groupSeconds
    }
    groups.at(-1)!.push(window)
    seconds += window.end - window.start
    left -= window.end - window.start
  }
  return groups
}

/** Seconds of speech in all windows. */
export function lengthOf(windows: readonly Seconds[]): number {
  return windows.reduce((sum, { start, end }) => sum + end - start, 0)
}
