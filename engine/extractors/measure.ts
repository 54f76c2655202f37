/** Measures how much of the media an analysis asks for, and how much of it was decoded. */
import { formatRational, toNumber } from '../../domain/time/rational.ts'
import type { Media } from '../../domain/findings/findings.ts'
import { jumpedSeconds } from '../media/clock-jumps.ts'
import { lateSoundEnd } from '../media/late-sound.ts'
import type { MediaDetails } from '../probe.ts'
import type { Gathered } from './gather.ts'
import { audioRate } from '../pass/plan.ts'
import type { FrameRange } from '../pass/plan.ts'

/** Seconds on the media's clock; `out` is exclusive. */
export interface Range {
  in?: number
  out?: number
  maxSeconds?: number
}

/** Seconds that were decoded; sound after the last frame counts as far as it was analysed. */
export function decodedSeconds({ clock, sound, files }: Gathered, details: MediaDetails): number {
  const seen = toNumber(clock.timeOf(clock.frames))
  if (lateSoundEnd(details) === null) return seen
  const { waveform } = files ?? {}
  const drawn = waveform ? waveform.count / waveform.peaksPerSecond : 0
  return Math.max(seen, drawn, sound ? sound.samples / audioRate : 0)
}

export function rangeOf(input: Range, { clock }: MediaDetails): FrameRange | undefined {
  if (input.in === undefined && input.out === undefined) return undefined
  const startFrame = Math.min(clock.frameAt(input.in ?? 0), Math.max(0, clock.frames - 1))
  const endFrame = input.out === undefined ? clock.frames : clock.frameAt(input.out)
  return {
    ...{ startFrame, endFrame: Math.max(startFrame + 1, endFrame) },
    ...{ soundStart: input.in, soundEnd: input.out },
  }
}

/** Seconds that are asked for, without the hours by which a clock jumped. */
export function wantedSeconds(input: Range, media: Media, details: MediaDetails | null): number {
  const start = input.in ?? 0
  const last = Math.min(input.out ?? media.duration, media.duration)
  const end = Math.max(start, Math.min(last, start + (input.maxSeconds ?? Infinity)))
  return end - start - (details ? jumpedSeconds(details, { start, end }) : 0)
}

export function measuredMedia(media: Media, details: MediaDetails, gathered: Gathered): Media {
  const { clock } = gathered
  if (media.kind !== 'video' || clock.frames === media.frames) return media
  if (details.exact && clock.frames < media.frames) return media
  const end = clock.timeOf(clock.frames)
  const isSoundLater = lateSoundEnd(details) !== null && media.duration > toNumber(end)
  return {
    ...media,
    frames: clock.frames,
    ...(isSoundLater ? {} : { duration: toNumber(end), duration_time: formatRational(end) }),
  }
}
