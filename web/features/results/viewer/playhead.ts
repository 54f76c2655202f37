/**
 * Where the playhead is and how it moves. A plain store: sixty steps a second do not redraw React.
 * A video is sought to the middle of a frame and read back with a little slack, which is exact at a
 * constant rate; at a variable one as exact as the clock of the proxy.
 */
import { frameClock } from '../../../playback/frame-clock.ts'
import type { FrameClock } from '../../../playback/frame-clock.ts'
import type { Reel } from './reel.ts'
import { createSignal } from '../../../dom/signal.ts'

export interface Playhead {
  frame: () => number
  /** 0: stopped; negative: backwards. */
  speed: () => number
  subscribe: (listener: () => void) => () => void
  attach: (video: HTMLMediaElement | null, proxy?: FrameClock) => void
  /** How fast frames are counted where no video runs. */
  setPace: (framesPerSecond: number) => void
  seek: (frame: number) => void
  step: (frames: number) => void
  toggle: () => void
  /** Faster in one direction with each press: 1, 2, 4, 8. */
  shuttle: (direction: 1 | -1) => void
  stop: () => void
  /** Plays passages one after another and stops behind the last, or begins again when looping. */
  playPassages: (passages: readonly Passage[]) => void
  isLooping: () => boolean
  toggleLoop: () => void
  isMuted: () => boolean
  toggleSound: () => void
  /** 0 to 1. */
  volume: () => number
  setVolume: (volume: number) => void
}

export interface Passage {
  startFrame: number
  /** The first frame that no longer belongs. */
  endFrame: number
}

const fastest = 8
const slack = 0.01

export function createPlayhead(reel: Pick<Reel, 'frames' | 'framesPerSecond'>): Playhead {
  let frame = 0
  let speed = 0
  let isMuted = false
  let isLooping = false
  let volume = 1
  /** Passages still to be played, first the current one; empty: to the end of the footage. */
  let queue: readonly Passage[] = []
  let passages: readonly Passage[] = []
  let video: HTMLMediaElement | null = null
  let request = 0
  let pace = reel.framesPerSecond
  let proxy = frameClock({ startFrame: 0, framesPerSecond: reel.framesPerSecond })
  const { announce, subscribe } = createSignal()
  const clamp = (value: number): number => Math.min(reel.frames - 1, Math.max(0, Math.round(value)))
  const show = (next: number): void => {
    if (next === frame) return
    frame = next
    announce()
  }
  const setVideoTime = (): void => {
    if (!video) return
    video.currentTime = proxy.secondsAt(Math.max(0, frame - proxy.startFrame + 0.5))
  }
  const stop = (): void => {
    cancelAnimationFrame(request)
    queue = []
    if (video && !video.paused) {
      video.pause()
      // The last position is a whole frame, not a moment inside one.
      setVideoTime()
    }
    if (speed === 0) return
    speed = 0
    announce()
  }
  /** Forwards the video runs and is followed; backwards, or without one, frames are counted. */
  const run = (nextSpeed: number): void => {
    cancelAnimationFrame(request)
    speed = nextSpeed
    const startedAt = performance.now()
    const startFrame = frame
    const byVideo = video !== null && video.readyState > 0 && speed > 0
    if (video && byVideo) {
      video.playbackRate = speed
      void video.play().catch(() => stop())
    } else video?.pause()
    const follow = (): void => {
      if (speed === 0) return
      // Its address was renewed: where it stood is known here, and it goes on from there.
      if (byVideo && video?.readyState === 0) {
        request = requestAnimationFrame(follow)
        return
      }
      const elapsed = ((performance.now() - startedAt) / 1000) * speed * pace
      const next =
        byVideo && video
          ? Math.floor(proxy.placeAt(video.currentTime) + slack) + proxy.startFrame
          : startFrame + Math.trunc(elapsed)
      const end = queue[0]?.endFrame ?? reel.frames
      if (speed > 0 && next >= Math.min(end, reel.frames - (isLooping ? 0 : 1))) {
        goOn(end)
        return
      }
      show(clamp(next))
      if (!byVideo) setVideoTime()
      if (next < 0 || (next >= reel.frames - 1 && !isLooping)) stop()
      else request = requestAnimationFrame(follow)
    }
    request = requestAnimationFrame(follow)
    announce()
  }
  /** Behind the end of a passage, or of the footage: to the next, to the first, or nowhere. */
  const goOn = (end: number): void => {
    const rest = queue.slice(1)
    const isOver = rest.length === 0
    if (isOver && !isLooping) {
      show(clamp(end - 1))
      stop()
      setVideoTime()
      return
    }
    queue = isOver && queue.length > 0 ? passages : rest
    show(clamp(queue[0]?.startFrame ?? 0))
    setVideoTime()
    run(speed)
  }
  const restore = (): void => {
    setVideoTime()
    if (speed !== 0) run(speed)
  }
  return {
    frame: () => frame,
    speed: () => speed,
    subscribe,
    attach(next, clock) {
      video?.removeEventListener('loadedmetadata', restore)
      next?.addEventListener('loadedmetadata', restore)
      video = next
      if (video) Object.assign(video, { muted: isMuted, volume })
      if (clock) proxy = clock
      setVideoTime()
    },
    setPace(framesPerSecond) {
      pace = framesPerSecond
    },
    seek(to) {
      const wasSpeed = speed
      queue = []
      show(clamp(to))
      setVideoTime()
      if (wasSpeed !== 0) run(wasSpeed)
    },
    step(by) {
      stop()
      show(clamp(frame + by))
      setVideoTime()
    },
    toggle() {
      if (speed !== 0) stop()
      else {
        if (frame >= reel.frames - 1) show(0)
        setVideoTime()
        run(1)
      }
    },
    shuttle(direction) {
      const isSame = Math.sign(speed) === direction
      queue = []
      run(direction * (isSame ? Math.min(fastest, Math.abs(speed) * 2) : 1))
    },
    stop,
    playPassages(next) {
      const [first] = next
      if (!first) return
      passages = next
      queue = next
      show(clamp(first.startFrame))
      setVideoTime()
      run(1)
    },
    isLooping: () => isLooping,
    toggleLoop() {
      isLooping = !isLooping
      announce()
    },
    isMuted: () => isMuted,
    toggleSound() {
      isMuted = !isMuted
      if (video) video.muted = isMuted
      announce()
    },
    volume: () => volume,
    setVolume(next) {
      volume = Math.min(1, Math.max(0, next))
      isMuted = volume === 0
      if (video) Object.assign(video, { muted: isMuted, volume })
      announce()
    },
  }
}
