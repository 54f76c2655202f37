/** What is known of one track, and the buttons that move it. */
import type { SyncItem } from '../../../contract/syncs.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { offsetText, secondsOf } from './sync-data.ts'

export function SyncInspector({
  item,
  number,
  offset,
  rate,
  onNudge,
  onReset,
}: {
  item: SyncItem
  number: number
  offset: number | null
  rate: number
  onNudge: (seconds: number) => void
  onReset: () => void
}) {
  const steps = [
    { label: '−1 s', seconds: -1 },
    { label: '−1 f', seconds: -1 / rate },
    { label: '−¼', seconds: -0.25 / rate },
    { label: '+¼', seconds: 0.25 / rate },
    { label: '+1 f', seconds: 1 / rate },
    { label: '+1 s', seconds: 1 },
  ]
  const canMove = !item.reference && offset !== null
  return (
    <section aria-label="Track" className="flex flex-col divide-y divide-line text-sm">
      <header className="flex items-center gap-2 p-3">
        <Kbd>{number}</Kbd>
        <h2 className="min-w-0 grow truncate font-semibold">{item.name}</h2>
        {offset === null ? (
          <Badge tone="warn">not in sync</Badge>
        ) : (
          <Badge tone="good" dot>
            {item.reference ? 'Reference' : 'In sync'}
          </Badge>
        )}
      </header>
      <div className="p-3">
        <p className="flex justify-between text-ink-2">
          <span>Offset to the reference</span>
          <span className="text-ink-3">{methodText(item)}</span>
        </p>
        <output aria-label="Offset" className="timecode my-1 block text-xl">
          {offset === null ? '—' : offsetText(offset, rate)}
        </output>
        {canMove && (
          <>
            <div role="group" aria-label="Nudge" className="grid grid-cols-6 gap-1">
              {steps.map(({ label, seconds }) => (
                <Button key={label} className="px-0!" onClick={() => onNudge(seconds)}>
                  {label}
                </Button>
              ))}
            </div>
            <p className="mt-2 flex items-center gap-1.5 text-xs text-ink-3">
              <Kbd>,</Kbd> <Kbd>.</Kbd> one frame <Kbd>⇧,</Kbd> <Kbd>⇧.</Kbd> a quarter
              <span className="grow" />
              {item.method === 'hand' && (
                <Button look="quiet" onClick={onReset}>
                  Reset
                </Button>
              )}
            </p>
          </>
        )}
      </div>
      {!item.reference && item.curve.length > 0 && (
        <div className="flex items-end gap-3 p-3">
          <div className="shrink-0">
            <p className="text-ink-2">Confidence</p>
            <p className="timecode text-xl">{item.confidence?.toFixed(2) ?? '—'}</p>
            <p className="text-xs text-ink-3">One peak, the next {item.next?.toFixed(2) ?? '—'}</p>
          </div>
          <svg
            role="img"
            aria-label="Correlation around the offset"
            viewBox="0 0 100 48"
            preserveAspectRatio="none"
            className="h-12 min-w-0 grow"
          >
            <polyline
              points={item.curve
                .map((part, at) => `${(at / (item.curve.length - 1)) * 100},${46 - part * 44}`)
                .join(' ')}
              vectorEffect="non-scaling-stroke"
              className="fill-none stroke-lane-audio"
            />
          </svg>
        </div>
      )}
      {!item.reference && <p className="p-3 text-ink-2">{driftText(item, rate)}</p>}
      {item.timecode_offset !== null && offset !== null && (
        <p className="p-3 text-ink-2">
          Its timecode says{' '}
          <span className="timecode">{offsetText(secondsOf(item.timecode_offset) ?? 0, rate)}</span>
          .
        </p>
      )}
    </section>
  )
}

function methodText(item: SyncItem): string {
  if (item.reference) return 'the reference'
  const words = { sound: 'found by sound', timecode: 'by timecode', hand: 'placed by hand' }
  return item.method ? words[item.method] : 'not placed'
}

function driftText(item: SyncItem, rate: number): string {
  if (item.drift_ppm === null) return 'Drift: the overlap is too short to tell.'
  const frames = (Math.abs(item.drift_ppm) / 1e6) * item.media.duration * rate
  const over = `${frames.toFixed(1)} frames over its length`
  const end = frames < 0.5 ? 'so left alone' : 'not resampled; the export says so'
  return `Drift ${item.drift_ppm.toFixed(1)} ppm: ${over}, ${end}.`
}
