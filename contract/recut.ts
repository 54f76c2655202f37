/**
 * Shots from their scored candidates: a threshold can be moved, changes rejected and added without
 * a new run. The screen and the exports use the same rule, so they show the same shots.
 */
import type { Shot, ShotChange, ShotsFindings } from './findings.ts'
import type * as z from 'zod'

type Shots = z.infer<typeof ShotsFindings>

export interface Recut {
  /** Absent: the changes as they were found. */
  threshold?: number | undefined
  /** Frames that become a change even below the threshold; a plain cut where nothing was scored. */
  accepted?: readonly number[] | undefined
  /** Changes that start at one of these frames are left out. */
  rejected?: readonly number[] | undefined
}

/** Changes in order of time that do not overlap: of two that do, the higher score stays. */
export function recutChanges(
  shots: Shots,
  recut: Recut,
  cutAt: (frame: number) => ShotChange,
): ShotChange[] {
  const { threshold } = recut
  const found =
    threshold === undefined
      ? shots.changes
      : shots.candidates.filter((candidate) => candidate.score >= threshold)
  const rejected = new Set(recut.rejected)
  const accepted = new Set(recut.accepted)
  const chosen = found.filter(
    (change) => !rejected.has(change.start_frame) && !accepted.has(change.start_frame),
  )
  const known = new Map(shots.candidates.map((candidate) => [candidate.start_frame, candidate]))
  for (const frame of accepted) chosen.push({ ...(known.get(frame) ?? cutAt(frame)), score: 1 })
  return withoutOverlap(chosen)
}

/** The shots between the changes; what is known of a shot comes from the one it overlaps most. */
export function shotsBetween(
  changes: readonly ShotChange[],
  known: readonly Shot[],
  whole: Pick<Shot, 'end_frame' | 'end_time' | 'end'>,
): Shot[] {
  const starts = [
    { transition: 'start' as const, start_frame: 0, start_time: '0/1', start: 0 },
    ...changes.map((change) => ({
      transition: change.type,
      start_frame: change.end_frame,
      start_time: change.end_time,
      start: change.end,
    })),
  ]
  return starts.flatMap((start, index) => {
    const change = changes[index]
    const end = change
      ? { end_frame: change.start_frame, end_time: change.start_time, end: change.start }
      : { end_frame: whole.end_frame, end_time: whole.end_time, end: whole.end }
    if (end.end_frame <= start.start_frame) return []
    const like = mostOverlapping(known, start.start_frame, end.end_frame)
    return [
      {
        index,
        ...start,
        ...end,
        motion: like?.motion ?? 'still',
        motion_level: like?.motion_level ?? 0,
        black: like?.black ?? false,
        frozen: like?.frozen ?? false,
      },
    ]
  })
}

function withoutOverlap(changes: ShotChange[]): ShotChange[] {
  const sorted = changes.toSorted(
    (a, b) => a.start_frame - b.start_frame || a.end_frame - b.end_frame,
  )
  const kept: ShotChange[] = []
  for (const change of sorted) {
    let replaced = true
    while (replaced) {
      const previous = kept.at(-1)
      replaced = false
      if (!previous || !overlap(previous, change)) kept.push(change)
      else if (change.score > previous.score) {
        kept.pop()
        replaced = true
      }
    }
  }
  return kept
}

/** A cut takes its one frame; a gradual change all of its frames. */
function overlap(first: ShotChange, second: ShotChange): boolean {
  return second.start_frame < Math.max(first.end_frame, first.start_frame + 1)
}

/** `shots` are in order of time, so only those between the two frames are looked at. */
function mostOverlapping(shots: readonly Shot[], start: number, end: number): Shot | undefined {
  let best: Shot | undefined
  let most = 0
  for (let at = firstEndingAfter(shots, start); at < shots.length; at += 1) {
    const shot = shots[at]
    if (!shot || shot.start_frame >= end) break
    const frames = Math.min(end, shot.end_frame) - Math.max(start, shot.start_frame)
    if (frames > most) [best, most] = [shot, frames]
  }
  return best
}

function firstEndingAfter(shots: readonly Shot[], frame: number): number {
  let low = 0
  let high = shots.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((shots[middle]?.end_frame ?? 0) > frame) high = middle
    else low = middle + 1
  }
  return low
}
