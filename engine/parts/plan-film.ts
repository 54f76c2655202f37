/**
 * Divides a film. Its frames form segments of about two minutes that begin at key frames. Segments
 * follow from the media alone, and every model starts afresh with each: so one process for all of
 * them and many for some find the same (docs/decisions/0101-parts.md). Where no frame is needed, in
 * a recording of sound or for words alone, there are no segments: only speech is divided.
 */
import { toNumber } from '../../domain/time/rational.ts'
import type { Media } from '../../domain/findings/findings.ts'
import type { Need } from '../extractors/extractor.ts'
import { clockOfSound } from '../extractors/gather.ts'
import { wantsFrames } from '../extractors/see-frames.ts'
import { planOf } from '../pass/plan.ts'
import type { FrameRange } from '../pass/plan.ts'
import type { MediaDetails } from '../probe.ts'
import { createClock } from '../time/clock.ts'
import type { FrameClock } from '../time/clock.ts'

/** Frames of the file; the end is exclusive. */
export interface Segment {
  startFrame: number
  endFrame: number
}

export interface Film {
  media: Media
  details: MediaDetails
  needs: ReadonlySet<Need>
  /** The ordered range; absent for the whole file. */
  range?: FrameRange
  maxSeconds?: number
  audioTrack?: number
  /** True if words are ordered, not only voice activity. */
  hearsWords: boolean
  /** Empty if no frames are needed. */
  segments: Segment[]
  /** Seconds of speech per part; the findings do not depend on it. */
  speechSeconds: number
}

/** A looser division starts too few parts, a closer one starts models for little work. */
const segmentSeconds = 120
/**
 * Two and a half minutes of speech per part. With five minutes, a film of two hours has so few
 * parts that sixteen workers wait for the last ones.
 */
export const speechSegments = 1.25

/** Returns null for media analysed in one go: short clips, and frames whose times are uncertain. */
export function planFilm(
  film: Omit<Film, 'segments' | 'speechSeconds'>,
  options: { segmentSeconds?: number } = {},
): Film | null {
  const { details, needs, range, maxSeconds } = film
  const { video, audio, exact } = details
  const each = options.segmentSeconds ?? segmentSeconds
  const speechSeconds = speechSegments * each
  if (!video || !wantsFrames(needs)) {
    const isDivided = audio !== null && film.hearsWords && soundSeconds(film) >= 2 * each
    return isDivided ? { ...film, segments: [], speechSeconds } : null
  }
  const isSeekable = (details.restarts?.length ?? 0) === 0
  if (!isSeekable || !video.pts || !exact || video.pts[0] !== video.firstPts) return null
  const plan = planOf({ file: '', workDir: '', details, range, maxSeconds, only: 'frames' })
  const count = Math.floor(plan.seconds / each)
  if (count < 2) return null
  const end = plan.startFrame + plan.frames
  const starts = [plan.startFrame]
  for (let at = 1; at < count; at++) {
    const wanted = plan.startFrame + Math.round((at * plan.frames) / count)
    const start = keyFrameFrom(video.pts, video.keys, wanted)
    if (start !== null && start > starts.at(-1)! && start < end) starts.push(start)
  }
  if (starts.length < 2) return null
  const segments = starts.map((startFrame, at) => ({
    startFrame,
    endFrame: starts[at + 1] ?? end,
  }))
  return { ...film, segments, speechSeconds }
}

/** Seconds of sound to be processed. */
export function soundSeconds(film: Pick<Film, 'details' | 'range' | 'maxSeconds'>): number {
  return planSound(film).seconds
}

/** The frame of the file with which the film begins. */
export function firstFrame(film: Film): number {
  return film.segments[0]?.startFrame ?? planSound(film).startFrame
}

function planSound({ details, range, maxSeconds }: Pick<Film, 'details' | 'range' | 'maxSeconds'>) {
  return planOf({ file: '', workDir: '', details, range, maxSeconds, only: 'sound' })
}

/** The clock of the range: its frame 0 is the film's first. */
export function filmClock(film: Film): FrameClock {
  const { details, segments } = film
  const { video, clock } = details
  const startFrame = firstFrame(film)
  const endFrame = segments.at(-1)?.endFrame
  if (endFrame === undefined) return clockOfSound(film, startFrame)
  const pts = video?.pts?.slice(startFrame, endFrame) ?? new Float64Array()
  const frames = pts.length
  const lastTicks = frames === clock.frames ? video?.lastTicks : undefined
  return createClock({ rate: clock.rate, frames, pts, timeBase: video?.timeBase, lastTicks })
}

/** Consecutive segments as so many parts, the lengths as equal as they can be. */
export function groupSegments(segments: readonly Segment[], parts: number): Segment[][] {
  const count = Math.min(Math.max(1, parts), segments.length)
  const firstOf = (part: number): number => Math.round((part * segments.length) / count)
  return Array.from({ length: count }, (_, part) =>
    segments.slice(firstOf(part), firstOf(part + 1)),
  )
}

/** Duration of a segment in seconds. */
export function lengthOf({ details }: Film, { startFrame, endFrame }: Segment): number {
  const { clock } = details
  return toNumber(clock.timeOf(endFrame)) - toNumber(clock.timeOf(startFrame))
}

/** The first key picture that is shown from this frame on. */
function keyFrameFrom(pts: Float64Array, keys: Float64Array, frame: number): number | null {
  const from = pts[frame]
  if (from === undefined) return null
  const key = keys[lowerBound(keys, from)]
  if (key === undefined) return null
  const at = lowerBound(pts, key)
  return pts[at] === key ? at : null
}

function lowerBound(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
