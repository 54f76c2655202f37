import { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Ref, RefObject } from 'react'
import { usePinch } from '../../../dom/use-pinch.ts'
import { useSize } from '../../../dom/use-size.ts'
import { readColours, useColourPreset, useTheme } from '../../../dom/theme.ts'
import { CommentDots } from '../../../playback/comment-dots.tsx'
import { nearest, zoomedLeft } from '../../../playback/timeline-scale.ts'
import type { Marks } from '../review/marks.ts'
import { useWorkbench } from '../workbench-context.ts'
import { filledLanes } from './filled-lanes.ts'
import { drawTimeline } from './timeline-draw.ts'
import type { Colours } from './timeline-draw.ts'
import { TimelineField } from './timeline-field.tsx'
import { TimelineHeader } from './timeline-header.tsx'
import { LaneDivider } from './lane-divider.tsx'
import { layLanes, useLaneScale } from './timeline-lanes.ts'
import type { Lanes } from './timeline-lanes.ts'

export type Zoom = 1 | -1 | 0

const maxPixelsPerFrame = 24
const zoomStep = 1.5
const snapPixels = 6

/** The lanes with one zoom. The canvas is drawn on zoom and scroll; the playhead only moves. */
export function Timeline({
  marks,
  snapFrames,
  onSnap,
  onHelp,
  zooming,
}: {
  marks: Marks
  /** Frames that a press near them lands on; null: snapping is off. */
  snapFrames: readonly number[] | null
  onSnap: () => void
  onHelp: () => void
  /** Lets the shortcuts zoom: +1 in, -1 out, 0 to see all of it. */
  zooming: Ref<(direction: Zoom) => void>
}) {
  const { job, media, findings, playhead, comments } = useWorkbench()
  const scroller = useRef<HTMLDivElement>(null)
  const [scale, setScale] = useLaneScale()
  const filled = useMemo(() => filledLanes(job, media, findings), [job, media, findings])
  const lanes = useMemo(() => layLanes({ filled, scale }), [filled, scale])
  const { view, zoomBy, fit, frameUnder, onScroll } = useZoom(scroller, zooming)
  const canvas = useDrawnLanes(view, lanes)
  const { left, width, pixelsPerFrame } = view
  const seek = (clientX: number) => {
    const frame = Math.floor(frameUnder(clientX))
    playhead.seek(nearest(snapFrames ?? [], frame, snapPixels / pixelsPerFrame))
  }
  return (
    <section aria-label="Timeline" className="relative border-t border-line bg-panel select-none">
      <LaneDivider lanes={lanes} scale={scale} onScale={setScale} />
      <TimelineHeader
        isSnapping={snapFrames !== null}
        isFit={view.zoom === 1}
        onSnap={onSnap}
        onHelp={onHelp}
        onFit={fit}
        onZoom={(direction) => zoomBy(zoomStep ** direction)}
      />
      <div className="grid grid-cols-[76px_minmax(0,1fr)] sm:grid-cols-[96px_minmax(0,1fr)]">
        <LaneNames lanes={lanes} />
        <div ref={scroller} onScroll={onScroll} className={scrollerClass}>
          <TimelineField
            marks={marks}
            lanes={lanes}
            width={Math.max(width, media.frames * pixelsPerFrame)}
            pixelsPerFrame={pixelsPerFrame}
            scroller={scroller}
            onSeek={seek}
          >
            <canvas
              ref={canvas}
              aria-hidden
              className="sticky left-0 block"
              style={{ width, height: lanes.height }}
            />
            <CommentDots
              comments={comments}
              xOf={(frame) => (frame + 0.5) * pixelsPerFrame}
              view={{ left, width }}
              className="top-1"
            />
          </TimelineField>
        </div>
      </div>
    </section>
  )
}

const scrollerClass = 'relative overflow-x-auto overflow-y-hidden'

interface View {
  zoom: number
  left: number
  width: number
  pixelsPerFrame: number
}

function useZoom(
  scroller: RefObject<HTMLDivElement | null>,
  zooming: Ref<(direction: Zoom) => void>,
) {
  const { reel, playhead } = useWorkbench()
  const { width } = useSize(scroller)
  const [view, setView] = useState({ zoom: 1, left: 0, isZoomed: false })
  const pixelsAt = (value: number) =>
    Math.min(maxPixelsPerFrame, (Math.max(1, width) / reel.frames) * value)
  const pixelsPerFrame = pixelsAt(view.zoom)
  const frameUnder = (clientX: number) => {
    const rect = scroller.current?.getBoundingClientRect()
    return (clientX - (rect?.left ?? 0) + view.left) / pixelsPerFrame
  }
  /** About the playhead, unless a frame is pointed at. */
  const zoomBy = (factor: number, pointedFrame?: number) => {
    const max = Math.max(1, (maxPixelsPerFrame * reel.frames) / Math.max(1, width))
    const frame = pointedFrame ?? playhead.frame()
    setView((before) => {
      const zoom = Math.min(max, Math.max(1, before.zoom * factor))
      const pixels = { frame, from: pixelsAt(before.zoom), to: pixelsAt(zoom) }
      const from = { left: before.left, width, frames: reel.frames }
      return { zoom, left: zoomedLeft(from, pixels), isZoomed: true }
    })
  }
  // The field has its new width by now; before, it could not be scrolled that far.
  useLayoutEffect(() => {
    if (view.isZoomed) scroller.current?.scrollTo({ left: view.left, behavior: 'instant' })
  }, [view, scroller])
  usePinch(scroller, (direction, clientX) => zoomBy(zoomStep ** direction, frameUnder(clientX)))
  const fit = () => setView({ zoom: 1, left: 0, isZoomed: true })
  useImperativeHandle(
    zooming,
    () => (direction: Zoom) => (direction === 0 ? fit() : zoomBy(zoomStep ** direction)),
  )
  return {
    view: { zoom: view.zoom, left: view.left, width, pixelsPerFrame },
    frameUnder,
    zoomBy,
    fit,
    onScroll: ({ currentTarget: { scrollLeft: left } }: { currentTarget: HTMLElement }) =>
      setView((before) => ({ ...before, left, isZoomed: false })),
  }
}

/** Returns the canvas that the lanes are drawn on. */
function useDrawnLanes({ left, width, pixelsPerFrame }: View, lanes: Lanes) {
  const { reel, data } = useWorkbench()
  const canvas = useRef<HTMLCanvasElement>(null)
  const colours = useColours()
  useLayoutEffect(() => {
    if (!canvas.current || width === 0 || !colours) return
    const inView = { width, startFrame: left / pixelsPerFrame, pixelsPerFrame }
    drawTimeline(canvas.current, data, inView, { colours, reel, lanes })
  }, [data, width, left, pixelsPerFrame, colours, reel, lanes])
  return canvas
}

function LaneNames({ lanes }: { lanes: Lanes }) {
  return (
    <div className="border-r border-line text-xs text-ink-3">
      {lanes.list.map((lane) => (
        <div
          key={lane.id}
          data-lane={lane.id}
          style={{ height: lane.height }}
          className="flex items-center truncate pl-2 sm:pl-3"
        >
          {lane.label}
        </div>
      ))}
    </div>
  )
}

/** The lane colours of the theme and preset in force. */
function useColours(): Colours | null {
  const look = `${useTheme()} ${useColourPreset()}`
  const [colours, setColours] = useState<Colours | null>(null)
  useEffect(() => {
    // The attributes on the root change first; the frame after, the values are the new ones.
    const request = requestAnimationFrame(() =>
      setColours({ ...readColours(document.documentElement, properties), look }),
    )
    return () => cancelAnimationFrame(request)
  }, [look])
  return colours
}

const properties = {
  ink: '--ink',
  faint: '--ink-3',
  line: '--line',
  shotA: '--lane-shot-a',
  shotB: '--lane-shot-b',
  talk: '--lane-talk',
  bad: '--bad',
  audio: '--lane-audio',
  cut: '--lane-cut',
  select: '--select-wash',
}
