/** The clip's clock for the screen: frames, their timecode, and the seconds that a video knows. */
import type { FindingsOf, Media } from '../../../../contract/findings.ts'
import { toNumber } from '../../../../contract/rational.ts'
import {
  canDropFrame,
  parseRate,
  parseSourceTimecode,
  timecodeFormat,
  toTimecode,
  typedFrame,
} from '../../../../contract/timecode.ts'
import type { TimecodeFormat } from '../../../../contract/timecode.ts'

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

const soundRate = '25/1'

export function reelOf(media: Media): Reel {
  const rate = parseRate(media.frame_rate ?? soundRate) ?? { num: 25n, den: 1n }
  const format = timecodeFormat(rate, media.drop_frame && canDropFrame(rate))
  const startFrame = media.start_timecode
    ? (parseSourceTimecode(media.start_timecode, format) ?? 0)
    : 0
  const frames = Math.max(1, media.frames)
  return {
    frames,
    framesPerSecond: toNumber(rate),
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
): { startFrame: number; framesPerSecond: number } | undefined {
  const rate = proxy && parseRate(proxy.frame_rate)
  if (!rate) return undefined
  return { startFrame: proxy.start_frame ?? 0, framesPerSecond: toNumber(rate) }
}
