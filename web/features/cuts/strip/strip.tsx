/** The cut along its time: scrub, choose, and trim by the edges. */
import { Minus, Plus } from 'lucide-react'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { PointerEvent } from 'react'
import { trimRange } from '../../../../contract/cut-edit.ts'
import type { CutRange } from '../../../../contract/cuts.ts'
import { counted } from '../../../app/figures.ts'
import { useTheme } from '../../../app/theme.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { zoomedLeft } from '../../../ui/timeline-scale.ts'
import type { CutActions } from '../cut-actions.ts'
import type { CutState } from '../cut-state.ts'
import { rateOf } from '../cut-view.ts'
import type { CutView } from '../cut-view.ts'
import type { CutPlayer } from '../player/cut-player.ts'
import { drawStrip, rulerHeight, stripHeight } from './strip-draw.ts'
import type { StripBlock, StripColours } from './strip-draw.ts'
import { useStripFiles } from './strip-files.ts'

const edgePixels = 6
const labelWidth = 72

interface Trim {
  block: StripBlock
  range: CutRange
  edge: 'in' | 'out'
  fromX: number
}

export function Strip({
  state,
  view,
  player,
  actions,
  comments,
}: {
  state: CutState
  view: CutView
  player: CutPlayer
  actions: CutActions
  /** Frames of the cut that somebody wrote about. */
  comments: readonly { id: string; at: number; name: string; text: string }[]
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const needle = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [zoom, setZoom] = useState(1)
  const [left, setLeft] = useState(0)
  const [trim, setTrim] = useState<Trim | null>(null)
  const theme = useTheme()
  const files = useStripFiles(state.sources)
  const blocks = useMemo(() => blocksOf(view), [view])
  const fit = width > 0 && view.frames > 0 ? (width - 16) / view.frames : 1
  const pixelsPerFrame = Math.min(40, fit * zoom)
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (!canvas.current || width === 0) return
    drawStrip(
      canvas.current,
      view,
      { width, startFrame: left / pixelsPerFrame, pixelsPerFrame },
      {
        blocks,
        files,
        colours: coloursOf(canvas.current, theme),
        currentId: actions.currentId,
      },
    )
  }, [view, blocks, files, width, left, pixelsPerFrame, theme, actions.currentId])
  useEffect(() => {
    const follow = (): void => {
      if (!needle.current) return
      const at = player.frame() * pixelsPerFrame - left
      needle.current.style.transform = `translateX(${at}px)`
      const element = scroller.current
      if (!element || player.speed() === 0) return
      if (at > width - 24 || at < 0)
        element.scrollLeft = player.frame() * pixelsPerFrame - width * 0.2
    }
    follow()
    return player.subscribe(follow)
  }, [player, pixelsPerFrame, left, width])
  const zoomTo = (next: number): void => {
    const to = Math.min(40, fit * next)
    const at = { left, width, frames: view.frames }
    const scrolled = zoomedLeft(at, { frame: player.frame(), from: pixelsPerFrame, to })
    setZoom(next)
    requestAnimationFrame(() => scroller.current?.scrollTo({ left: scrolled, behavior: 'instant' }))
  }
  const placeOf = (event: PointerEvent): { x: number; y: number; frame: number } => {
    const box = event.currentTarget.getBoundingClientRect()
    const x = event.clientX - box.left
    return { x, y: event.clientY - box.top, frame: (x + left) / pixelsPerFrame }
  }
  const edgeAt = (x: number): Omit<Trim, 'fromX'> | null => {
    for (const block of blocks) {
      const [from, to] = [block.from * pixelsPerFrame - left, block.to * pixelsPerFrame - left]
      const range = state.cut.ranges.find((item) => item.id === block.rangeId)
      if (!range) continue
      if (x >= from - 1 && x < from + edgePixels) return { block, range, edge: 'in' }
      if (x <= to && x > to - edgePixels) return { block, range, edge: 'out' }
    }
    return null
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    const { x, y, frame } = placeOf(event)
    event.currentTarget.setPointerCapture(event.pointerId)
    const edge = y > rulerHeight ? edgeAt(x) : null
    if (edge) {
      setTrim({ ...edge, fromX: event.clientX })
      actions.choose(edge.range.id)
      return
    }
    player.seek(Math.floor(frame))
    const block = blocks.find((item) => frame >= item.from && frame < item.to)
    if (y > rulerHeight && block) actions.choose(block.rangeId)
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const { x, y, frame } = placeOf(event)
    if (trim) return
    if (event.buttons & 1) player.seek(Math.floor(frame))
    else event.currentTarget.style.cursor = y > rulerHeight && edgeAt(x) ? 'ew-resize' : 'default'
  }
  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    if (!trim) return
    const source = view.sources.get(trim.range.content_id)
    const pace = rateOf(view, trim.range.content_id) / view.framesPerSecond
    const moved = Math.round(((event.clientX - trim.fromX) / pixelsPerFrame) * pace)
    setTrim(null)
    if (moved === 0 || !source) return
    const ends =
      trim.edge === 'in' ? { in: trim.range.in + moved } : { out: trim.range.out + moved }
    state.change((list) => trimRange(list, trim.range.id, { ...ends, clipFrames: source.frames }))
  }
  const clips = new Set(state.cut.ranges.map((range) => range.content_id)).size
  return (
    <section aria-label="Strip" className="border-t border-line bg-panel">
      <div className="flex h-10 items-center gap-2 px-4 max-sm:hidden">
        <h2 className="font-semibold">Cut</h2>
        <p className="figures grow text-ink-3">
          {counted(state.cut.ranges.length, 'passage')} · {counted(clips, 'clip')}
        </p>
        <Button look="quiet" onClick={() => actions.goToSeam(1)}>
          Next seam <Kbd>↓</Kbd>
        </Button>
        <IconButton
          label="Zoom out (-)"
          disabled={zoom <= 1}
          onClick={() => zoomTo(Math.max(1, zoom / 2))}
        >
          <Minus size={15} aria-hidden />
        </IconButton>
        <IconButton label="Zoom in (+)" onClick={() => zoomTo(Math.min(512, zoom * 2))}>
          <Plus size={15} aria-hidden />
        </IconButton>
      </div>
      <div className="flex border-t border-line max-sm:h-12 max-sm:overflow-hidden">
        <div
          aria-hidden
          style={{ width: labelWidth }}
          className="relative shrink-0 border-r border-line text-xs text-ink-2 max-sm:hidden"
        >
          <span className="absolute top-10 left-4">Picture</span>
          <span className="absolute top-20 left-4">Audio</span>
        </div>
        <div
          ref={scroller}
          onScroll={(event) => setLeft(event.currentTarget.scrollLeft)}
          className="relative min-w-0 grow overflow-x-auto overflow-y-hidden"
          style={{ height: stripHeight + 4 }}
        >
          <div style={{ width: Math.max(1, view.frames * pixelsPerFrame) }} className="h-px" />
          <div
            role="slider"
            tabIndex={0}
            aria-label="Position in the cut"
            aria-valuemin={0}
            aria-valuemax={Math.max(0, view.frames - 1)}
            aria-valuenow={player.frame()}
            aria-valuetext={view.time(player.frame())}
            onPointerDown={onPointerDown}
            onPointerMove={onPointerMove}
            onPointerUp={onPointerUp}
            className="sticky left-0 -mt-px touch-pan-x overflow-hidden outline-offset-[-2px]"
            style={{ width: width || '100%', height: stripHeight }}
          >
            <canvas ref={canvas} style={{ width, height: stripHeight }} className="block" />
            {comments.map((comment) => (
              <span
                key={comment.id}
                title={`${comment.name}: ${comment.text}`}
                style={{ left: comment.at * pixelsPerFrame - left }}
                className="absolute top-3 size-2 -translate-x-1/2 rounded-full border border-panel bg-playhead"
              />
            ))}
            <div
              ref={needle}
              className="pointer-events-none absolute top-0 left-0 h-full w-px bg-playhead"
            >
              <span className="absolute -left-[5px] size-0 border-x-[5.5px] border-t-[7px] border-x-transparent border-t-playhead" />
            </div>
          </div>
        </div>
      </div>
    </section>
  )
}

/** What each range takes of the timeline, removed words left out. */
function blocksOf(view: CutView): StripBlock[] {
  const blocks: StripBlock[] = []
  for (const event of view.events) {
    const last = blocks.at(-1)
    if (last?.rangeId === event.rangeId) last.to = event.recordOut
    else {
      blocks.push({
        rangeId: event.rangeId,
        number: event.rangeIndex + 1,
        contentId: event.contentId,
        from: event.recordIn,
        to: event.recordOut,
        sourceIn: event.in,
      })
    }
  }
  return blocks
}

function coloursOf(element: Element, look: string): StripColours {
  const style = getComputedStyle(element)
  const value = (name: string): string => style.getPropertyValue(name).trim()
  return {
    ink: value('--ink'),
    faint: value('--ink-3'),
    line: value('--line'),
    tile: value('--hover'),
    audio: value('--lane-audio'),
    brand: value('--brand'),
    seam: value('--playhead'),
    look,
  }
}
