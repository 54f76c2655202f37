/** Trims a range by its edges on the strip: dragged or by the arrows, snapping to cut points. */
import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent as ReactPointerEvent } from 'react'
import type { CutSource } from '../../../../contract/footage/cuts.ts'
import type { CutRange } from '../../../../domain/cuts/cut.ts'
import { followPointer } from '../../../dom/follow-pointer.ts'
import { nearest } from '../../../playback/timeline-scale.ts'
import { sourceTime } from '../source-names.ts'
import { frameAfter } from '../source-seconds.ts'
import type { CutActions } from '../cut-actions.ts'
import type { CutView } from '../cut-view.ts'
import { snapFrames } from '../text/passage-words.ts'
import type { StripBlock } from './strip-draw.ts'

export type Edge = 'in' | 'out'

export interface Trim {
  block: StripBlock
  range: CutRange
  edge: Edge
  source: CutSource
  /** Where the edge would lie, in frames of the source. */
  frame: number
  isSnapped: boolean
}

export function useTrim(input: { view: CutView; actions: CutActions; pixelsPerFrame: number }): {
  trim: Trim | null
  begin: (event: ReactPointerEvent, at: Omit<Trim, 'frame' | 'isSnapped'>) => void
} {
  const [trim, setTrim] = useState<Trim | null>(null)
  const latest = useRef(input)
  const end = useRef<(() => void) | null>(null)
  useEffect(() => {
    latest.current = input
  })
  useEffect(() => () => end.current?.(), [])
  const begin = (event: ReactPointerEvent, at: Omit<Trim, 'frame' | 'isSnapped'>): void => {
    if (event.button !== 0 || end.current) return
    const { range, edge, source } = at
    const { view, actions, pixelsPerFrame } = latest.current
    const pixelsPerSecond = pixelsPerFrame * view.framesPerSecond
    const points = view.cutPoints.get(range.content_id) ?? []
    const { clientX: fromX, pointerId } = event
    let frame = range[edge]
    const move = (moved: PointerEvent): void => {
      const seconds = (moved.clientX - fromX) / pixelsPerSecond
      const exact = kept(frameAfter(source, range[edge], seconds), at)
      const isFree = moved.altKey || !latest.current.actions.isSnapping
      const next = isFree ? exact : kept(nearest(points, exact, snapFrames), at)
      if (next === frame) return
      frame = next
      setTrim({ ...at, frame, isSnapped: !isFree && points.includes(frame) })
      actions.goToSource(range.id, edge === 'in' ? frame : frame - 1)
    }
    setTrim({ ...at, frame, isSnapped: false })
    end.current = followPointer(pointerId, {
      move,
      up: () => frame !== range[edge] && actions.trim(range.id, { [edge]: frame }),
      end() {
        end.current = null
        setTrim(null)
      },
    })
  }
  return { trim, begin }
}

/** Inside of the clip, and at least a frame from the other end. */
function kept(frame: number, { range, edge, source }: Pick<Trim, 'range' | 'edge' | 'source'>) {
  const [low, high] = edge === 'in' ? [0, range.out - 1] : [range.in + 1, source.frames]
  return Math.max(low, Math.min(high, frame))
}

/** An edge of the current range: dragged by any pointer, or moved by the arrows. */
export function TrimGrip({
  at,
  left,
  isOn,
  actions,
  onBegin,
}: {
  at: Omit<Trim, 'frame' | 'isSnapped'>
  left: number
  isOn: boolean
  actions: CutActions
  onBegin: (event: ReactPointerEvent) => void
}) {
  const { edge, range, source, block } = at
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    event.stopPropagation()
    const by = (event.key === 'ArrowLeft' ? -1 : 1) * (event.shiftKey ? 10 : 1)
    const frame = kept(range[edge] + by, at)
    if (frame !== range[edge]) actions.trim(range.id, { [edge]: frame })
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`${edge === 'in' ? 'In' : 'Out'} of clip ${block.number}`}
      aria-valuemin={0}
      aria-valuemax={source.frames}
      aria-valuenow={range[edge]}
      aria-valuetext={sourceTime(source, range[edge])}
      onPointerDown={(event) => {
        event.stopPropagation()
        onBegin(event)
      }}
      // A selection of an earlier drag would be dragged instead, and the trim be cancelled.
      onDragStart={(event) => event.preventDefault()}
      onKeyDown={onKeyDown}
      style={{ left: edge === 'in' ? left - 7 : left - 17 }}
      className="absolute top-[26px] h-11 w-6 cursor-ew-resize touch-none select-none pointer-coarse:before:absolute pointer-coarse:before:-inset-x-2 pointer-coarse:before:inset-y-0"
    >
      <span
        aria-hidden
        className={`absolute inset-y-2 left-1/2 w-[3px] -translate-x-1/2 rounded-full ${isOn ? 'bg-brand' : 'bg-brand/70'}`}
      />
    </div>
  )
}

/** The line where the edge that is being dragged would lie. */
export function TrimLine({ trim, left }: { trim: Trim; left: number }) {
  const { range, edge, frame, source } = trim
  const by = frame - range[edge]
  return (
    <div
      role="status"
      style={{ left }}
      className="pointer-events-none absolute top-0 z-10 h-full w-0.5 -translate-x-1/2 bg-brand"
    >
      <p className="timecode absolute top-0 left-1 rounded-sm bg-raised px-1.5 text-xs whitespace-nowrap text-ink">
        {sourceTime(source, frame)} {by > 0 ? '+' : by < 0 ? '−' : ''}
        {Math.abs(by)} f{trim.isSnapped && <span className="text-brand-ink"> snapped</span>}
      </p>
    </div>
  )
}
