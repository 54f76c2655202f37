/** The facts of one track, and the buttons that move it. */
import { part } from '../../app/later.tsx'
import { Suspense } from 'react'
import type { SyncItem } from '../../../contract/footage/syncs.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/checkbox.tsx'
import { Kbd } from '../../keys/kbd.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { lengthText, offsetText, secondsOf } from './sync-clock.ts'
import { useNarrow } from '../../dom/narrow.ts'
import { useShownSync } from './sync-context.ts'
import { driftFrames } from './sync-data.ts'
import type { Placing } from './sync-data.ts'

const SyncLoupe = part(() => import('./sync-loupe.tsx'), 'SyncLoupe')

export function SyncInspector() {
  const { placing, item, offset, rate } = useShownSync()
  const isNarrow = useNarrow()
  return (
    <section aria-label="Track" className="flex flex-col divide-y divide-line text-sm">
      <header className="flex min-h-11 items-center gap-2 px-3 py-2">
        <Kbd>{placing.sync.items.indexOf(item) + 1}</Kbd>
        <h2 className="min-w-0 grow truncate font-semibold" title={item.name}>
          {item.name}
        </h2>
        <State item={item} offset={offset} />
      </header>
      <Offset />
      {!isNarrow && offset !== null && item.waveform !== '' && (
        <Suspense
          fallback={
            <div className="p-3">
              <Skeleton className="h-30" />
            </div>
          }
        >
          <SyncLoupe />
        </Suspense>
      )}
      {!item.reference && item.curve.length > 0 && <Peak item={item} />}
      {!item.reference && offset !== null && <Drift placing={placing} item={item} rate={rate} />}
      {item.timecode_offset !== null && offset !== null && !item.reference && (
        <p className="p-3 text-ink-2">
          Its timecode says{' '}
          <span className="timecode">{offsetText(secondsOf(item.timecode_offset) ?? 0, rate)}</span>
          .
        </p>
      )}
    </section>
  )
}

function State({ item, offset }: { item: SyncItem; offset: number | null }) {
  if (offset === null) return <Badge tone="warn">not in sync</Badge>
  if (item.method === 'hand' && !item.reference) return <Badge>by hand</Badge>
  return (
    <Badge tone="good" dot>
      {item.reference ? 'Reference' : 'In sync'}
    </Badge>
  )
}

function Offset() {
  const { placing, item, offset, rate, move } = useShownSync()
  const canReset = item.method === 'hand' && (!item.reference || isOnlyPlaced(placing, item))
  const steps = [
    { label: '−1 s', seconds: -1 },
    { label: '−1 f', seconds: -1 / rate },
    { label: '−¼', seconds: -0.25 / rate },
    { label: '+¼', seconds: 0.25 / rate },
    { label: '+1 f', seconds: 1 / rate },
    { label: '+1 s', seconds: 1 },
  ]
  return (
    <div className="p-3">
      <p className="flex justify-between gap-3 text-ink-2">
        <span>Offset to the reference</span>
        <span className="text-ink-3">{methodText(item)}</span>
      </p>
      <output aria-label="Offset" className="timecode my-1 block text-xl">
        {offset === null ? '—' : offsetText(offset, rate)}
      </output>
      {!item.reference && offset !== null && (
        <div role="group" aria-label="Nudge" className="grid grid-cols-6 gap-1">
          {steps.map(({ label, seconds }) => (
            <Button key={label} className="timecode px-0!" onClick={() => move(seconds)}>
              {label}
            </Button>
          ))}
        </div>
      )}
      {offset !== null && (!item.reference || canReset) && (
        <p className="mt-2 flex min-h-7 items-center gap-1.5 text-xs text-ink-3">
          {!item.reference && (
            <span className="flex items-center gap-1.5 pointer-coarse:hidden">
              <Kbd>,</Kbd> <Kbd>.</Kbd> one frame <Kbd>⇧,</Kbd> <Kbd>⇧.</Kbd> a quarter
            </span>
          )}
          <span className="grow" />
          {canReset && (
            <Button look="quiet" onClick={() => placing.place(item, null)}>
              Reset
            </Button>
          )}
        </p>
      )}
    </div>
  )
}

function isOnlyPlaced({ sync }: Placing, item: SyncItem): boolean {
  return sync.items.every((other) => other === item || other.group === null)
}

/** A second peak of this part of the best makes the place doubtful. */
const rivalPeak = 0.6

/** The correlation around the offset: one peak that stands out is what makes it sure. */
function Peak({ item }: { item: SyncItem }) {
  const points = item.curve.map(
    (part, at) => `${(at / (item.curve.length - 1)) * 100},${46 - part * 44}`,
  )
  return (
    <div className="flex items-end gap-3 p-3">
      <div className="shrink-0">
        <p className="text-ink-2">Confidence</p>
        <p className="timecode text-xl">{item.confidence?.toFixed(2) ?? '—'}</p>
        <p className="text-xs text-ink-3">
          {(item.next ?? 0) > rivalPeak ? 'Not the only peak' : 'One peak'}, the next{' '}
          {item.next?.toFixed(2) ?? '—'}
        </p>
      </div>
      <svg
        role="img"
        aria-label="Correlation around the offset"
        viewBox="0 0 100 48"
        preserveAspectRatio="none"
        className="h-12 min-w-0 grow"
      >
        <line
          x1="50"
          x2="50"
          y2="48"
          strokeDasharray="2 3"
          vectorEffect="non-scaling-stroke"
          className="stroke-playhead"
        />
        <polyline
          points={points.join(' ')}
          vectorEffect="non-scaling-stroke"
          className="fill-none stroke-lane-audio"
        />
      </svg>
    </div>
  )
}

/** The switch shows and exports the track with or without the drift of its clock. */
function Drift({ placing, item, rate }: { placing: Placing; item: SyncItem; rate: number }) {
  if (item.drift_ppm === null) {
    return <p className="p-3 text-ink-2">Drift: the overlap is too short to tell.</p>
  }
  const isOn = placing.isCorrected(item)
  const frames = driftFrames(item, rate).toFixed(1)
  const over = `${frames} frames in ${lengthText(item.media.duration)}`
  const outcome = isOn
    ? 'its sound and picture are retimed; FCPXML and EDL cannot carry that and say so.'
    : Number(frames) < 0.5
      ? 'so left alone.'
      : 'left as it was recorded.'
  return (
    <div className="p-3">
      <Switch
        label={`Correct drift ${item.drift_ppm.toFixed(1).replace('-', '−')} ppm`}
        hint={`${over}, ${outcome}`}
        checked={isOn}
        onChange={(event) => placing.setCorrected(item, event.target.checked)}
      />
    </div>
  )
}

function methodText(item: SyncItem): string {
  if (item.reference) return 'the reference'
  if (item.media.audio.length === 0) {
    return item.method === 'timecode' ? 'No sound, by timecode only' : 'No sound'
  }
  const words = { sound: 'found by sound', timecode: 'by timecode', hand: 'placed by hand' }
  return item.method ? words[item.method] : 'not placed'
}
