/** Every track on the group's clock: its waveform where it was placed, or at its best guess. */
import type { PointerEvent } from 'react'
import type { SyncItem } from '../../../contract/syncs.ts'
import { toTimecode } from '../../../contract/timecode.ts'
import { classes } from '../../ui/classes.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { clockOf, offsetText, rulerOf, secondsOf, spanOf, tracksOf } from './sync-data.ts'
import type { Placing } from './sync-data.ts'
import { PlaceMenu } from './place-menu.tsx'
import { WavePath } from './wave-path.tsx'

/** Drawn in thousandths of the clock's length. */
const wide = 1000
const rulerParts = 6

export function SyncTimeline({
  placing,
  group,
  rate,
  chosen,
  at,
  onChoose,
  onSeek,
  onPlace,
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
}) {
  const clock = clockOf(placing, group)
  const length = clock.end - clock.start
  const x = (second: number): number => ((second - clock.start) / length) * wide
  const seek = (event: PointerEvent): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    onSeek(clock.start + (length * (event.clientX - left)) / width)
  }
  const { format, startFrame } = rulerOf(placing, group, rate)
  return (
    <div className="min-h-0 overflow-auto">
      <div className="grid h-6 grid-cols-[296px_minmax(0,1fr)] border-b border-line text-xs text-ink-3 max-md:hidden">
        <p className="grid grid-cols-[1fr_58px_68px] items-center gap-2 pr-3 pl-11">
          <span>Offset</span>
          <span>Drift</span>
          <span>Confidence</span>
        </p>
        <button
          type="button"
          aria-label="Move the playhead"
          onPointerDown={seek}
          className="relative cursor-col-resize"
        >
          {Array.from({ length: rulerParts }, (_, part) => (
            <span
              key={part}
              className="timecode absolute inset-y-0 border-l border-line pl-1"
              style={{ left: `${(part / rulerParts) * 100}%` }}
            >
              {toTimecode(startFrame + Math.round((length * part * rate) / rulerParts), format)}
            </span>
          ))}
          <svg
            aria-hidden
            viewBox={`0 0 ${wide} 2`}
            preserveAspectRatio="none"
            className="absolute inset-x-0 bottom-0 h-0.5 w-full"
          >
            {clock.common && (
              <rect
                x={x(clock.common.start)}
                width={x(clock.common.end) - x(clock.common.start)}
                height="2"
                className="fill-good"
              />
            )}
          </svg>
        </button>
      </div>
      <ul>
        {tracksOf(placing.sync).map(({ item, number }) => (
          <Row
            key={item.content_id}
            item={item}
            number={number}
            rate={rate}
            offset={item.group === group ? placing.offsetOf(item) : null}
            isChosen={item.content_id === chosen}
            x={x}
            at={at}
            onChoose={() => onChoose(item)}
            onSeek={seek}
            onPlace={(offset) => onPlace(item, offset)}
          />
        ))}
      </ul>
    </div>
  )
}

function Row({
  item,
  number,
  rate,
  offset,
  isChosen,
  x,
  at,
  onChoose,
  onSeek,
  onPlace,
}: {
  item: SyncItem
  number: number
  rate: number
  offset: number | null
  isChosen: boolean
  x: (second: number) => number
  at: number
  onChoose: () => void
  onSeek: (event: PointerEvent) => void
  onPlace: (offset: number) => void
}) {
  const guess = secondsOf(item.found_offset) ?? 0
  const span = spanOf(item, offset ?? guess)
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
        onClick={onChoose}
        className="flex h-17 items-center gap-3 border-r border-line px-3 text-left max-md:border-r-0"
      >
        <Kbd>{number}</Kbd>
        <span className="min-w-0 grow">
          <span className="block truncate font-medium">{item.name}</span>
          <span className="timecode grid grid-cols-[1fr_58px_68px] items-center gap-2 text-xs">
            {offset === null ? (
              <span className="text-warn">not placed</span>
            ) : (
              <span>{offsetText(offset, rate)}</span>
            )}
            <span className="text-ink-3">{driftText(item)}</span>
            <Confidence item={item} />
          </span>
        </span>
      </button>
      <div className="relative h-17 max-md:h-12">
        <svg
          aria-hidden
          viewBox={`0 0 ${wide} 64`}
          preserveAspectRatio="none"
          onPointerDown={onSeek}
          className="absolute inset-0 size-full cursor-col-resize"
        >
          <rect
            x={x(span.start)}
            y="3"
            width={Math.max(1, x(span.end) - x(span.start))}
            height="58"
            strokeDasharray={offset === null ? '6 4' : undefined}
            vectorEffect="non-scaling-stroke"
            className={classes(
              'fill-raised',
              offset === null ? 'stroke-warn' : isChosen ? 'stroke-brand' : 'stroke-line-strong',
            )}
          />
          <svg
            x={x(span.start)}
            y="4"
            width={Math.max(1, x(span.end) - x(span.start))}
            height="56"
            viewBox="0 0 1 512"
            preserveAspectRatio="none"
            opacity={offset === null ? 0.35 : 1}
          >
            <WavePath waveform={item.waveform} />
          </svg>
          <line
            x1={x(at)}
            x2={x(at)}
            y1="0"
            y2="64"
            vectorEffect="non-scaling-stroke"
            className="stroke-playhead"
          />
        </svg>
        {offset === null && (
          <p className="absolute inset-y-2 left-4 flex items-center gap-3 rounded-md border border-line bg-panel px-3 text-sm">
            <span className="max-md:hidden">
              <span className="block text-warn">Not in sync with the others</span>
              <span className="block text-xs text-ink-2">{item.reason}</span>
            </span>
            <PlaceMenu item={item} at={at} rate={rate} onPlace={onPlace} />
          </p>
        )}
      </div>
    </li>
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
    <span className="flex items-center gap-2">
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
