import { useLayoutEffect, useState } from 'react'
import type { RefObject } from 'react'

/** Follows the size of an element's content, without its padding. */
export function useSize(
  element: RefObject<HTMLElement | null>,
  firstWidth = 0,
): { width: number; height: number } {
  const [size, setSize] = useState({ width: firstWidth, height: 0 })
  useLayoutEffect(() => {
    if (!element.current) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return size
}
