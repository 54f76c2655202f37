/** A frame that is drawn with the mouse over empty space selects the clips that it touches. */
import { useRef, useState } from 'react'
import type { PointerEvent, RefObject } from 'react'

/** Where clips lie inside of the scrolled content, whether or not they are in the page. */
export interface Layout {
  top: number
  left: number
  columns: number
  columnWidth: number
  rowHeight: number
  gap: number
  count: number
}

/** Adding keeps what was chosen before the frame began. */
export type LassoSelect = (
  indexes: readonly number[],
  how: { isAdding: boolean; isFirst: boolean },
) => void

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

const edgePixels = 32
const minPixels = 4

export function useLasso(
  scroller: RefObject<HTMLDivElement | null>,
  layout: Layout,
  onSelect: LassoSelect,
) {
  const [box, setBox] = useState<Box | null>(null)
  const start = useRef<{ x: number; y: number; isAdding: boolean } | null>(null)
  const place = (event: PointerEvent) => {
    const node = scroller.current
    const frame = node?.getBoundingClientRect()
    return {
      x: event.clientX - (frame?.left ?? 0),
      y: event.clientY - (frame?.top ?? 0) + (node?.scrollTop ?? 0),
    }
  }
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.pointerType !== 'mouse' || event.button !== 0) return
      const target = event.target as HTMLElement
      if (target.closest('[data-clip], button, input, a, [aria-label="Uploads"]')) return
      // The scroll bar belongs to the element too.
      if (event.nativeEvent.offsetX > target.clientWidth) return
      const isAdding = event.shiftKey || event.metaKey || event.ctrlKey
      start.current = { ...place(event), isAdding }
      scroller.current?.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent) => {
      const from = start.current
      if (!from) return
      scrollAtEdge(scroller.current, event.clientY)
      const to = place(event)
      const next = {
        left: Math.min(from.x, to.x),
        right: Math.max(from.x, to.x),
        top: Math.min(from.y, to.y),
        bottom: Math.max(from.y, to.y),
      }
      if (!box && next.right - next.left + next.bottom - next.top < minPixels) return
      setBox(next)
      onSelect(touched(next, layout), { isAdding: from.isAdding, isFirst: !box })
    },
    onPointerUp: () => {
      // A plain click on empty space clears the selection, as it does on a desktop.
      if (start.current && !box && !start.current.isAdding) {
        onSelect([], { isAdding: false, isFirst: true })
      }
      start.current = null
      setBox(null)
    },
    onPointerCancel: () => {
      start.current = null
      setBox(null)
    },
  }
  return { handlers, frame: box && <Frame box={box} /> }
}

function Frame({ box }: { box: Box }) {
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute z-10 border border-brand bg-brand/15"
      style={{
        left: box.left,
        top: box.top,
        width: box.right - box.left,
        height: box.bottom - box.top,
      }}
    />
  )
}

function touched(box: Box, layout: Layout): number[] {
  const { columns, columnWidth, rowHeight, gap, count } = layout
  const stepX = columnWidth + gap
  const indexes: number[] = []
  const firstRow = Math.max(0, Math.floor((box.top - layout.top) / rowHeight))
  const lastRow = Math.floor((box.bottom - layout.top) / rowHeight)
  for (let row = firstRow; row <= lastRow; row++) {
    const bottom = layout.top + (row + 1) * rowHeight - gap
    for (let column = 0; column < columns; column++) {
      const index = row * columns + column
      const left = layout.left + column * stepX
      const isTouched = box.left < left + columnWidth && box.right > left && box.top < bottom
      if (isTouched && index < count) indexes.push(index)
    }
  }
  return indexes
}

function scrollAtEdge(node: HTMLElement | null, y: number): void {
  if (!node) return
  const { top, bottom } = node.getBoundingClientRect()
  if (y < top + edgePixels) node.scrollBy(0, y - top - edgePixels)
  if (y > bottom - edgePixels) node.scrollBy(0, y - bottom + edgePixels)
}
