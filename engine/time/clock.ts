/**
 * The one frame-time model. A frame is an ordinal in presentation order; its exact start is a
 * fraction of a second after the start of frame 0. Detectors speak in frames or in seconds of the
 * same clock, and this turns one into the other.
 *
 * A clock is either constant (frame n starts at n ÷ rate, exactly) or variable (each frame's start
 * is its integer pts × the time base). Containers round a constant rate to their own ticks, so pts
 * that stay within one tick of n ÷ rate still make a constant clock.
 */
import { formatRational, parseRational, rational, toNumber } from '../../domain/time/rational.ts'
import type { Rational } from '../../domain/time/rational.ts'
import type { Span } from '../../domain/findings/findings.ts'

export interface FrameClock {
  /** Frames per second: the container's exact rate, or 25/1 where there is no picture. */
  rate: Rational
  /** The number of frames presented. */
  frames: number
  /** The exact start of a frame; `frames` itself gives the end of the last one. */
  timeOf(frame: number): Rational
  /** The frame on the screen at this second; clamped to 0..frames. */
  frameAt(seconds: number): number
  /** True where frames do not follow the rate, so only `timeOf` tells when one starts. */
  variable: boolean
}

export interface ClockInput {
  rate: Rational
  frames: number
  /** The pts of each frame in presentation order, as integers of the time base. */
  pts?: ArrayLike<number>
  timeBase?: Rational
  /** How long the last frame stays, in ticks; one frame of the rate when it is not known. */
  lastTicks?: number
}

/** Media without a picture counts frames at this rate. */
export const audioFrameRate: Rational = { num: 25n, den: 1n }

/** Seconds come from floats; a frame that starts this close after them has begun. */
const secondsTolerance = 1e-6

export function createClock(input: ClockInput): FrameClock {
  const { rate, frames, pts, timeBase } = input
  if (rate.num <= 0n || rate.den <= 0n) throw new RangeError('A frame rate must be positive.')
  const variable =
    pts !== undefined && timeBase !== undefined && !followsRate({ pts, timeBase, rate, frames })
  return variable ? variableClock({ ...input, pts, timeBase }) : constantClock(rate, frames)
}

function constantClock(rate: Rational, frames: number): FrameClock {
  const perSecond = toNumber(rate)
  return {
    rate,
    frames,
    variable: false,
    timeOf: (frame) => rational(BigInt(clampFrame(frame, frames)) * rate.den, rate.num),
    frameAt: (seconds) =>
      clampFrame(Math.floor((seconds + secondsTolerance) * perSecond + 1e-9), frames),
  }
}

function variableClock(
  input: ClockInput & { pts: ArrayLike<number>; timeBase: Rational },
): FrameClock {
  const { rate, frames, pts, timeBase } = input
  const first = pts[0] ?? 0
  const frameTicks = Math.max(1, Math.round(1 / toNumber(rate) / toNumber(timeBase)))
  const endTicks = (pts[frames - 1] ?? 0) + (input.lastTicks ?? frameTicks)
  const ticksOf = (frame: number): number =>
    (frame >= frames ? endTicks : (pts[frame] ?? endTicks)) - first
  return {
    rate,
    frames,
    variable: true,
    timeOf: (frame) =>
      rational(BigInt(ticksOf(clampFrame(frame, frames))) * timeBase.num, timeBase.den),
    frameAt(seconds) {
      const ticks = (seconds + secondsTolerance) / toNumber(timeBase)
      if (ticks >= ticksOf(frames)) return frames
      let low = 0
      let high = Math.max(0, frames - 1)
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if (ticksOf(middle) <= ticks) low = middle
        else high = middle - 1
      }
      return low
    },
  }
}

/** Whether every pts lies within one tick (and a quarter frame) of where the rate would put it. */
function followsRate(track: {
  pts: ArrayLike<number>
  timeBase: Rational
  rate: Rational
  frames: number
}): boolean {
  const ticksPerFrame =
    toNumber(rational(track.rate.den, track.rate.num)) / toNumber(track.timeBase)
  const allowed = Math.max(1, Math.min(2, ticksPerFrame / 4))
  const first = track.pts[0] ?? 0
  for (let frame = 1; frame < track.frames; frame++) {
    if (Math.abs((track.pts[frame] ?? 0) - first - frame * ticksPerFrame) > allowed + 1e-6) {
      return false
    }
  }
  return true
}

/** The contract's range for two frames of a clock. */
export function spanOf(clock: FrameClock, startFrame: number, endFrame: number): Span {
  const start = clock.timeOf(startFrame)
  const end = clock.timeOf(endFrame)
  return {
    start_frame: clampFrame(startFrame, clock.frames),
    end_frame: clampFrame(endFrame, clock.frames),
    start_time: formatRational(start),
    end_time: formatRational(end),
    start: toNumber(start),
    end: toNumber(end),
  }
}

/** The contract's range for two times: from the frame on screen to the first one after the end. */
export function spanOfSeconds(clock: FrameClock, start: number, end: number): Span {
  const startFrame = clock.frameAt(start)
  const last = clock.frameAt(end)
  const ends = toNumber(clock.timeOf(last))
  const endFrame = ends >= end - secondsTolerance ? last : last + 1
  return spanOf(clock, startFrame, Math.max(endFrame, startFrame))
}

/** Reads "30000/1001", "30000:1001" or "25"; null for what is no positive fraction. */
export function parseRate(text: string | undefined | null): Rational | null {
  const value = parseRational((text ?? '').replace(':', '/'))
  return value && value.num > 0n ? value : null
}

function clampFrame(frame: number, frames: number): number {
  return Math.min(Math.max(0, frame), frames)
}
