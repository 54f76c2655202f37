/** The clip's clock for the screen: frames, their timecode, and the seconds that a video knows. */
import type { Findings, FindingsOf, Media } from '../../../../contract/findings.ts'
import { toNumber } from '../../../../contract/rational.ts'
import { sourceFormat } from '../../../../contract/source-timecode.ts'
import { knownFrameTimes } from '../../../../contract/source-times.ts'
import { parseRate, toTimecode, typedFrame } from '../../../../contract/timecode.ts'
import type { TimecodeFormat } from '../../../../contract/timecode.ts'
import { frameClock } from '../../../app/frame-clock.ts'
import type { FrameClock } from '../../../app/frame-clock.ts'

export interface Reel {
  frames: number
  framesPerSecond: number
  format: TimecodeFormat
  /** The name of frame 0, as a frame number. */
  startFrame: number
  timecode: (frame: number) => string
  /** A number of frames as a timecode. */
  length: (frames: number) => string
  /** What was typed into the timecode field, as a frame inside the clip; null: not a timecode. */
  typed: (text: string, currentFrame: number) => number | null
}

export function reelOf(media: Media): Reel {
  const { format, startFrame } = sourceFormat(media)
  const frames = Math.max(1, media.frames)
  return {
    frames,
    framesPerSecond: toNumber(format.rate),
    format,
    startFrame,
    timecode: (frame) => toTimecode(startFrame + frame, format),
    length: (count) => toTimecode(count, format),
    typed(text, currentFrame) {
      const frame = typedFrame(text, format, { currentFrame, startFrame })
      return frame === null ? null : Math.min(frames - 1, Math.max(0, frame))
    },
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
