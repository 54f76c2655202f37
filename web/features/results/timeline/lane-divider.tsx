import { useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { scaleOf } from './timeline-lanes.ts'
import type { Lanes } from './timeline-lanes.ts'

const dragStep = 0.1

/** Between viewer and lanes: dragged, moved by arrows, and reset by a double click. */
export function LaneDivider({
  lanes,
  scale,
  onScale,
}: {
  lanes: Lanes
  scale: number
  onScale: (scale: number | null) => void
}) {
  const grabbed = useRef({ y: 0, height: 0 })
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (!direction) return
    event.preventDefault()
    event.stopPropagation()
    onScale(scale + direction * dragStep)
  }
  return (
    <div
      role="separator"
      aria-label="Height of the timeline"
      aria-orientation="horizontal"
      aria-valuenow={Math.round(scale * 100)}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onDoubleClick={() => onScale(null)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        grabbed.current = { y: event.clientY, height: lanes.height }
      }}
      onPointerMove={(event) => {
        if (event.buttons !== 1) return
        const { y, height } = grabbed.current
        onScale(scaleOf(height + y - event.clientY, lanes, scale))
      }}
      className="absolute inset-x-0 -top-1 z-10 h-2 cursor-row-resize touch-none hover:bg-brand/40 focus-visible:bg-brand/40 max-[900px]:hidden"
    />
  )
}
