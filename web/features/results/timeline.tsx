import { Magnet, Minus, Plus } from 'lucide-react'
import {
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { KeyboardEvent, PointerEvent, WheelEvent } from 'react'
import { useColourPreset, useTheme } from '../../theme.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import type { Playhead } from './playhead.ts'
import type { Reel } from './reel.ts'
import { drawTimeline, lanes, timelineHeight } from './timeline-draw.ts'
import type { Colours } from './timeline-draw.ts'
import type { TimelineData } from './timeline-data.ts'

const mostPixelsPerFrame = 24
const zoomStep = 1.5
const snapPixels = 6

/** The lanes with one zoom. The canvas is drawn on zoom and scroll; the playhead only moves. */
export function Timeline({
  reel,
  playhead,
  data,
  summary,
  snapTo,
  isSnapping,
  onSnap,
  onNextCut,
  onHelp,
  zooming,
}: {
  reel: Reel
  playhead: Playhead
  data: TimelineData
  summary: string
  /** A frame near the pointer worth landing on, or the frame itself. */
  snapTo: (frame: number, reachFrames: number) => number
  isSnapping: boolean
  onSnap: () => void
  onNextCut: () => void
  onHelp: () => void
  /** Lets the shortcuts zoom: +1 in, -1 out. */
  zooming: React.Ref<(direction: 1 | -1) => void>
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [width, setWidth] = useState(0)
  const [zoom, setZoom] = useState(1)
  const [left, setLeft] = useState(0)
  const colours = useColours()
  const pixelsPerFrame = Math.min(mostPixelsPerFrame, (Math.max(1, width) / reel.frames) * zoom)
  useWidth(scroller, setWidth)
  useLayoutEffect(() => {
    if (!canvas.current || width === 0 || !colours) return
    const view = { width, startFrame: left / pixelsPerFrame, pixelsPerFrame }
    drawTimeline(canvas.current, data, view, { colours, timecode: reel.timecode })
  }, [data, width, left, pixelsPerFrame, colours, reel])
  const zoomBy = (factor: number) => {
    const most = (mostPixelsPerFrame * reel.frames) / Math.max(1, width)
    const next = Math.min(Math.max(1, most), Math.max(1, zoom * factor))
    const frame = playhead.frame()
    const at = frame * pixelsPerFrame - left
    setZoom(next)
    // The playhead stays where it is on the screen.
    const nextPixels = Math.min(mostPixelsPerFrame, (width / reel.frames) * next)
    requestAnimationFrame(() => {
      if (scroller.current) scroller.current.scrollLeft = frame * nextPixels - at
    })
  }
  useImperativeHandle(zooming, () => (direction: 1 | -1) => zoomBy(zoomStep ** direction))
  const seek = (event: PointerEvent) => {
    const rect = scroller.current?.getBoundingClientRect()
    if (!rect) return
    const frame = (event.clientX - rect.left + left) / pixelsPerFrame
    playhead.seek(snapTo(Math.floor(frame), snapPixels / pixelsPerFrame))
  }
  const onWheel = (event: WheelEvent) => {
    if (event.ctrlKey || event.metaKey) zoomBy(event.deltaY < 0 ? zoomStep : 1 / zoomStep)
  }
  return (
    <section aria-label="Timeline" className="border-t border-line bg-panel select-none">
      <header className="flex h-9 items-center gap-2 border-b border-line px-3">
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
        <Button look="quiet" onClick={onNextCut} className="max-md:hidden">
          Next cut <Kbd>↓</Kbd>
        </Button>
        <Button look="quiet" onClick={onHelp} className="max-md:hidden">
          All shortcuts <Kbd>?</Kbd>
        </Button>
        <IconButton label="Zoom out (-)" onClick={() => zoomBy(1 / zoomStep)}>
          <Minus size={14} aria-hidden />
        </IconButton>
        <IconButton label="Zoom in (+)" onClick={() => zoomBy(zoomStep)}>
          <Plus size={14} aria-hidden />
        </IconButton>
      </header>
      <div className="grid grid-cols-[76px_minmax(0,1fr)] sm:grid-cols-[96px_minmax(0,1fr)]">
        <LaneNames />
        <div
          ref={scroller}
          onScroll={(event) => setLeft(event.currentTarget.scrollLeft)}
          onWheel={onWheel}
          className="relative overflow-x-auto overflow-y-hidden"
        >
          <Field
            reel={reel}
            playhead={playhead}
            width={Math.max(width, reel.frames * pixelsPerFrame)}
            pixelsPerFrame={pixelsPerFrame}
            scroller={scroller}
            onSeek={seek}
          >
            <canvas
              ref={canvas}
              aria-hidden
              className="sticky left-0 block"
              style={{ width, height: timelineHeight }}
            />
          </Field>
        </div>
      </div>
    </section>
  )
}

function LaneNames() {
  return (
    <div className="border-r border-line text-xs text-ink-3">
      {lanes.map((lane) => (
        <div
          key={lane.id}
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
  width,
  pixelsPerFrame,
  scroller,
  onSeek,
  children,
}: {
  reel: Reel
  playhead: Playhead
  width: number
  pixelsPerFrame: number
  scroller: React.RefObject<HTMLDivElement | null>
  onSeek: (event: PointerEvent) => void
  children: React.ReactNode
}) {
  const frame = useSyncExternalStore(playhead.subscribe, playhead.frame)
  const line = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const x = (frame + 0.5) * pixelsPerFrame
    if (line.current) line.current.style.transform = `translateX(${x}px)`
    const view = scroller.current
    if (!view || playhead.speed() === 0) return
    // While it plays, the view turns the page when the playhead reaches the edge.
    if (x < view.scrollLeft || x > view.scrollLeft + view.clientWidth) {
      view.scrollTo({ left: x - 40, behavior: 'instant' })
    }
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
      style={{ width, height: timelineHeight }}
      className="relative cursor-col-resize touch-pan-x focus-visible:-outline-offset-2"
    >
      {children}
      <div
        ref={line}
        className="pointer-events-none absolute inset-y-0 left-0 w-px bg-playhead will-change-transform"
      >
        <div className="absolute top-0 -left-1.25 h-2.5 w-2.75 bg-playhead [clip-path:polygon(0_0,100%_0,50%_100%)]" />
      </div>
    </div>
  )
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
