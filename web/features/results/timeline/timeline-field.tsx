import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { classes } from '../../../ui/classes.ts'
import { markedRange } from '../review/marks.ts'
import type { Marks } from '../review/marks.ts'
import { useWorkbench } from '../workbench-context.ts'
import type { Lanes } from './timeline-lanes.ts'

/** The whole field is one slider, so that it works with a pointer, a finger and the keyboard. */
export function TimelineField({
  marks,
  lanes,
  width,
  pixelsPerFrame,
  scroller,
  onSeek,
  children,
}: {
  marks: Marks
  lanes: Lanes
  width: number
  pixelsPerFrame: number
  scroller: RefObject<HTMLDivElement | null>
  onSeek: (clientX: number) => void
  children: ReactNode
}) {
  const { reel, playhead } = useWorkbench()
  const frame = useSyncExternalStore(playhead.subscribe, playhead.frame)
  const line = useNeedle({ frame, pixelsPerFrame, scroller })
  const keys: Record<string, () => void> = {
    Home: () => playhead.seek(0),
    End: () => playhead.seek(reel.frames - 1),
    PageUp: () => playhead.step(-Math.round(reel.framesPerSecond * 10)),
    PageDown: () => playhead.step(Math.round(reel.framesPerSecond * 10)),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label="Playhead"
      aria-valuemin={0}
      aria-valuemax={reel.frames - 1}
      aria-valuenow={frame}
      aria-valuetext={reel.timecode(frame)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        onSeek(event.clientX)
      }}
      onPointerMove={(event) => event.buttons === 1 && onSeek(event.clientX)}
      style={{ width, height: lanes.height }}
      className="relative cursor-col-resize touch-pan-x focus-visible:-outline-offset-2"
    >
      {children}
      <MarkedRange
        marks={marks}
        frames={reel.frames}
        pixelsPerFrame={pixelsPerFrame}
        top={lanes.list[0]?.height ?? 0}
      />
      <div
        ref={line}
        className="pointer-events-none absolute inset-y-0 left-0 w-px bg-playhead will-change-transform"
      >
        <div className="absolute top-0 -left-1.25 h-2.5 w-2.75 bg-playhead [clip-path:polygon(0_0,100%_0,50%_100%)]" />
      </div>
    </div>
  )
}

/** Moves the line of the playhead, and keeps it in view where it jumps or plays out of it. */
function useNeedle({
  frame,
  pixelsPerFrame,
  scroller,
}: {
  frame: number
  pixelsPerFrame: number
  scroller: RefObject<HTMLDivElement | null>
}) {
  const { playhead } = useWorkbench()
  const line = useRef<HTMLDivElement>(null)
  const followed = useRef(frame)
  useLayoutEffect(() => {
    const x = (frame + 0.5) * pixelsPerFrame
    if (line.current) line.current.style.transform = `translateX(${x}px)`
    const view = scroller.current
    // The view follows the playhead, not the other way round: who scrolls away may look elsewhere.
    if (!view || followed.current === frame) return
    followed.current = frame
    if (x >= view.scrollLeft && x <= view.scrollLeft + view.clientWidth) return
    // While it plays, the page is turned; after a jump there is as much to see on both sides.
    const margin = playhead.speed() === 0 ? view.clientWidth / 2 : 40
    view.scrollTo({ left: x - margin, behavior: 'instant' })
  }, [frame, pixelsPerFrame, playhead, scroller])
  return line
}

/** The range between in and out, over all lanes; without one of them, up to the clip's edge. */
function MarkedRange({
  marks,
  frames,
  pixelsPerFrame,
  top,
}: {
  marks: Marks
  frames: number
  pixelsPerFrame: number
  /** Where the ruler ends. */
  top: number
}) {
  const { inFrame, outFrame } = marks
  const range = markedRange(marks, frames)
  if (!range) return null
  const left = range.start * pixelsPerFrame
  const right = range.end * pixelsPerFrame
  return (
    <div
      data-marked-range
      style={{ left, width: right - left, top }}
      className={classes(
        'pointer-events-none absolute bottom-0 border-playhead bg-select-wash',
        inFrame !== null && 'border-l-2',
        outFrame !== null && 'border-r-2',
      )}
    />
  )
}
