/** Classifies each shot: how much moves, and where it is black or frozen. */
import { shotFrames } from '../../domain/findings/recut.ts'
import type { ShotFrames } from '../../domain/findings/recut.ts'
import type { Detection } from './detector.ts'
import type { FilmMeasures } from './film.ts'
import { changeThreshold } from './settle.ts'
import type { Change } from './settle.ts'

export interface FrameRange {
  start: number
  end: number
}

interface JointRange {
  type: Change['type']
  start_frame: number
  end_frame: number
}

export interface ClassifiedShot extends FrameRange {
  transition: 'start' | Change['type']
  /** Blended frames, unless the shot begins with a cut. */
  blend: FrameRange | null
  motion: 'still' | 'low' | 'medium' | 'high'
  motionLevel: number
  black: boolean
  frozen: boolean
}

export interface Classification {
  shots: ClassifiedShot[]
  black: FrameRange[]
  freeze: FrameRange[]
}

const blackMean = 30
const blackDeviation = 6
const minBlackFrames = 2
const minFreezeSeconds = 1
/**
 * Limit on the motion of small blocks, in levels. Held frames were measured below .9, below 1.3
 * with pixels rounded at random, and at 2.4 if a key frame renews the image; slow camera moves
 * above 5 in a second.
 */
const maxHeldStep = 1.6
const minMovedStep = 3.5

export function classifyShots(detection: Detection, framesPerSecond: number): Classification {
  const { film } = detection
  const isBlack = (frame: number): boolean =>
    film.mean[frame]! < blackMean && film.deviation[frame]! < blackDeviation
  const black = runs(film.frames, isBlack).filter((run) => run.end - run.start >= minBlackFrames)
  const freeze = findFreezes(film, isBlack).filter(
    (run) => run.end - run.start >= minFreezeSeconds * framesPerSecond,
  )
  const changes = detection.changes.filter((change) => change.score >= changeThreshold)
  const whole = { start_frame: 0, end_frame: film.frames }
  const joints = changes.map(({ type, start, end }) => ({
    type,
    start_frame: start,
    end_frame: end,
  }))
  const shots = shotFrames(joints, whole).map((joined) => {
    const shot = { start: joined.start_frame, end: joined.end_frame }
    const motionLevel = motionOf(film, shot, framesPerSecond)
    return {
      ...shot,
      transition: joined.transition,
      blend: blendOf(joined.change),
      motionLevel,
      motion: nameMotion(motionLevel),
      black: covered(shot, black) > 0.9,
      frozen: covered(shot, freeze) > 0.9,
    }
  })
  return { shots, black, freeze }
}

/**
 * Every frame that has held still for a second vouches for that second, so that noise in the midst
 * of a still does not divide it. Two limits, as of a thermostat: a freeze holds still for certain
 * somewhere, and reaches as far as nothing moves for certain.
 */
function findFreezes(film: FilmMeasures, isBlack: (frame: number) => boolean): FrameRange[] {
  const held = new Uint8Array(film.frames)
  const isSure = new Uint8Array(film.frames)
  let since = 0
  let next = 0
  for (let frame = 0; frame < film.frames; frame++) {
    if (isBlack(frame)) since = frame + 1
    else if (film.stir[frame]! > minMovedStep) since = frame
    const start = frame - film.driftFrames
    const drift = film.drift[frame]!
    if (start < since || drift > minMovedStep) continue
    held.fill(1, Math.max(start, next), frame + 1)
    next = frame + 1
    if (drift < maxHeldStep) isSure[frame] = 1
  }
  return runs(film.frames, (frame) => held[frame] === 1)
    .filter(({ start, end }) => isSure.subarray(start, end).includes(1))
    .map((run) => withoutMoves(film, run))
}

/** Leaves out the last step of a slow move before a freeze, and the first after it. */
function withoutMoves(film: FilmMeasures, { start, end }: FrameRange): FrameRange {
  let [first, last] = [start, end - 1]
  while (first < last && film.stir[first + 1]! > maxHeldStep) first++
  while (last > first && film.stir[last]! > maxHeldStep) last--
  return { start: first, end: last + 1 }
}

function blendOf(change: ShotFrames<JointRange>['change']): FrameRange | null {
  if (!change || change.type === 'cut') return null
  return { start: change.start_frame, end: change.end_frame }
}

/** The mean change of the blocks, normalised to 25 frames per second. */
function motionOf(film: FilmMeasures, shot: FrameRange, framesPerSecond: number): number {
  let sum = 0
  for (let frame = shot.start + 1; frame < shot.end; frame++) sum += film.layout[frame]!
  const perFrame = sum / Math.max(1, shot.end - shot.start - 1)
  return Math.round(((perFrame * framesPerSecond) / 25) * 1e5) / 1e5
}

function nameMotion(level: number): ClassifiedShot['motion'] {
  if (level < 0.0004) return 'still'
  if (level < 0.006) return 'low'
  return level < 0.02 ? 'medium' : 'high'
}

function runs(frames: number, holds: (frame: number) => boolean): FrameRange[] {
  const found: FrameRange[] = []
  let start = -1
  for (let frame = 0; frame <= frames; frame++) {
    const inside = frame < frames && holds(frame)
    if (inside && start < 0) start = frame
    if (!inside && start >= 0) {
      found.push({ start, end: frame })
      start = -1
    }
  }
  return found
}

function covered(shot: FrameRange, ranges: readonly FrameRange[]): number {
  let frames = 0
  for (const range of ranges) {
    frames += Math.max(0, Math.min(shot.end, range.end) - Math.max(shot.start, range.start))
  }
  return frames / (shot.end - shot.start)
}
