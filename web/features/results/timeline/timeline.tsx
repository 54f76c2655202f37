import { Magnet, Minus, MoveHorizontal, Plus } from 'lucide-react'
import {
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { useColourPreset, useTheme } from '../../../dom/theme.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { Kbd } from '../../../keys/kbd.tsx'
import { markedRange } from '../review/marks.ts'
import type { Marks } from '../review/marks.ts'
import type { Playhead } from '../viewer/playhead.ts'
import type { Reel } from '../viewer/reel.ts'
import { drawTimeline } from './timeline-draw.ts'
import type { Colours } from './timeline-draw.ts'
import type { TimelineData } from './timeline-data.ts'
import { layLanes, scaleOf, useLaneScale } from './timeline-lanes.ts'
import type { LaneId, Lanes } from './timeline-lanes.ts'
import { zoomedLeft } from '../../../playback/timeline-scale.ts'

export type Zoom = 1 | -1 | 0

const maxPixelsPerFrame = 24
const zoomStep = 1.5
const snapPixels = 6

/** The lanes with one zoom. The canvas is drawn on zoom and scroll; the playhead only moves. */
export function Timeline({
  reel,
  playhead,
  data,
  marks,
  filled,
  comments,
  summary,
  snapTo,
  isSnapping,
  onSnap,
  onHelp,
  zooming,
}: {
  reel: Reel
  playhead: Playhead
  data: TimelineData
  marks: Marks
  /** The lanes that have something to show, or will have. */
  filled: ReadonlySet<LaneId>
  /** Frames that somebody wrote about on a shared link. */
  comments: readonly { id: string; at: number; name: string; text: string }[]
  summary: string
  /** A frame near the pointer worth landing on, or the frame itself. */
  snapTo: (frame: number, reachFrames: number) => number
  isSnapping: boolean
  onSnap: () => void
  onHelp: () => void
  /** Lets the shortcuts zoom: +1 in, -1 out, 0 to see all of it. */
  zooming: React.Ref<(direction: Zoom) => void>
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [width, setWidth] = useState(0)
  const [view, setView] = useState({ zoom: 1, left: 0, isZoomed: false })
  const { zoom, left } = view
  const colours = useColours()
  const [scale, setScale] = useLaneScale()
  const lanes = useMemo(() => layLanes({ filled, scale }), [filled, scale])
  const pixelsAt = (value: number) =>
    Math.min(maxPixelsPerFrame, (Math.max(1, width) / reel.frames) * value)
  const pixelsPerFrame = pixelsAt(zoom)
  useWidth(scroller, setWidth)
  useLayoutEffect(() => {
    if (!canvas.current || width === 0 || !colours) return
    const inView = { width, startFrame: left / pixelsPerFrame, pixelsPerFrame }
    drawTimeline(canvas.current, data, inView, { colours, reel, lanes })
  }, [data, width, left, pixelsPerFrame, colours, reel, lanes])
  /** About the playhead, unless a frame is pointed at. */
  const zoomBy = (factor: number, pointedFrame?: number) => {
    const most = Math.max(1, (maxPixelsPerFrame * reel.frames) / Math.max(1, width))
    const frame = pointedFrame ?? playhead.frame()
    setView((before) => {
      const next = Math.min(most, Math.max(1, before.zoom * factor))
      const of = { frame, from: pixelsAt(before.zoom), to: pixelsAt(next) }
      const from = { left: before.left, width, frames: reel.frames }
      return { zoom: next, left: zoomedLeft(from, of), isZoomed: true }
    })
  }
  // The field has its new width by now; before, it could not be scrolled that far.
  useLayoutEffect(() => {
    if (view.isZoomed && scroller.current) scroller.current.scrollLeft = view.left
  }, [view])
  const fit = () => setView({ zoom: 1, left: 0, isZoomed: true })
  useImperativeHandle(
    zooming,
    () => (direction: Zoom) => (direction === 0 ? fit() : zoomBy(zoomStep ** direction)),
  )
  const frameUnder = (clientX: number) => {
    const rect = scroller.current?.getBoundingClientRect()
    return (clientX - (rect?.left ?? 0) + left) / pixelsPerFrame
  }
  const seek = (event: PointerEvent) => {
    const frame = Math.floor(frameUnder(event.clientX))
    playhead.seek(snapTo(frame, snapPixels / pixelsPerFrame))
  }
  useWheel(scroller, (event) => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    zoomBy(event.deltaY < 0 ? zoomStep : 1 / zoomStep, frameUnder(event.clientX))
  })
  return (
    <section aria-label="Timeline" className="relative border-t border-line bg-panel select-none">
      <Divider lanes={lanes} scale={scale} onScale={setScale} />
      <header className="flex h-9 items-center gap-2 border-b border-line px-3 pointer-coarse:h-12">
        <h2 className="font-semibold">Timeline</h2>
        <p className="min-w-0 grow truncate text-ink-3">{summary}</p>
        <Button
          look="quiet"
          aria-pressed={isSnapping}
          onClick={onSnap}
          className={isSnapping ? 'bg-hover! text-ink!' : ''}
        >
          <Magnet size={14} aria-hidden /> Snap <Kbd>S</Kbd>
        </Button>
        <Button look="quiet" onClick={onHelp} className="max-md:hidden">
          All shortcuts <Kbd>?</Kbd>
        </Button>
        <IconButton label="Fit the timeline (\)" onClick={fit} aria-disabled={zoom === 1}>
          <MoveHorizontal size={14} aria-hidden />
        </IconButton>
        <IconButton label="Zoom out (-)" onClick={() => zoomBy(1 / zoomStep)}>
          <Minus size={14} aria-hidden />
        </IconButton>
        <IconButton label="Zoom in (+)" onClick={() => zoomBy(zoomStep)}>
          <Plus size={14} aria-hidden />
        </IconButton>
      </header>
      <div className="grid grid-cols-[76px_minmax(0,1fr)] sm:grid-cols-[96px_minmax(0,1fr)]">
        <LaneNames lanes={lanes} />
        <div
          ref={scroller}
          onScroll={({ currentTarget: { scrollLeft } }) =>
            setView((before) => ({ ...before, left: scrollLeft, isZoomed: false }))
          }
          className="relative overflow-x-auto overflow-y-hidden"
        >
          <Field
            reel={reel}
            playhead={playhead}
            marks={marks}
            lanes={lanes}
            width={Math.max(width, reel.frames * pixelsPerFrame)}
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
            {comments
              .map((comment) => ({ ...comment, x: (comment.at + 0.5) * pixelsPerFrame }))
              .filter(({ x }) => x > left - 8 && x < left + width + 8)
              .map(({ id, name, text, x }) => (
                <span
                  key={id}
                  data-comment
                  title={`${name}: ${text}`}
                  style={{ left: x }}
                  className="absolute top-1 size-2 -translate-x-1/2 rounded-full border border-panel bg-playhead"
                />
              ))}
          </Field>
        </div>
      </div>
    </section>
  )
}

const dragStep = 0.1

/** Between picture and lanes: dragged, moved by arrows, and put back by a double click. */
function Divider({
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

/** The whole field is one slider, so that it works with a pointer, a finger and the keyboard. */
function Field({
  reel,
  playhead,
  marks,
  lanes,
  width,
  pixelsPerFrame,
  scroller,
  onSeek,
  children,
}: {
  reel: Reel
  playhead: Playhead
  marks: Marks
  lanes: Lanes
  width: number
  pixelsPerFrame: number
  scroller: React.RefObject<HTMLDivElement | null>
  onSeek: (event: PointerEvent) => void
  children: React.ReactNode
}) {
  const frame = useSyncExternalStore(playhead.subscribe, playhead.frame)
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
        onSeek(event)
      }}
      onPointerMove={(event) => event.buttons === 1 && onSeek(event)}
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

/** What lies between in and out, over all lanes; without one of them, up to the clip's edge. */
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

/** React listens to the wheel without the right to keep the page from zooming. */
function useWheel(
  element: React.RefObject<HTMLElement | null>,
  onWheel: (event: WheelEvent) => void,
): void {
  const latest = useRef(onWheel)
  useEffect(() => {
    latest.current = onWheel
  })
  useEffect(() => {
    const { current } = element
    const listen = (event: WheelEvent): void => latest.current(event)
    current?.addEventListener('wheel', listen, { passive: false })
    return () => current?.removeEventListener('wheel', listen)
  }, [element])
}

function useWidth(
  element: React.RefObject<HTMLElement | null>,
  onWidth: (width: number) => void,
): void {
  useEffect(() => {
    if (!element.current) return undefined
    const observer = new ResizeObserver(([entry]) => onWidth(entry?.contentRect.width ?? 0))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, onWidth])
}

/** The lane colours of the theme and preset in force. */
function useColours(): Colours | null {
  const look = `${useTheme()} ${useColourPreset()}`
  const [colours, setColours] = useState<Colours | null>(null)
  useEffect(() => {
    // The attributes on the root change first; the frame after, the values are the new ones.
    const request = requestAnimationFrame(() => setColours(readColours(look)))
    return () => cancelAnimationFrame(request)
  }, [look])
  return colours
}

function readColours(look: string): Colours {
  const style = getComputedStyle(document.documentElement)
  const value = (name: string): string => style.getPropertyValue(name).trim()
  return {
    ink: value('--ink'),
    faint: value('--ink-3'),
    line: value('--line'),
    shotA: value('--lane-shot-a'),
    shotB: value('--lane-shot-b'),
    talk: value('--lane-talk'),
    bad: value('--bad'),
    audio: value('--lane-audio'),
    cut: value('--lane-cut'),
    select: value('--select-wash'),
    onShot: 'oklch(98% 0 0)',
    look,
  }
}
