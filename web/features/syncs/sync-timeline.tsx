/** Every track on the group's clock: its waveform where it was placed, or at its best guess. */
import { useMemo } from 'react'
import type { PointerEvent } from 'react'
import type { SyncItem } from '../../../contract/syncs.ts'
import { timecodeFormat, toTimecode } from '../../../contract/timecode.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { clockOf, offsetText, secondsOf, spanOf } from './sync-data.ts'
import type { Placing } from './sync-data.ts'

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
  onPlace: (item: SyncItem) => void
}) {
  const clock = clockOf(placing, group)
  const length = clock.end - clock.start
  const x = (second: number): number => ((second - clock.start) / length) * wide
  const seek = (event: PointerEvent): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    onSeek(clock.start + (length * (event.clientX - left)) / width)
  }
  const format = timecodeFormat(String(Math.round(rate)), false)
  return (
    <div className="min-h-0 overflow-auto">
      <div className="grid h-6 grid-cols-[296px_minmax(0,1fr)] border-b border-line text-xs text-ink-3 max-md:hidden">
        <p className="flex items-center gap-4 pl-10">Offset, drift, confidence</p>
        <button
          type="button"
          aria-label="Move the playhead"
          onPointerDown={seek}
          className="relative cursor-col-resize"
        >
          <span className="timecode flex h-full justify-between px-1">
            {Array.from({ length: rulerParts }, (_, part) => {
              const second = Math.max(0, (length * part) / rulerParts)
              return <span key={part}>{toTimecode(Math.round(second * rate), format)}</span>
            })}
          </span>
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
        {placing.sync.items.map((item, index) => (
          <Row
            key={item.content_id}
            item={item}
            number={index + 1}
            rate={rate}
            offset={item.group === group ? placing.offsetOf(item) : null}
            isChosen={item.content_id === chosen}
            x={x}
            at={at}
            onChoose={() => onChoose(item)}
            onSeek={seek}
            onPlace={() => onPlace(item)}
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
  onPlace: () => void
}) {
  const guess = secondsOf(item.found_offset) ?? 0
  const span = spanOf(item, offset ?? guess)
  const path = useMemo(() => wavePath(item.waveform), [item.waveform])
  return (
    <li
      className={classes(
        'grid grid-cols-[296px_minmax(0,1fr)] border-b border-line max-md:grid-cols-1',
        isChosen && 'bg-select-wash',
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
          <span className="timecode flex gap-3 text-xs">
            {offset === null ? (
              <span className="text-warn">not placed</span>
            ) : (
              <span>{offsetText(offset, rate)}</span>
            )}
            <span className="text-ink-3">
              {item.reference
                ? 'ref.'
                : item.drift_ppm === null
                  ? '–'
                  : `${item.drift_ppm.toFixed(1)} ppm`}
            </span>
            <span className="text-ink-3">{confidenceText(item)}</span>
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
          >
            <path
              d={path}
              vectorEffect="non-scaling-stroke"
              className="fill-none stroke-lane-audio"
            />
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
            <span>
              <span className="block text-warn">Not in sync with the others</span>
              <span className="block text-xs text-ink-2">{item.reason}</span>
            </span>
            <Button onClick={onPlace}>
              Place at the playhead <Kbd>P</Kbd>
            </Button>
          </p>
        )}
      </div>
    </li>
  )
}

function confidenceText(item: SyncItem): string {
  if (item.method === 'hand') return 'by hand'
  if (item.method === 'timecode') return 'by timecode'
  return item.reference || item.confidence === null ? '–' : item.confidence.toFixed(2)
}

const columns = 600

/** A stroke for each column, from 0 to 1 across and around 256 down. */
function wavePath(waveform: string): string {
  const levels = Uint8Array.from(atob(waveform), (char) => char.charCodeAt(0))
  const each = Math.max(1, levels.length / columns)
  const strokes: string[] = []
  for (let column = 0; column * each < levels.length; column++) {
    const from = Math.floor(column * each)
    const part = levels.subarray(from, Math.max(from + 1, Math.floor((column + 1) * each)))
    const high = part.reduce((most, level) => Math.max(most, level), 1)
    strokes.push(`M${((column * each) / levels.length).toFixed(4)} ${256 - high}V${256 + high}`)
  }
  return strokes.join('')
}
