import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/**
 * Takes a pinch on a trackpad, which comes as a wheel with Ctrl. React listens to the wheel without
 * the right to keep the page from zooming.
 */
export function usePinch(
  element: RefObject<HTMLElement | null>,
  onPinch: (direction: 1 | -1, clientX: number) => void,
): void {
  const latest = useRef(onPinch)
  useEffect(() => {
    latest.current = onPinch
  })
  useEffect(() => {
    const { current } = element
    const listen = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      latest.current(event.deltaY < 0 ? 1 : -1, event.clientX)
    }
    current?.addEventListener('wheel', listen, { passive: false })
    return () => current?.removeEventListener('wheel', listen)
  }, [element])
}
