import { useEffect, useRef } from 'react'
import type { MouseEvent, PointerEvent } from 'react'

const holdMs = 450

/**
 * A finger that rests: by time, since Safari sends no context menu for one. The click that ends it
 * presses nothing.
 */
export function useHold(onHold: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isHeld = useRef(false)
  const stop = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    onPointerDown: ({ pointerType }: PointerEvent) => {
      isHeld.current = false
      if (pointerType !== 'touch') return
      timer.current = setTimeout(() => {
        isHeld.current = true
        onHold()
      }, holdMs)
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    onContextMenu: (event: MouseEvent) => {
      const { pointerType } = event.nativeEvent as globalThis.PointerEvent
      if (pointerType === 'touch') event.preventDefault()
    },
    // Where the finger leaves, the browser would move the focus to what lies below it.
    onMouseDown: (event: MouseEvent) => {
      if (isHeld.current) event.preventDefault()
    },
    onClickCapture: (event: MouseEvent) => {
      if (!isHeld.current) return
      isHeld.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
