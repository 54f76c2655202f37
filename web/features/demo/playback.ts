/**
 * The demo's clock. Each part of the demo reads only what it shows (`useAt`), so that a running
 * clock moves the playhead and a few letters and renders nothing else.
 */
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { RefObject } from 'react'
import { frames, framesPerSecond } from './clip.ts'

const reducedMotion = '(prefers-reduced-motion: reduce)'

export interface Clock {
  frame: () => number
  seek: (frame: number) => void
  advance: (elapsedMs: number) => void
  subscribe: (listener: () => void) => () => void
}

function createClock(): Clock {
  const listeners = new Set<() => void>()
  let exact = 0
  const set = (next: number) => {
    const before = Math.floor(exact)
    exact = next
    if (Math.floor(exact) === before) return
    for (const listener of listeners) listener()
  }
  return {
    frame: () => Math.floor(exact),
    seek: (frame) => set(Math.max(0, Math.min(frames - 1, frame))),
    advance: (elapsedMs) => set((exact + (elapsedMs / 1000) * framesPerSecond) % frames),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** What a part shows at the current frame; it renders again only when that changes. */
export function useAt<Shown extends string | number>(
  clock: Clock,
  shownAt: (frame: number) => Shown,
): Shown {
  return useSyncExternalStore(
    clock.subscribe,
    () => shownAt(clock.frame()),
    () => shownAt(0),
  )
}

/** Runs while it can be seen. It starts by itself only where motion is welcome, and loops. */
export function usePlayback(stage: RefObject<HTMLElement | null>) {
  const [clock] = useState(createClock)
  const [choice, setChoice] = useState<boolean | null>(null)
  const motionWelcome = useSyncExternalStore(watchMotion, isMotionWelcome, () => false)
  const playing = choice ?? motionWelcome

  useEffect(() => {
    if (!playing) return undefined
    let seen = false
    const watcher = new IntersectionObserver(([entry]) => {
      seen = entry?.isIntersecting ?? false
    })
    if (stage.current) watcher.observe(stage.current)
    let before = performance.now()
    let request = requestAnimationFrame(function tick(now) {
      if (seen) clock.advance(now - before)
      before = now
      request = requestAnimationFrame(tick)
    })
    return () => {
      watcher.disconnect()
      cancelAnimationFrame(request)
    }
  }, [playing, clock, stage])

  return { clock, playing, toggle: () => setChoice(!playing) }
}

function isMotionWelcome(): boolean {
  return !matchMedia(reducedMotion).matches
}

function watchMotion(listener: () => void): () => void {
  const query = matchMedia(reducedMotion)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
