/** One track: its label, and its sound where it lies on the clock. */
import { useState } from 'react'
import type { MouseEvent } from 'react'
import { toNumber } from '../../../domain/time/rational.ts'
import type { SyncItem } from '../../../contract/footage/syncs.ts'
import { nearestStandardRate, parseRate, rateLabel } from '../../../domain/time/timecode.ts'
import { Badge } from '../../ui/badge.tsx'
import { classes } from '../../ui/classes.ts'
import { Kbd } from '../../keys/kbd.tsx'
import { guessOf, offsetText, placesFor, spanOf } from './sync-clock.ts'
import { useShownSync } from './sync-context.ts'
import { PlaceMenu } from './place-menu.tsx'
import { WavePath } from './wave-path.tsx'

/** Drawn in thousandths of the clock's length. */
const wide = 1000
const columnsAtOnce = 600
const maxColumns = 6000

export function SyncRow({
  item,
  number,
  isLow,
  zoom,
  onPress,
}: {
  item: SyncItem
  number: number
  isLow: boolean
  zoom: number
  onPress: (event: MouseEvent) => void
}) {
  const { sync, placing, group, item: chosen, choose } = useShownSync()
  const isChosen = item === chosen
  const height = isLow ? 'h-11' : 'h-17'
  const offset = item.group === group ? placing.offsetOf(item) : null
  const guess = guessOf(sync, item)
  const place = usePlaceOf(item, offset ?? guess ?? 0)
  return (
    <li
      className={classes(
        'grid grid-cols-[296px_minmax(0,1fr)] border-b border-line max-md:grid-cols-1',
        isChosen && 'bg-brand-wash',
      )}
    >
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={() => choose(item.content_id)}
        className={classes(
          'sticky left-0 z-10 flex items-center gap-3 border-r border-line px-3 text-left focus-visible:-outline-offset-2 max-md:static max-md:h-14 max-md:border-r-0',
          height,
          isChosen ? 'bg-brand-wash shadow-[inset_2px_0_var(--brand)]' : 'bg-page',
        )}
      >
        <Kbd>{number}</Kbd>
        <Facts item={item} offset={offset} />
      </button>
      <div className={classes('relative', height, 'max-md:h-12')}>
        <Lane
          item={item}
          isChosen={isChosen}
          isPlaced={offset !== null}
          place={place}
          zoom={zoom}
          onSeek={onPress}
        />
        {offset === null && <Unplaced item={item} guess={guess} from={place.from} isLow={isLow} />}
      </div>
    </li>
  )
}

/** Where a track lies on the clock, and the playhead, as parts of the clock's length. */
function usePlaceOf(item: SyncItem, offset: number) {
  const { placing, clock, at } = useShownSync()
  const share = (second: number): number => (second - clock.start) / (clock.end - clock.start)
  const span = spanOf(item, { offset, stretch: placing.stretchOf(item) })
  return { from: share(span.start), to: share(span.end), playhead: share(at) }
}

function Facts({ item, offset }: { item: SyncItem; offset: number | null }) {
  const { rate } = useShownSync()
  return (
    <span className="min-w-0 grow">
      <span className="flex items-baseline gap-2">
        <span className="truncate font-medium" title={item.name}>
          {item.name}
        </span>
        <OtherRate item={item} rate={rate} />
      </span>
      <span className="timecode grid grid-cols-[1fr_58px_68px] items-center gap-2 text-xs">
        <OffsetText offset={offset} rate={rate} />
        <span className="text-ink-3">{driftText(item)}</span>
        <Confidence item={item} />
      </span>
    </span>
  )
}

function Unplaced({
  item,
  guess,
  from,
  isLow,
}: {
  item: SyncItem
  guess: number | null
  from: number
  isLow: boolean
}) {
  const { sync, rate, at, place } = useShownSync()
  const [isLeftOut, setLeftOut] = useState(false)
  if (isLeftOut) {
    return (
      <p className="absolute inset-y-0 left-4 flex items-center">
        <Badge tone="warn">left out</Badge>
      </p>
    )
  }
  return (
    <div
      style={{ left: `max(12px, min(${from * 100}% + 12px, 100% - 340px))` }}
      className="absolute inset-y-1.5 flex max-w-full items-center gap-3 rounded-md border border-line bg-panel px-3 text-sm max-md:inset-y-0"
    >
      <p className="max-md:hidden">
        <span className="block text-warn">Not in sync with the others</span>
        {!isLow && (
          <span className="block text-xs text-ink-2">
            {item.reason} {guess !== null && `Best guess ${offsetText(guess, rate)}`}
          </span>
        )}
      </p>
      <PlaceMenu
        item={item}
        places={placesFor(sync, item, at)}
        onPlace={(second) => place(item, second)}
        onLeaveOut={() => setLeftOut(true)}
      />
    </div>
  )
}

function Lane({
  item,
  isChosen,
  isPlaced,
  place,
  zoom,
  onSeek,
}: {
  item: SyncItem
  isChosen: boolean
  isPlaced: boolean
  place: { from: number; to: number; playhead: number }
  zoom: number
  onSeek: (event: MouseEvent) => void
}) {
  const x = place.from * wide
  const width = Math.max(1, (place.to - place.from) * wide)
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${wide} 64`}
      preserveAspectRatio="none"
      onClick={onSeek}
      className="absolute inset-0 size-full cursor-col-resize"
    >
      <rect
        x={x}
        y="3"
        width={width}
        height="58"
        strokeDasharray={isPlaced ? undefined : '6 4'}
        vectorEffect="non-scaling-stroke"
        className={classes(
          'fill-raised',
          isPlaced ? (isChosen ? 'stroke-brand' : 'stroke-line-strong') : 'stroke-warn',
        )}
      />
      <svg
        x={x}
        y="4"
        width={width}
        height="56"
        viewBox="0 0 1 512"
        preserveAspectRatio="none"
        opacity={isPlaced ? 1 : 0.35}
      >
        <WavePath
          waveform={item.waveform}
          columns={Math.min(maxColumns, Math.round(columnsAtOnce * zoom))}
        />
      </svg>
      <line
        x1={place.playhead * wide}
        x2={place.playhead * wide}
        y1="0"
        y2="64"
        vectorEffect="non-scaling-stroke"
        className="stroke-playhead"
      />
    </svg>
  )
}

/** Tenths of a frame are finer than most need, so they are paler. */
function OffsetText({ offset, rate }: { offset: number | null; rate: number }) {
  if (offset === null) return <span className="text-warn">not placed</span>
  const text = offsetText(offset, rate)
  return (
    <span>
      {text.slice(0, -2)}
      <span className="text-ink-3">{text.slice(-2)}</span>
    </span>
  )
}

/** A camera of another rate than the group's is worth a second look. */
function OtherRate({ item, rate }: { item: SyncItem; rate: number }) {
  const own = item.media.kind === 'video' ? parseRate(item.media.frame_rate ?? '') : null
  if (!own || Math.abs(toNumber(nearestStandardRate(own)) - rate) < 0.001) return null
  return (
    <span className="shrink-0 text-xs text-warn">{rateLabel(nearestStandardRate(own))} fps</span>
  )
}

function driftText(item: SyncItem): string {
  if (item.reference) return 'ref.'
  if (item.drift_ppm === null || item.group === null) return '–'
  const rounded = Math.round(item.drift_ppm)
  return `${rounded > 0 ? '+' : ''}${rounded === 0 ? 0 : rounded} ppm`.replace('-', '−')
}

function Confidence({ item }: { item: SyncItem }) {
  if (item.method === 'hand') return <span className="text-ink-3">by hand</span>
  if (item.method === 'timecode') return <span className="text-ink-3">timecode</span>
  if (item.reference || item.confidence === null) return <span className="text-ink-3">–</span>
  const tone = item.group === null ? 'bg-warn' : 'bg-good'
  return (
    <span className={classes('flex items-center gap-2', item.group === null && 'text-warn')}>
      <span aria-hidden className="h-1 grow overflow-hidden rounded-full bg-hover">
        <span
          className={classes('block h-full', tone)}
          style={{ width: `${item.confidence * 100}%` }}
        />
      </span>
      {item.confidence.toFixed(2)}
    </span>
  )
}
