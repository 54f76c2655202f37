import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { RefObject } from 'react'
import { frames, framesPerSecond } from './clip.ts'

const reducedMotion = '(prefers-reduced-motion: reduce)'

export interface Playback {
  frame: number
  playing: boolean
  toggle: () => void
  seek: (frame: number) => void
}

/**
 * Runs the demo's clock while it can be seen. It starts by itself only where motion is welcome, and
 * loops; seeking does not change whether it runs.
 */
export function usePlayback(stage: RefObject<HTMLElement | null>): Playback {
  const [frame, setFrame] = useState(0)
  const [choice, setChoice] = useState<boolean | null>(null)
  const motionWelcome = useSyncExternalStore(watchMotion, isMotionWelcome, () => false)
  const playing = choice ?? motionWelcome
  const exact = useRef(0)
  const seen = useRef(false)

  useEffect(() => {
    const watcher = new IntersectionObserver(([entry]) => {
      seen.current = entry?.isIntersecting ?? false
    })
    if (stage.current) watcher.observe(stage.current)
    return () => watcher.disconnect()
  }, [stage])

  useEffect(() => {
    if (!playing) return undefined
    let before = performance.now()
    let request = requestAnimationFrame(function tick(now) {
      if (seen.current) {
        exact.current = (exact.current + ((now - before) / 1000) * framesPerSecond) % frames
        setFrame(Math.floor(exact.current))
      }
      before = now
      request = requestAnimationFrame(tick)
    })
    return () => cancelAnimationFrame(request)
  }, [playing])

  const seek = useCallback((to: number) => {
    exact.current = Math.max(0, Math.min(frames - 1, to))
    setFrame(Math.floor(exact.current))
  }, [])
  const toggle = () => setChoice(!playing)
  return { frame, playing, toggle, seek }
}

function isMotionWelcome(): boolean {
  return !matchMedia(reducedMotion).matches
}

function watchMotion(listener: () => void): () => void {
  const query = matchMedia(reducedMotion)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
