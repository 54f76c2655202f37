/** Every track on the group's clock: its waveform where it was placed, or at its best guess. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { MouseEvent } from 'react'
import { Minus, Plus } from 'lucide-react'
import type { SyncItem } from '../../../contract/footage/syncs.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { counted } from '../../app/format.ts'
import { Kbd } from '../../keys/kbd.tsx'
import { useShortcuts } from '../../keys/shortcuts.tsx'
import { clockOf, guessOf, lengthText, placesFor, spanOf, tracksOf } from './sync-clock.ts'
import type { Placing } from './sync-data.ts'
import { SyncRow } from './sync-row.tsx'
import { SyncRuler } from './sync-ruler.tsx'

const labelWidth = 296
const maxZoom = 64
/** From here on rows are low, so that more of them are seen. */
const manyTracks = 8

export function SyncTimeline({
  placing,
  group,
  rate,
  chosen,
  at,
  onChoose,
  onSeek,
  onPlace,
  onNextDoubt,
}: {
  placing: Placing
  group: number
  rate: number
  chosen: string | null
  /** Second of the clock that is shown. */
  at: number
  onChoose: (item: SyncItem) => void
  onSeek: (second: number) => void
  onPlace: (item: SyncItem, offset: number) => void
  /** Null: every track is in sync. */
  onNextDoubt: (() => void) | null
}) {
  const clock = clockOf(placing, group)
  const length = clock.end - clock.start
  const share = (second: number): number => (second - clock.start) / length
  const { box, zoom, zoomBy, fit } = useZoom(share(at))
  useShortcuts([
    { keys: ['z'], label: 'Fit', run: fit },
    { keys: ['+', 'Shift++', '='], label: 'Zoom in', run: () => zoomBy(2) },
    { keys: ['-', '−'], label: 'Zoom out', run: () => zoomBy(0.5) },
  ])
  const seek = (event: MouseEvent): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    onSeek(clock.start + (length * (event.clientX - left)) / width)
  }
  const tracks = tracksOf(placing.sync)
  return (
    <>
      <header className="flex min-h-10 flex-wrap items-center gap-x-3 border-b border-line bg-panel px-3 max-md:hidden">
        <h2 className="font-semibold">Sync</h2>
        <p className="min-w-0 truncate text-ink-3">{aboutText(placing)}</p>
        <span className="grow" />
        {onNextDoubt && (
          <Button look="quiet" onClick={onNextDoubt}>
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
      {/* Scrolled by keyboard too, where it is wider than the window. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={box} tabIndex={zoom > 1 ? 0 : undefined} className="min-h-0 overflow-auto">
        <div
          data-zoom={zoom}
          style={zoom > 1 ? { width: widthAt(zoom) } : undefined}
          className="min-w-full"
        >
          <SyncRuler
            placing={placing}
            group={group}
            rate={rate}
            at={at}
            zoom={zoom}
            onSeek={onSeek}
          />
          <ul>
            {tracks.map(({ item, number }) => {
              const offset = item.group === group ? placing.offsetOf(item) : null
              const guess = guessOf(placing.sync, item)
              const span = spanOf(item, {
                offset: offset ?? guess ?? 0,
                stretch: placing.stretchOf(item),
              })
              return (
                <SyncRow
                  key={item.content_id}
                  item={item}
                  number={number}
                  rate={rate}
                  offset={offset}
                  guess={guess}
                  isChosen={item.content_id === chosen}
                  isLow={tracks.length > manyTracks}
                  place={{ from: share(span.start), to: share(span.end), playhead: share(at) }}
                  zoom={zoom}
                  places={placesFor(placing.sync, item, at)}
                  onChoose={() => onChoose(item)}
                  onSeek={seek}
                  onPlace={(second) => onPlace(item, second)}
                />
              )
            })}
          </ul>
        </div>
      </div>
    </>
  )
}

/** The label column stays as wide as it is; only the lanes grow. */
function widthAt(zoom: number): string {
  return `calc(${labelWidth}px + (100% - ${labelWidth}px) * ${zoom})`
}

/** Zooms around the playhead; a pinch on a trackpad comes as a wheel with Ctrl. */
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
  useEffect(() => {
    const element = box.current
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      setZoom((was) => Math.min(maxZoom, Math.max(1, was * (event.deltaY < 0 ? 1.25 : 0.8))))
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [])
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
