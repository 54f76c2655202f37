/** Sound that goes on after the last frame: a song under a black screen, a camera that lost its lens. */
import { toNumber } from '../../contract/rational.ts'
import type { MediaDetails } from '../probe.ts'

/** Sound usually ends a few milliseconds off; only what goes on for longer makes the media longer. */
const toleratedSeconds = 1

/** Where such sound ends, in seconds from the start of frame 0; null where there is none. */
export function lateSoundEnd({
  clock,
  video,
  audio,
}: Pick<MediaDetails, 'clock' | 'audio'> & {
  video: { startSeconds: number } | null
}): number | null {
  if (!video || !audio) return null
  const end = audio.startSeconds + audio.durationSeconds - video.startSeconds
  return end > toNumber(clock.timeOf(clock.frames)) + toleratedSeconds ? end : null
}
