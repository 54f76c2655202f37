/** The cut along its time: scrub, choose, and trim by the edges. */
import { Magnet, Minus, Plus } from 'lucide-react'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { PointerEvent } from 'react'
import { counted } from '../../../app/format.ts'
import { useTheme } from '../../../dom/theme.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Kbd } from '../../../keys/kbd.tsx'
import { zoomedLeft } from '../../../playback/timeline-scale.ts'
import type { CutActions } from '../cut-actions.ts'
import type { CutState } from '../cut-state.ts'
import type { CutView } from '../cut-view.ts'
import { spanSeconds } from '../source-seconds.ts'
import type { CutPlayer } from '../player/cut-player.ts'
import { drawStrip, rulerHeight, stripHeight } from './strip-draw.ts'
import type { StripBlock, StripColours } from './strip-draw.ts'
import { useStripFiles } from './strip-files.ts'
import { TrimGrip, TrimLine, useTrim } from './strip-trim.tsx'
import type { Edge, Trim } from './strip-trim.tsx'

const edgePixels = 6
const labelWidth = 72
const maxZoom = 512
/** What the keys - and + press. */
export const zoomOutId = 'cut-zoom-out'
export const zoomInId = 'cut-zoom-in'

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
  const slider = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [zoom, setZoom] = useState(1)
  const [left, setLeft] = useState(0)
  const theme = useTheme()
  const files = useStripFiles(state.sources)
  const blocks = useMemo(() => blocksOf(view), [view])
  const fit = width > 0 && view.frames > 0 ? (width - 16) / view.frames : 1
  const pixelsPerFrame = Math.min(40, fit * zoom)
  const ranges = useMemo(
    () => new Map(state.cut.ranges.map((range) => [range.id, range])),
    [state.cut.ranges],
  )
  const { trim, begin } = useTrim({ view, actions, pixelsPerFrame })
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
      slider.current?.setAttribute('aria-valuenow', String(player.frame()))
      slider.current?.setAttribute('aria-valuetext', view.time(player.frame()))
      const at = player.frame() * pixelsPerFrame - left
      needle.current.style.transform = `translateX(${at}px)`
      const element = scroller.current
      if (!element || player.speed() === 0) return
      if (at > width - 24 || at < 0)
        element.scrollLeft = player.frame() * pixelsPerFrame - width * 0.2
    }
    follow()
    return player.subscribe(follow)
  }, [player, view, pixelsPerFrame, left, width])
  const zoomTo = (next: number): void => {
    const to = Math.min(40, fit * next)
    const at = { left, width, frames: view.frames }
    const scrolled = zoomedLeft(at, { frame: player.frame(), from: pixelsPerFrame, to })
    setZoom(next)
    requestAnimationFrame(() => scroller.current?.scrollTo({ left: scrolled, behavior: 'instant' }))
  }
  const zoomBy = (direction: 1 | -1): void =>
    zoomTo(Math.max(1, Math.min(maxZoom, direction > 0 ? zoom * 2 : zoom / 2)))
  const placeOf = (event: PointerEvent): { x: number; y: number; frame: number } => {
    const box = event.currentTarget.getBoundingClientRect()
    const x = event.clientX - box.left
    return { x, y: event.clientY - box.top, frame: (x + left) / pixelsPerFrame }
  }
  const edgeOf = (block: StripBlock, edge: Edge) => {
    const range = ranges.get(block.rangeId)
    const source = range && view.sources.get(range.content_id)
    return range && source ? { block, range, edge, source } : null
  }
  const edgeAt = (x: number) => {
    for (const block of blocks) {
      const [from, to] = [block.from * pixelsPerFrame - left, block.to * pixelsPerFrame - left]
      // Of a narrow block there is nothing between its edges to take hold of.
      if (to - from < 3 * edgePixels) continue
      if (x >= from - 1 && x < from + edgePixels) return edgeOf(block, 'in')
      if (x <= to && x > to - edgePixels) return edgeOf(block, 'out')
    }
    return null
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    const { x, y, frame } = placeOf(event)
    const edge = y > rulerHeight && event.pointerType !== 'touch' ? edgeAt(x) : null
    if (edge) {
      actions.choose(edge.range.id)
      begin(event, edge)
      return
    }
    event.currentTarget.setPointerCapture(event.pointerId)
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
  const current = blocks.filter((block) => block.rangeId === actions.currentId)
  const grips = [
    { edge: 'in' as const, block: current[0] },
    { edge: 'out' as const, block: current.at(-1) },
  ].flatMap(({ edge, block }) => {
    const at = block && edgeOf(block, edge)
    return at ? [at] : []
  })
  const pixelOf = ({ block, edge }: { block: StripBlock; edge: Edge }): number =>
    (edge === 'in' ? block.from : block.to) * pixelsPerFrame - left
  const trimmedPixels = ({ range, edge, frame, source }: Trim): number =>
    spanSeconds(source, { in: range[edge], out: frame }) * view.framesPerSecond * pixelsPerFrame
  const clips = new Set(state.cut.ranges.map((range) => range.content_id)).size
  return (
    <section aria-label="Strip" className="border-t border-line bg-panel">
      <div className="flex h-10 items-center gap-2 px-4 max-sm:hidden">
        <h2 className="font-semibold">Cut</h2>
        <p className="figures grow text-ink-3">
          {counted(state.cut.ranges.length, 'clip')} · {counted(clips, 'source')}
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
        <IconButton label="Zoom out (-)" aria-disabled={zoom <= 1} onClick={() => zoomBy(-1)}>
          <Minus size={15} aria-hidden />
        </IconButton>
        <IconButton id={zoomInId} label="Zoom in (+)" onClick={() => zoomBy(1)}>
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
            className="sticky left-0 -mt-px overflow-hidden max-sm:-mt-[26px]"
            style={{ width: width || '100%', height: stripHeight }}
          >
            <div
              ref={slider}
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
              <canvas ref={canvas} style={{ width, height: stripHeight }} className="block" />
              {comments
                .map((comment) => ({ ...comment, x: comment.at * pixelsPerFrame - left }))
                .filter(({ x }) => x > -8 && x < width + 8)
                .map(({ id, name, text, x }) => (
                  <span
                    key={id}
                    title={`${name}: ${text}`}
                    style={{ left: x }}
                    className="absolute top-3 size-2 -translate-x-1/2 rounded-full border border-panel bg-playhead max-sm:top-7"
                  />
                ))}
              <div
                ref={needle}
                className="pointer-events-none absolute top-0 left-0 h-full w-px bg-playhead"
              >
                <span className="absolute -left-[5px] size-0 border-x-[5.5px] border-t-[7px] border-x-transparent border-t-playhead" />
              </div>
            </div>
            {grips.map((at) => (
              <TrimGrip
                key={at.edge}
                at={at}
                left={pixelOf(at)}
                isOn={trim?.edge === at.edge}
                actions={actions}
                onBegin={(event) => begin(event, at)}
              />
            ))}
            {trim && <TrimLine trim={trim} left={pixelOf(trim) + trimmedPixels(trim)} />}
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
