/** Every track on the group's clock: its waveform where it was placed, or at its best guess. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { MouseEvent } from 'react'
import { Minus, Plus } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { counted } from '../../app/format.ts'
import { Kbd } from '../../keys/kbd.tsx'
import { useShortcuts } from '../../keys/shortcuts.tsx'
import { usePinch } from '../../dom/use-pinch.ts'
import { lengthText, tracksOf } from './sync-clock.ts'
import { useShownSync } from './sync-context.ts'
import type { Placing } from './sync-data.ts'
import { SyncRow } from './sync-row.tsx'
import { SyncRuler } from './sync-ruler.tsx'

const labelWidth = 296
const maxZoom = 64
/** From here on rows are low, so that more of them are seen. */
const manyTracks = 8

export function SyncTimeline() {
  const { sync, placing, clock, at, seek } = useShownSync()
  const length = clock.end - clock.start
  const playhead = (at - clock.start) / length
  const { box, ...zooming } = useZoom(playhead)
  const { zoom } = zooming
  const onPress = (event: MouseEvent): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    seek(clock.start + (length * (event.clientX - left)) / width)
  }
  const tracks = tracksOf(sync)
  return (
    <>
      <TracksHeader text={aboutText(placing)} zooming={zooming} />
      {/* Scrolled by keyboard too, where it is wider than the window. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={box} tabIndex={zoom > 1 ? 0 : undefined} className="min-h-0 overflow-auto">
        <div
          data-zoom={zoom}
          style={zoom > 1 ? { width: widthAt(zoom) } : undefined}
          className="min-w-full"
        >
          <SyncRuler zoom={zoom} onPress={onPress} />
          <ul>
            {tracks.map(({ item, number }) => (
              <SyncRow
                key={item.content_id}
                item={item}
                number={number}
                isLow={tracks.length > manyTracks}
                zoom={zoom}
                onPress={onPress}
              />
            ))}
          </ul>
        </div>
      </div>
    </>
  )
}

function TracksHeader({
  text,
  zooming,
}: {
  text: string
  zooming: Omit<ReturnType<typeof useZoom>, 'box'>
}) {
  const { doubts, chooseDoubt } = useShownSync()
  const { zoom, zoomBy, fit } = zooming
  useShortcuts([
    { keys: ['z'], label: 'Fit', run: fit },
    { keys: ['+', 'Shift++', '='], label: 'Zoom in', run: () => zoomBy(2) },
    { keys: ['-', '−'], label: 'Zoom out', run: () => zoomBy(0.5) },
  ])
  return (
    <header className="flex min-h-10 flex-wrap items-center gap-x-3 border-b border-line bg-panel px-3 max-md:hidden">
      <h2 className="font-semibold">Sync</h2>
      <p className="min-w-0 truncate text-ink-3">{text}</p>
      <span className="grow" />
      {doubts.length > 0 && (
        <Button look="quiet" onClick={chooseDoubt}>
          Next doubt <Kbd>N</Kbd>
        </Button>
      )}
      <Button disabled={zoom === 1} onClick={fit}>
        Fit <Kbd>Z</Kbd>
      </Button>
      <IconButton label="Zoom out" disabled={zoom === 1} onClick={() => zoomBy(0.5)}>
        <Minus size={14} aria-hidden />
      </IconButton>
      <IconButton label="Zoom in" disabled={zoom >= maxZoom} onClick={() => zoomBy(2)}>
        <Plus size={14} aria-hidden />
      </IconButton>
    </header>
  )
}

/** The label column stays as wide as it is; only the lanes grow. */
function widthAt(zoom: number): string {
  return `calc(${labelWidth}px + (100% - ${labelWidth}px) * ${zoom})`
}

/** Zooms around the playhead. */
function useZoom(playhead: number) {
  const box = useRef<HTMLDivElement>(null)
  const [zoom, setZoom] = useState(1)
  const latest = useRef(playhead)
  useEffect(() => {
    latest.current = playhead
  })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const lane = element.clientWidth - labelWidth
    element.scrollLeft = latest.current * lane * zoom - lane / 2
  }, [zoom])
  const zoomBy = (factor: number): void =>
    setZoom((was) => Math.min(maxZoom, Math.max(1, was * factor)))
  usePinch(box, (direction) => zoomBy(1.25 ** direction))
  return { box, zoom, zoomBy, fit: () => setZoom(1) }
}

/** 4 tracks · matched by sound in 8 s; compared, where nothing matched */
function aboutText({ sync }: Placing): string {
  const { started_at: started, finished_at: finished } = sync
  const tracks = counted(sync.items.length, 'track')
  if (!started || !finished) return tracks
  const seconds = (Date.parse(finished) - Date.parse(started)) / 1000
  const isMatched = sync.items.some(({ group, method }) => group !== null && method !== 'hand')
  const done = isMatched ? 'matched' : 'compared'
  return `${tracks} · ${done} by sound in ${lengthText(Math.max(1, seconds))}`
}
