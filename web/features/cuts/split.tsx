import { useState } from 'react'
import type { CSSProperties, KeyboardEvent, PointerEvent } from 'react'
import { readLocal, writeLocal } from '../../dom/browser-storage.ts'

const key = 'cut-split'
const [min, start] = [400, 640]
const minText = 520

interface SplitState {
  right: number
  set: (right: number) => void
  style: CSSProperties
}

/** How wide the viewer's column is; kept on the device. */
export function useSplit(): SplitState {
  const [right, setRight] = useState(() => Number(readLocal(key)) || start)
  const set = (next: number): void => {
    const kept = Math.round(Math.max(min, Math.min(innerWidth - minText, next)))
    writeLocal(key, String(kept))
    setRight(kept)
  }
  const style = { '--right': `min(${right}px, max(${min}px, 100vw - ${minText}px))` }
  return { right, set, style: style as CSSProperties }
}

/** The line between text and viewer, to be dragged or moved with the arrows. */
export function Split({ split }: { split: SplitState }) {
  const onPointerMove = (event: PointerEvent) => {
    if (event.buttons & 1) split.set(innerWidth - event.clientX)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    event.stopPropagation()
    split.set(split.right + (event.key === 'ArrowLeft' ? 16 : -16))
  }
  return (
    // A separator that takes the focus is a control.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the viewer"
      aria-valuenow={split.right}
      aria-valuemin={min}
      aria-valuemax={2000}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
      className="absolute inset-y-0 -right-1 z-10 w-2 cursor-col-resize hover:bg-brand/40 focus-visible:bg-brand/40 max-[900px]:hidden"
    />
  )
}
