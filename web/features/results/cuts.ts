/** Shots from scored changes: moving the threshold cuts anew at once, without a new run. */
import type { FindingsOf, ShotChange } from '../../../contract/findings.ts'

export interface ShotRange {
  index: number
  startFrame: number
  endFrame: number
  transition: string
}

export function changesAbove(
  shots: FindingsOf<'shots'> | undefined,
  threshold: number | null,
): readonly ShotChange[] {
  if (!shots) return []
  if (threshold === null) return shots.changes
  return shots.candidates.filter((change) => change.score >= threshold)
}

/** A gradual change belongs to the shot that it leads into. */
export function shotsBetween(changes: readonly ShotChange[], frames: number): ShotRange[] {
  const starts = [
    { at: 0, transition: 'start' },
    ...changes.map((change) => ({ at: change.start_frame, transition: change.type as string })),
  ]
    .filter(({ at }, index) => index === 0 || (at > 0 && at < frames))
    .sort((a, b) => a.at - b.at)
  return starts.map(({ at, transition }, index) => ({
    index,
    startFrame: at,
    endFrame: starts[index + 1]?.at ?? frames,
    transition,
  }))
}

/** The nearest mark before or after a frame. */
export function neighbour(
  marks: readonly number[],
  frame: number,
  direction: 1 | -1,
): number | null {
  const sorted = [...marks].sort((a, b) => (a - b) * direction)
  return sorted.find((mark) => (mark - frame) * direction > 0) ?? null
}
