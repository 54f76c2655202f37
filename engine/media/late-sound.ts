/** Finds sound that goes on after the last frame: music under a screen that stays black. */
import { toNumber } from '../../domain/time/rational.ts'
import type { FrameClock } from '../time/clock.ts'

/** Sound usually ends a few milliseconds off; only a longer excess makes the media longer. */
const toleratedSeconds = 1

/** The end of such sound, in seconds from the start of frame 0; null if there is none. */
export function lateSoundEnd(media: {
  clock: FrameClock
  video: { startSeconds: number } | null
  audio: { startSeconds: number; durationSeconds: number } | null
}): number | null {
  const { clock, video, audio } = media
  if (!video || !audio) return null
  const end = audio.startSeconds + audio.durationSeconds - video.startSeconds
  return end > toNumber(clock.timeOf(clock.frames)) + toleratedSeconds ? end : null
}
