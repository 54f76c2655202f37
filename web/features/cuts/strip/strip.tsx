/** The cut along its time: scrub, choose, and trim by the edges. */
import { Magnet, Minus, Plus } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { PointerEvent, ReactNode, Ref, RefObject } from 'react'
import { counted } from '../../../app/format.ts'
import { readColours, useTheme } from '../../../dom/theme.ts'
import { useSize } from '../../../dom/use-size.ts'
import { Kbd } from '../../../keys/kbd.tsx'
import { CommentDots } from '../../../playback/comment-dots.tsx'
import { zoomedLeft } from '../../../playback/timeline-scale.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { useCut } from '../cut-context.ts'
import type { CutView } from '../cut-view.ts'
import { spanSeconds } from '../source-seconds.ts'
import { drawStrip, rulerHeight, stripHeight } from './strip-draw.ts'
import type { StripBlock } from './strip-draw.ts'
import { useStripFiles } from './strip-files.ts'
import { TrimGrip, TrimLine, useTrim } from './strip-trim.tsx'
import type { Edge, Trim } from './strip-trim.tsx'

const edgePixels = 6
const labelWidth = 72
const maxZoom = 512
const maxPixelsPerFrame = 40
/** The buttons that the keys - and + press. */
export const zoomOutId = 'cut-zoom-out'
export const zoomInId = 'cut-zoom-in'

export function Strip() {
  const { view, comments } = useCut()
  const scroller = useRef<HTMLDivElement>(null)
  const blocks = useMemo(() => blocksOf(view), [view])
  const zooming = useZoom(scroller)
  const { width, left, pixelsPerFrame } = zooming.window
  const canvas = useDrawnStrip(blocks, zooming.window)
  const needle = useRef<HTMLDivElement>(null)
  const slider = useRef<HTMLDivElement>(null)
  useFollowedPlayhead({ scroller, needle, slider }, zooming.window)
  const edges = useEdges(blocks, zooming.window)
  return (
    <section aria-label="Strip" className="border-t border-line bg-panel">
      <StripHeader zooming={zooming} />
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
          onScroll={(event) => zooming.setLeft(event.currentTarget.scrollLeft)}
          className="relative min-w-0 grow overflow-x-auto overflow-y-hidden"
          style={{ height: stripHeight + 4 }}
        >
          <div style={{ width: Math.max(1, view.frames * pixelsPerFrame) }} className="h-px" />
          <div
            className="sticky left-0 -mt-px overflow-hidden max-sm:-mt-[26px]"
            style={{ width: width || '100%', height: stripHeight }}
          >
            <Slider ref={slider} blocks={blocks} window={zooming.window} edges={edges}>
              <canvas ref={canvas} style={{ width, height: stripHeight }} className="block" />
              <CommentDots
                comments={comments}
                xOf={(frame) => frame * pixelsPerFrame - left}
                view={{ left: 0, width }}
                className="top-3 max-sm:top-7"
              />
              <div
                ref={needle}
                className="pointer-events-none absolute top-0 left-0 h-full w-px bg-playhead"
              >
                <span className="absolute -left-[5px] size-0 border-x-[5.5px] border-t-[7px] border-x-transparent border-t-playhead" />
              </div>
            </Slider>
            {edges.handles}
          </div>
        </div>
      </div>
    </section>
  )
}

interface Window {
  width: number
  left: number
  pixelsPerFrame: number
}

function useZoom(scroller: RefObject<HTMLDivElement | null>) {
  const { view, deck } = useCut()
  const { width } = useSize(scroller)
  const [zoom, setZoom] = useState(1)
  const [left, setLeft] = useState(0)
  const fit = width > 0 && view.frames > 0 ? (width - 16) / view.frames : 1
  const pixelsAt = (value: number) => Math.min(maxPixelsPerFrame, fit * value)
  const zoomBy = (direction: 1 | -1): void => {
    const next = Math.max(1, Math.min(maxZoom, direction > 0 ? zoom * 2 : zoom / 2))
    const pixels = { frame: deck.cut.frame(), from: pixelsAt(zoom), to: pixelsAt(next) }
    const scrolled = zoomedLeft({ left, width, frames: view.frames }, pixels)
    setZoom(next)
    requestAnimationFrame(() => scroller.current?.scrollTo({ left: scrolled, behavior: 'instant' }))
  }
  return { window: { width, left, pixelsPerFrame: pixelsAt(zoom) }, zoom, zoomBy, setLeft }
}

function StripHeader({ zooming: { zoom, zoomBy } }: { zooming: ReturnType<typeof useZoom> }) {
  const { state, actions } = useCut()
  const { ranges } = state.cut
  const clips = new Set(ranges.map((range) => range.content_id)).size
  return (
    <div className="flex h-10 items-center gap-2 px-4 max-sm:hidden">
      <h2 className="font-semibold">Cut</h2>
      <p className="figures grow text-ink-3">
        {counted(ranges.length, 'clip')} · {counted(clips, 'source')}
      </p>
      <Button
        look="quiet"
        aria-pressed={actions.isSnapping}
        title="Trims and struck words land on a cut point or a silence within 6 frames. Alt turns it off."
        onClick={actions.toggleSnapping}
        className={actions.isSnapping ? 'bg-raised text-ink!' : ''}
      >
        <Magnet size={14} aria-hidden /> Snap <Kbd>N</Kbd>
      </Button>
      <Button look="quiet" onClick={() => actions.goToSeam(1)}>
        Next seam <Kbd>↓</Kbd>
      </Button>
      <IconButton
        id={zoomOutId}
        label="Zoom out (-)"
        aria-disabled={zoom <= 1}
        onClick={() => zoomBy(-1)}
      >
        <Minus size={15} aria-hidden />
      </IconButton>
      <IconButton id={zoomInId} label="Zoom in (+)" onClick={() => zoomBy(1)}>
        <Plus size={15} aria-hidden />
      </IconButton>
    </div>
  )
}

/** Returns the canvas that the strip is drawn on. */
function useDrawnStrip(blocks: readonly StripBlock[], { width, left, pixelsPerFrame }: Window) {
  const { state, view, actions } = useCut()
  const { currentId } = actions
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useTheme()
  const files = useStripFiles(state.sources)
  useEffect(() => {
    if (!canvas.current || width === 0) return
    const inView = { width, startFrame: left / pixelsPerFrame, pixelsPerFrame }
    const colours = { ...readColours(canvas.current, properties), look: theme }
    drawStrip(canvas.current, view, inView, { blocks, files, colours, currentId })
  }, [view, blocks, files, width, left, pixelsPerFrame, theme, currentId])
  return canvas
}

/** Moves the needle by hand, since a playhead that runs must not redraw React. */
function useFollowedPlayhead(
  elements: Record<'scroller' | 'needle' | 'slider', RefObject<HTMLDivElement | null>>,
  { width, left, pixelsPerFrame }: Window,
): void {
  const { view, deck } = useCut()
  const player = deck.cut
  const { scroller, needle, slider } = elements
  useEffect(() => {
    const follow = (): void => {
      const frame = player.frame()
      slider.current?.setAttribute('aria-valuenow', String(frame))
      slider.current?.setAttribute('aria-valuetext', view.time(frame))
      const at = frame * pixelsPerFrame - left
      needle.current?.style.setProperty('transform', `translateX(${at}px)`)
      if (player.speed() === 0 || (at <= width - 24 && at >= 0)) return
      scroller.current?.scrollTo({
        left: frame * pixelsPerFrame - width * 0.2,
        behavior: 'instant',
      })
    }
    follow()
    return player.subscribe(follow)
  }, [player, view, pixelsPerFrame, left, width, scroller, needle, slider])
}

type EdgePlace = Omit<Trim, 'frame' | 'isSnapped'>

/** Finds edges to trim, and draws the handles of the current range. */
function useEdges(blocks: readonly StripBlock[], { left, pixelsPerFrame }: Window) {
  const { state, view, actions } = useCut()
  const { trim, begin } = useTrim({ view, actions, pixelsPerFrame })
  const ranges = useMemo(
    () => new Map(state.cut.ranges.map((range) => [range.id, range])),
    [state.cut.ranges],
  )
  const edgeOf = (block: StripBlock | undefined, edge: Edge): EdgePlace | null => {
    const range = block && ranges.get(block.rangeId)
    const source = range && view.sources.get(range.content_id)
    return block && range && source ? { block, range, edge, source } : null
  }
  const edgeAt = (x: number): EdgePlace | null => {
    for (const block of blocks) {
      const [from, to] = [block.from * pixelsPerFrame - left, block.to * pixelsPerFrame - left]
      // Between the edges of a narrow block there is nothing to take hold of.
      if (to - from < 3 * edgePixels) continue
      if (x >= from - 1 && x < from + edgePixels) return edgeOf(block, 'in')
      if (x <= to && x > to - edgePixels) return edgeOf(block, 'out')
    }
    return null
  }
  const pixelOf = ({ block, edge }: EdgePlace): number =>
    (edge === 'in' ? block.from : block.to) * pixelsPerFrame - left
  const trimmedPixels = ({ range, edge, frame, source }: Trim): number =>
    spanSeconds(source, { in: range[edge], out: frame }) * view.framesPerSecond * pixelsPerFrame
  const current = blocks.filter((block) => block.rangeId === actions.currentId)
  const grips = [edgeOf(current[0], 'in'), edgeOf(current.at(-1), 'out')]
  const handles = (
    <>
      {grips.map(
        (at) =>
          at && (
            <TrimGrip
              key={at.edge}
              at={at}
              left={pixelOf(at)}
              isOn={trim?.edge === at.edge}
              actions={actions}
              onBegin={(event) => begin(event, at)}
            />
          ),
      )}
      {trim && <TrimLine trim={trim} left={pixelOf(trim) + trimmedPixels(trim)} />}
    </>
  )
  return { isTrimming: trim !== null, begin, edgeAt, handles }
}

function Slider({
  ref,
  blocks,
  window: { left, pixelsPerFrame },
  edges,
  children,
}: {
  ref: Ref<HTMLDivElement>
  blocks: readonly StripBlock[]
  window: Window
  edges: ReturnType<typeof useEdges>
  children: ReactNode
}) {
  const { view, deck, actions } = useCut()
  const player = deck.cut
  const placeOf = (event: PointerEvent): { x: number; y: number; frame: number } => {
    const box = event.currentTarget.getBoundingClientRect()
    const x = event.clientX - box.left
    return { x, y: event.clientY - box.top, frame: (x + left) / pixelsPerFrame }
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    const { x, y, frame } = placeOf(event)
    const edge = y > rulerHeight && event.pointerType !== 'touch' ? edges.edgeAt(x) : null
    if (edge) {
      actions.choose(edge.range.id)
      edges.begin(event, edge)
      return
    }
    event.currentTarget.setPointerCapture(event.pointerId)
    player.seek(Math.floor(frame))
    const block = blocks.find((item) => frame >= item.from && frame < item.to)
    if (y > rulerHeight && block) actions.choose(block.rangeId)
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (edges.isTrimming) return
    const { x, y, frame } = placeOf(event)
    const isOnEdge = y > rulerHeight && edges.edgeAt(x)
    if (event.buttons & 1) player.seek(Math.floor(frame))
    else event.currentTarget.style.cursor = isOnEdge ? 'ew-resize' : 'default'
  }
  return (
    <div
      ref={ref}
      role="slider"
      tabIndex={0}
      aria-label="Position in the cut"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, view.frames - 1)}
      aria-valuenow={player.frame()}
      aria-valuetext={view.time(player.frame())}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      className="size-full touch-pan-x outline-offset-[-2px]"
    >
      {children}
    </div>
  )
}

/** The stretch of the timeline that each range takes, removed words left out. */
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

const properties = {
  ink: '--ink',
  faint: '--ink-3',
  line: '--line',
  tile: '--hover',
  audio: '--lane-audio',
  brand: '--brand',
  seam: '--playhead',
}
