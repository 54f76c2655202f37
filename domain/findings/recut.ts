/**
 * Shots from their scored candidates: a threshold can be moved, changes rejected and added without
 * a new run. The screen and the exports use the same rule, so they show the same shots.
 */
import type { Shot, ShotChange, ShotsFindings, Span } from './findings.ts'
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
  const scored =
    threshold === undefined
      ? shots.changes
      : shots.candidates.filter((candidate) => candidate.score >= threshold)
  const rejected = new Set(recut.rejected)
  const accepted = new Set(recut.accepted)
  const chosen = scored.filter(
    (change) => !rejected.has(change.start_frame) && !accepted.has(change.start_frame),
  )
  const known = new Map(shots.candidates.map((candidate) => [candidate.start_frame, candidate]))
  for (const frame of accepted) chosen.push({ ...(known.get(frame) ?? cutAt(frame)), score: 1 })
  return withoutOverlap(chosen)
}

interface FrameRange {
  start_frame: number
  end_frame: number
}

/**
 * The frame at which two shots meet, on the screen and in every export: the first frame of the new
 * shot at a cut, the middle of a gradual change. The blended frames are a range of their own.
 */
export function editFrame({ start_frame: start, end_frame: end }: FrameRange): number {
  return start + ((end - start) >> 1)
}

/** False for a gradual change that opens or closes the film: it has a shot on one side only. */
export function joinsShots(change: TypedRange, film: FrameRange): boolean {
  const edit = editFrame(change)
  if (edit <= film.start_frame || edit >= film.end_frame) return false
  if (change.type === 'cut') return true
  return change.start_frame > film.start_frame && change.end_frame < film.end_frame
}

interface TypedRange extends FrameRange {
  type: ShotChange['type']
}

export interface ShotFrames<Change extends TypedRange = ShotChange> extends FrameRange {
  index: number
  transition: Shot['transition']
  /** The change that the shot begins with; null at the start of the film. */
  change: Change | null
}

/** The shots between changes, in order. They meet: every frame is in exactly one. */
export function shotFrames<Change extends TypedRange>(
  changes: readonly Change[],
  film: FrameRange,
): ShotFrames<Change>[] {
  const joints = changes.filter((change) => joinsShots(change, film))
  const starts = [
    { start_frame: film.start_frame, transition: 'start' as const, change: null },
    ...joints.map((change) => ({
      start_frame: editFrame(change),
      transition: change.type,
      change,
    })),
  ]
  return starts.map((start, index) => ({
    index,
    ...start,
    end_frame: starts[index + 1]?.start_frame ?? film.end_frame,
  }))
}

/** The analysed frames: those that shots fill, or all of the media. */
export function analysedFrames(shots: Pick<Shots, 'shots'>, frames: number): FrameRange {
  const [first, last] = [shots.shots[0], shots.shots.at(-1)]
  return { start_frame: first?.start_frame ?? 0, end_frame: last?.end_frame ?? frames }
}

/** The same shots with times; what is known of a shot comes from the one it overlaps most. */
export function shotsBetween(
  changes: readonly ShotChange[],
  input: {
    known: readonly Shot[]
    film: FrameRange
    timeOf: (frame: number) => { time: string; seconds: number }
  },
): Shot[] {
  return shotFrames(changes, input.film).map(({ change, ...shot }) => {
    const like = maxOverlapping(input.known, shot.start_frame, shot.end_frame)
    const [start, end] = [input.timeOf(shot.start_frame), input.timeOf(shot.end_frame)]
    return {
      ...shot,
      ...{ start_time: start.time, end_time: end.time },
      ...{ start: start.seconds, end: end.seconds },
      ...(change && change.type !== 'cut' ? { transition_range: rangeOf(change) } : {}),
      motion: like?.motion ?? 'still',
      motion_level: like?.motion_level ?? 0,
      black: like?.black ?? false,
      frozen: like?.frozen ?? false,
    }
  })
}

function rangeOf({ start_frame, end_frame, start_time, end_time, start, end }: ShotChange): Span {
  return { start_frame, end_frame, start_time, end_time, start, end }
}

/** Removes the lower score of two changes that overlap; if equal, the second. */
export function withoutOverlap(changes: ShotChange[]): ShotChange[] {
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

/** True if the second, which does not start earlier, meets the first. A cut takes one frame. */
export function overlap(first: ShotChange, second: ShotChange): boolean {
  return second.start_frame < Math.max(first.end_frame, first.start_frame + 1)
}

/** `shots` are in order of time, so only those between the two frames are looked at. */
function maxOverlapping(shots: readonly Shot[], start: number, end: number): Shot | undefined {
  let best: Shot | undefined
  let max = 0
  for (let at = firstEndingAfter(shots, start); at < shots.length; at += 1) {
    const shot = shots[at]
    if (!shot || shot.start_frame >= end) break
    const frames = Math.min(end, shot.end_frame) - Math.max(start, shot.start_frame)
    if (frames > max) [best, max] = [shot, frames]
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
