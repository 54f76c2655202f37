/** Drags passages and hits to a place in the text: by mouse, pen or finger, with auto scroll. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { PointerEvent as ReactPointerEvent } from 'react'
import { followPointer } from '../../dom/follow-pointer.ts'
import type { NewRange } from '../../../domain/cuts/cut-edit.ts'
import type { CutPassage } from '../../../domain/cuts/cut-text.ts'

export type Dragged = { kind: 'passage'; passage: CutPassage } | { kind: 'new'; range: NewRange }

export interface Drag {
  dragged: Dragged | null
  /** Before which range it would lie; null: nowhere. */
  dropAt: number | null
  /** `slow`: a finger has to rest first, because moving it at once scrolls. */
  start: (event: ReactPointerEvent, dragged: Dragged, slow?: 'slow') => void
}

/** Passages are made again with every change of the cut. */
export function isPassage(dragged: Dragged | null, passage: CutPassage): boolean {
  if (dragged?.kind !== 'passage') return false
  return dragged.passage.rangeId === passage.rangeId && dragged.passage.in === passage.in
}

const startPixels = 5
const restMs = 400
const edgePixels = 48
const scrollPixels = 12

export function useDrag(onDrop: (dragged: Dragged, index: number) => void): Drag {
  const [dragged, setDragged] = useState<Dragged | null>(null)
  const [dropAt, setDropAt] = useState<number | null>(null)
  const drop = useRef(onDrop)
  const end = useRef<(() => void) | null>(null)
  useEffect(() => {
    drop.current = onDrop
  })
  useEffect(() => () => end.current?.(), [])
  const start = useCallback<Drag['start']>((event, thing, slow) => {
    if (event.button !== 0 || end.current) return
    end.current = followDrag(event, slow !== undefined && event.pointerType === 'touch', {
      begin: () => setDragged(thing),
      place: setDropAt,
      drop: (index) => drop.current(thing, index),
      end() {
        end.current = null
        setDragged(null)
        setDropAt(null)
      },
    })
  }, [])
  return useMemo(() => ({ dragged, dropAt, start }), [dragged, dropAt, start])
}

/** `isSlow`: the pointer has to rest before the drag begins; one that moves at once scrolls. */
function followDrag(
  event: ReactPointerEvent,
  isSlow: boolean,
  on: {
    begin: () => void
    place: (index: number | null) => void
    drop: (index: number) => void
    end: () => void
  },
): () => void {
  const from = { x: event.clientX, y: event.clientY }
  let [at, isOn, looking] = [from, false, 0]
  const begin = (): void => {
    isOn = true
    clearTimeout(rest)
    getSelection()?.removeAllRanges()
    document.documentElement.classList.add('dragging')
    on.begin()
    look()
  }
  const placeAt = (point: { x: number; y: number }): number | null => {
    const list = document.querySelector<HTMLElement>('[data-passages]')
    if (list && isOn) scrollAtEdge(list, point.y)
    return list && placeUnder(list, point)
  }
  /** At every frame of the screen, since a pointer that rests at the edge goes on scrolling. */
  const look = (): void => {
    on.place(placeAt(at))
    looking = requestAnimationFrame(look)
  }
  /** A finger that drags does not scroll, and opens no menu. */
  const hold = (moved: Event): void => {
    if (isOn) moved.preventDefault()
  }
  const rest = isSlow ? setTimeout(begin, restMs) : undefined
  const end = followPointer(event.pointerId, {
    move(move) {
      at = { x: move.clientX, y: move.clientY }
      const isFar = Math.hypot(at.x - from.x, at.y - from.y) > startPixels
      if (isOn || !isFar) return
      if (isSlow) end()
      else begin()
    },
    up(up) {
      if (!isOn) return
      // The pointer may have moved on since the last look.
      const index = placeAt({ x: up.clientX, y: up.clientY })
      if (index !== null) on.drop(index)
      // The click that ends a drag chooses nothing.
      addEventListener('click', swallow, { capture: true, once: true })
      setTimeout(() => removeEventListener('click', swallow, { capture: true }))
    },
    end() {
      isOn = false
      clearTimeout(rest)
      cancelAnimationFrame(looking)
      document.documentElement.classList.remove('dragging')
      removeEventListener('touchmove', hold)
      removeEventListener('contextmenu', hold)
      on.end()
    },
  })
  addEventListener('touchmove', hold, { passive: false })
  addEventListener('contextmenu', hold)
  return end
}

function swallow(event: Event): void {
  event.stopPropagation()
  event.preventDefault()
}

function scrollAtEdge(list: HTMLElement, y: number): void {
  const box = list.getBoundingClientRect()
  if (y < box.top || y > box.bottom) return
  if (y < box.top + edgePixels) list.scrollTop -= scrollPixels
  if (y > box.bottom - edgePixels) list.scrollTop += scrollPixels
}

/** Before which range something dropped here would lie. */
function placeUnder(list: HTMLElement, at: { x: number; y: number }): number | null {
  const box = list.getBoundingClientRect()
  const isInside = at.x >= box.left && at.x <= box.right && at.y >= box.top && at.y <= box.bottom
  if (!isInside) return null
  const rows = [...list.querySelectorAll<HTMLElement>('[data-passage]')]
  for (const row of rows) {
    const { top, height } = row.getBoundingClientRect()
    if (at.y < top + height / 2) return Number(row.dataset.range)
  }
  return Number(rows.at(-1)?.dataset.range ?? -1) + 1
}
