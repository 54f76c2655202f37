/**
 * Divides the speech of a film into what one part hears each. Windows are heard on their own, so the
 * findings do not depend on it.
 */
import type { Seconds } from '../speech/voice/vad.ts'
import type { VoicePlan } from '../voices/hear-speakers.ts'

export interface SpokenGroup {
  windows: Seconds[]
  /** What is listened to, to tell voices apart. */
  voices: VoicePlan
}

/** From here on groups are half as long: otherwise many workers wait for the last few at the end. */
const lastShare = 1 / 3

/** A stretch or a pack goes with the windows among which it begins. */
export function groupSpeech(
  windows: readonly Seconds[],
  { stretches, packs }: VoicePlan,
  groupSeconds: number,
): SpokenGroup[] {
  const groups = groupWindows(windows, groupSeconds).map((group): SpokenGroup => ({
    windows: group,
    voices: { stretches: [], packs: [] },
  }))
  const groupAt = ({ start }: Seconds): VoicePlan | undefined => {
    const at = groups.findLastIndex((group) => group.windows[0]!.start <= start)
    return groups[Math.max(at, 0)]?.voices
  }
  for (const stretch of stretches) groupAt(stretch)?.stretches.push(stretch)
  for (const pack of packs) groupAt(pack)?.packs.push(pack)
  return groups
}

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

/** Seconds of speech in all of them. */
export function lengthOf(windows: readonly Seconds[]): number {
  return windows.reduce((sum, { start, end }) => sum + end - start, 0)
}
