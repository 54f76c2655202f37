import type { KeyboardEvent, MouseEvent } from 'react'
import { toTimecode } from '../../../domain/time/timecode.ts'
import { clockTimecode, rulerOf } from './sync-clock.ts'
import { useShownSync } from './sync-context.ts'

const partsAtOnce = 6

/** The clock in timecode; a green line shows where all placed tracks run. */
export function SyncRuler({
  zoom,
  onPress,
}: {
  zoom: number
  onPress: (event: MouseEvent) => void
}) {
  const { placing, group, rate, clock, at, seek } = useShownSync()
  const length = clock.end - clock.start
  const { format, startFrame } = rulerOf(placing, group, rate)
  const parts = Math.round(partsAtOnce * zoom)
  const percent = (second: number): string => `${((second - clock.start) / length) * 100}%`
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = {
      ArrowLeft: event.shiftKey ? -1 : -1 / rate,
      ArrowRight: event.shiftKey ? 1 : 1 / rate,
      Home: clock.start - at,
      End: clock.end - at,
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    event.stopPropagation()
    seek(Math.min(clock.end, Math.max(clock.start, at + step)))
  }
  return (
    <div className="sticky top-0 z-20 grid h-6 grid-cols-[296px_minmax(0,1fr)] border-b border-line bg-page text-xs text-ink-3 max-md:hidden">
      <Columns />
      <div
        role="slider"
        tabIndex={0}
        aria-label="Playhead on the clock"
        aria-valuemin={0}
        aria-valuemax={Math.round(length * rate)}
        aria-valuenow={Math.round((at - clock.start) * rate)}
        aria-valuetext={clockTimecode(placing, group, rate, at)}
        onClick={onPress}
        onKeyDown={onKeyDown}
        className="relative cursor-col-resize overflow-hidden focus-visible:-outline-offset-2"
      >
        {Array.from({ length: parts }, (_, part) => (
          <span
            key={part}
            className="timecode absolute inset-y-0 border-l border-line pl-1"
            style={{ left: `${(part / parts) * 100}%` }}
          >
            {toTimecode(startFrame + Math.round((length * part * rate) / parts), format)}
          </span>
        ))}
        {clock.common && (
          <span
            aria-hidden
            className="absolute bottom-0 h-0.5 bg-good"
            style={{
              left: percent(clock.common.start),
              right: `calc(100% - ${percent(clock.common.end)})`,
            }}
          />
        )}
        <span
          aria-hidden
          className="absolute inset-y-0 w-px bg-playhead before:absolute before:top-0 before:-left-[5.5px] before:border-6 before:border-b-0 before:border-transparent before:border-t-playhead"
          style={{ left: percent(at) }}
        />
      </div>
    </div>
  )
}

function Columns() {
  return (
    <p className="sticky left-0 z-20 grid grid-cols-[1fr_58px_68px] items-center gap-2 border-r border-line bg-page pr-3 pl-11">
      <span>Offset</span>
      <span>Drift</span>
      <span>Confidence</span>
    </p>
  )
}
