/** The clip's clock for the screen: frames, their timecode, and the seconds that a video knows. */
import type { Findings, FindingsOf, Media } from '../../../../domain/findings/findings.ts'
import { toNumber } from '../../../../domain/time/rational.ts'
import type { Rational } from '../../../../domain/time/rational.ts'
import { sourceNames } from '../../../../domain/time/source-timecode.ts'
import { sourceFrames } from '../../../../domain/cuts/cut-times.ts'
import type { FrameGrid } from '../../../../domain/findings/tighten.ts'
import type { SourceNames } from '../../../../domain/time/source-timecode.ts'
import { audioRate, knownFrameTimes, sourceTimes } from '../../../../domain/time/source-times.ts'
import { parseRate, toTimecode } from '../../../../domain/time/timecode.ts'
import { typedFrame } from '../../../../domain/time/typed-timecode.ts'
import { frameClock } from '../../../playback/frame-clock.ts'
import type { FrameClock } from '../../../playback/frame-clock.ts'

export interface Frames {
  start: number
  /** The first frame that no longer belongs. */
  end: number
}

export function framesOf(span: { start_frame: number; end_frame: number }): Frames {
  return { start: span.start_frame, end: span.end_frame }
}

export interface Reel extends SourceNames {
  frames: number
  /** On average, where it varies. */
  framesPerSecond: number
  /** Frame grid of exports, unless another is chosen. */
  grid: FrameGrid
  timecode: (frame: number) => string
  /** How long ranges of frames are together, as a timecode. */
  length: (ranges: readonly Frames[]) => string
  /** Also between two frames, and behind the last. */
  secondsAt: (frame: number) => number
  /** The frame that is shown at a second. */
  frameAtSecond: (seconds: number) => number
  /** A typed timecode as a frame inside the clip; null: not a timecode. */
  typed: (text: string, currentFrame: number) => number | null
}

/** With the findings, frames of a variable rate stand where they do in exports. */
export function reelOf(media: Media, findings: Partial<Findings> = {}): Reel {
  const timeOf = media.variable_frame_rate ? sourceTimes({ ...findings, media }) : null
  const names = sourceNames(media, timeOf)
  const { format, startFrame, countTo } = names
  const frames = Math.max(1, media.frames)
  const named = toNumber(parseRate(media.frame_rate ?? audioRate) ?? format.rate)
  // Over the picture alone: sound may go on behind its last frame.
  const startOf = timeOf && knownSeconds(timeOf, frames)
  const end = startOf ? startOf(frames) : 0
  const framesPerSecond = end > 0 ? frames / end : named
  const secondsAt = (frame: number): number => {
    if (!startOf) return frame / framesPerSecond
    if (frame > frames) return end + (frame - frames) / framesPerSecond
    const whole = Math.floor(frame)
    const from = startOf(whole)
    return whole === frame ? from : from + (frame - whole) * (startOf(whole + 1) - from)
  }
  return {
    ...names,
    frames,
    framesPerSecond,
    secondsAt,
    grid: gridOf(media, names),
    timecode: (frame) => toTimecode(startFrame + countTo(frame), format),
    length: (ranges) =>
      toTimecode(
        ranges.reduce((sum, { start, end }) => sum + countTo(end) - countTo(start), 0),
        format,
      ),
    frameAtSecond(seconds) {
      if (!timeOf) return Math.floor(seconds * framesPerSecond + 1e-3)
      // Names may be coarser than frames, so the last one that has begun is looked for by its time.
      let frame = Math.min(frames - 1, names.frameAt(Math.floor(seconds * toNumber(format.rate))))
      while (frame + 1 < frames && secondsAt(frame + 1) <= seconds + 1e-3) frame += 1
      while (frame > 0 && secondsAt(frame) > seconds + 1e-3) frame -= 1
      return frame
    },
    typed(text, currentFrame) {
      const frame = typedFrame(text, names, { currentFrame, frames })
      return frame === null ? null : Math.min(frames - 1, Math.max(0, frame))
    },
  }
}

function gridOf(media: Media, { countTo }: SourceNames): FrameGrid {
  const frames = countTo(Math.max(1, sourceFrames(media)))
  return { frames, place: (frame, time) => Math.min(frames, Math.max(0, countTo(frame, time))) }
}

/** Each frame is worked out once: a waveform asks for the same hundreds with every redraw. */
function knownSeconds(timeOf: (frame: number) => Rational, frames: number) {
  const known = new Float64Array(frames + 1).fill(NaN)
  return (frame: number): number => {
    const before = known[frame]
    if (before !== undefined && !Number.isNaN(before)) return before
    return (known[frame] = toNumber(timeOf(frame)))
  }
}

/** The clock of the review proxy, which may begin later than the footage. */
export function proxyClock(
  proxy: FindingsOf<'thumbnail'>['proxy'] | undefined,
  /** Null at a constant rate. */
  findings: Findings | null,
  exactSeconds: readonly number[] | undefined,
): FrameClock | undefined {
  const rate = proxy && parseRate(proxy.frame_rate)
  if (!rate) return undefined
  return frameClock({
    startFrame: proxy.start_frame ?? 0,
    framesPerSecond: toNumber(rate),
    frameTimes: findings && knownFrameTimes(findings),
    exactSeconds,
  })
}

/** The clock of the uploaded file: all of the footage, as the file has it. */
export function uploadClock(
  { framesPerSecond }: Pick<Reel, 'framesPerSecond'>,
  /** Null at a constant rate. */
  findings: Findings | null,
  exactSeconds: readonly number[] | undefined,
): FrameClock {
  const frameTimes = findings && knownFrameTimes(findings)
  return frameClock({ startFrame: 0, framesPerSecond, frameTimes, exactSeconds })
}
