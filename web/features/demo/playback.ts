/**
 * The demo's clock, which the video sets while it plays. Each part reads only what it shows
 * (`useAtFrame`), so that a running clock renders a few letters and nothing else.
 */
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { RefObject } from 'react'
import { frames, framesPerSecond } from './clip.ts'
import { createSignal } from '../../dom/signal.ts'

const reducedMotion = '(prefers-reduced-motion: reduce)'
const signsOfAVisitor = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'scroll'] as const

export interface Clock {
  frame: () => number
  /** Moves the clock, and with it the video. */
  seek: (frame: number) => void
  /** Takes over where the video is. */
  follow: (frame: number) => void
  subscribe: (listener: () => void) => () => void
}

function createClock(video: RefObject<HTMLVideoElement | null>): Clock {
  const { announce, subscribe } = createSignal()
  let current = 0
  const follow = (frame: number) => {
    const next = Math.max(0, Math.min(frames - 1, Math.floor(frame)))
    if (next === current) return
    current = next
    announce()
  }
  return {
    frame: () => current,
    follow,
    seek: (frame) => {
      follow(frame)
      if (video.current) showFrame(video.current, current)
    },
    subscribe,
  }
}

/** The middle of a frame is inside it whatever the rounding; an unloaded video is loaded first. */
function showFrame(video: HTMLVideoElement, frame: number): void {
  if (video.readyState === 0) {
    video.preload = 'auto'
    video.load()
  }
  video.currentTime = (frame + 0.5) / framesPerSecond
}

/**
 * Derives a value from the current frame; the component re-renders only when that value changes.
 */
export function useAtFrame<Shown extends string | number>(
  clock: Clock,
  shownAt: (frame: number) => Shown,
): Shown {
  return useSyncExternalStore(
    clock.subscribe,
    () => shownAt(clock.frame()),
    () => shownAt(0),
  )
}

/**
 * Plays while it can be seen, and loops. Where motion is welcome it starts by itself, at the first
 * sign that somebody is there: until then the page has better things to load.
 */
export function usePlayback(video: RefObject<HTMLVideoElement | null>) {
  const [clock] = useState(() => createClock(video))
  const [playing, setPlaying] = useState(false)

  useEffect(() => {
    if (matchMedia(reducedMotion).matches) return undefined
    const controller = new AbortController()
    const start = () => {
      controller.abort()
      setPlaying(true)
    }
    const { signal } = controller
    for (const sign of signsOfAVisitor) addEventListener(sign, start, { signal, passive: true })
    return () => controller.abort()
  }, [])

  useEffect(() => {
    const shown = video.current
    if (!playing || !shown) return undefined
    return play(shown, clock, () => setPlaying(false))
  }, [playing, clock, video])

  return { clock, playing, toggle: () => setPlaying(!playing) }
}

function play(video: HTMLVideoElement, clock: Clock, onRefused: () => void): () => void {
  let request = 0
  const tick = () => {
    if (!video.seeking) clock.follow(video.currentTime * framesPerSecond + 0.01)
    request = requestAnimationFrame(tick)
  }
  const watcher = new IntersectionObserver(([entry]) => {
    cancelAnimationFrame(request)
    if (!entry?.isIntersecting) return video.pause()
    request = requestAnimationFrame(tick)
    // A pause that overtakes the start is no refusal.
    return void video.play().catch((error: DOMException) => {
      if (error.name !== 'AbortError') onRefused()
    })
  })
  watcher.observe(video)
  return () => {
    watcher.disconnect()
    cancelAnimationFrame(request)
    video.pause()
  }
}
