/** Puts the frames of a review proxy into a video element, and reads them back. */
import type { FrameClock } from '../../../playback/frame-clock.ts'

/** A review proxy: all frames of its source from the first that it has, at their own times. */
export interface PlayedClip {
  url: string
  clock: FrameClock
}

/** Just inside of a frame: it is shown whole when playing starts there. */
export const atStart = 0.05

/** When a frame of the source begins in its proxy. */
export function secondOf({ clock }: PlayedClip, frame: number): number {
  return clock.secondsAt(frame - clock.startFrame)
}

/** The frame of the source that its proxy shows. */
export function frameOf({ clock }: PlayedClip, second: number): number {
  return Math.floor(clock.placeAt(second) + 0.01) + clock.startFrame
}

export function holds(video: HTMLVideoElement | null, clip: PlayedClip): boolean {
  return video?.dataset.clip === clip.url
}

/** Whether it is ready to play on from this frame. */
export function stands(video: HTMLVideoElement | null, clip: PlayedClip, frame: number): boolean {
  if (!video || !holds(video, clip) || video.seeking || video.readyState < 2) return false
  const at = clip.clock.placeAt(video.currentTime) + clip.clock.startFrame
  return at >= frame - 0.01 && at < frame + 1
}

export function place(video: HTMLVideoElement, clip: PlayedClip, frame: number): void {
  if (!video.paused) video.pause()
  if (!holds(video, clip)) {
    video.dataset.clip = clip.url
    video.src = clip.url
  }
  const at = clip.clock.secondsAt(Math.max(0, frame - clip.clock.startFrame))
  if (Math.abs(video.currentTime - at) > 1e-4 || video.readyState === 0) video.currentTime = at
}

export function whenReady(video: HTMLVideoElement, isWanted: () => boolean, run: () => void): void {
  if (!video.seeking && video.readyState >= 2) {
    run()
    return
  }
  const events = ['seeked', 'canplay', 'loadeddata'] as const
  const check = (): void => {
    if (isWanted() && (video.seeking || video.readyState < 2)) return
    for (const name of events) video.removeEventListener(name, check)
    if (isWanted()) run()
  }
  for (const name of events) video.addEventListener(name, check)
}
