/**
 * Times of sound on the picture's clock. Sound is exact to the sample (1/16,000 s), frames are the
 * ones that it touches: a word that begins in the middle of frame 12 starts in frame 12, and its
 * end frame is the first that it does not reach.
 */
import { formatRational, rational, toNumber } from '../../../domain/time/rational.ts'
import type { Span } from '../../../domain/findings/findings.ts'
import type { FrameClock } from '../../time/clock.ts'
import { sampleRate } from './vad.ts'
import type { Seconds } from './vad.ts'

/** One step of the model's attention. */
const minWordSeconds = 0.02

export function soundSpan(clock: FrameClock, { start, end }: Seconds): Span {
  const firstSample = Math.max(0, Math.round(start * sampleRate))
  const lastSample = Math.max(firstSample, Math.round(end * sampleRate))
  const startSeconds = firstSample / sampleRate
  const endSeconds = lastSample / sampleRate
  const startFrame = clock.frameAt(startSeconds)
  let endFrame = clock.frameAt(endSeconds)
  if (endFrame < clock.frames && toNumber(clock.timeOf(endFrame)) < endSeconds - 1e-9) endFrame++
  return {
    start_frame: startFrame,
    end_frame: Math.max(endFrame, Math.min(startFrame + 1, clock.frames)),
    start_time: sampleTime(firstSample),
    end_time: sampleTime(lastSample),
    start: startSeconds,
    end: endSeconds,
  }
}

/**
 * Widens spans to the whole frames that they touch, so that other spans cut by them share no frame
 * with them; times of frames are rounded to samples, away from the span.
 */
export function onFrames(clock: FrameClock, spans: readonly Seconds[]): Seconds[] {
  return spans.map((span) => {
    const { start_frame: first, end_frame: end } = soundSpan(clock, span)
    return {
      start: Math.floor(toNumber(clock.timeOf(first)) * sampleRate) / sampleRate,
      end: Math.max(span.end, Math.ceil(toNumber(clock.timeOf(end)) * sampleRate) / sampleRate),
    }
  })
}

/**
 * From the windows' own times to the file's. Words never run backwards or past the end, and each
 * has a length: one that is heard at the very start would lose it to the model's lag. A window may
 * lie within another one, between its words.
 */
export function placeWords<Word extends Seconds>(
  heard: readonly { words: readonly Word[]; window: Seconds }[],
  duration: number,
): Word[] {
  const last = Math.max(0, duration - minWordSeconds)
  let previous = 0
  return heard
    .flatMap(inOrder)
    .sort((a, b) => a.start - b.start)
    .map((word) => {
      const start = Math.min(Math.max(word.start, previous), last)
      const end = Math.min(Math.max(word.end, start + minWordSeconds), duration)
      previous = start
      return { ...word, start, end }
    })
}

/** The words of one window in the order in which they are said, on the file's clock. */
function inOrder<Word extends Seconds>(input: { words: readonly Word[]; window: Seconds }): Word[] {
  let previous = -Infinity
  return input.words.map((word) => {
    previous = Math.max(input.window.start + word.start, previous)
    return { ...word, start: previous, end: input.window.start + word.end }
  })
}

function sampleTime(sample: number): string {
  return formatRational(rational(BigInt(sample), BigInt(sampleRate)))
}
