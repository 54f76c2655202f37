import { useSyncExternalStore } from 'react'
import type { FindingsOf } from '../../../contract/findings.ts'
import { Slider } from '../../ui/slider.tsx'
import { classes } from '../../ui/classes.ts'
import type { ShotRange } from './cuts.ts'
import type { Playhead } from './playhead.ts'
import type { Reel } from './reel.ts'

/** Every shot with a still, and the threshold that cuts anew at once. */
export function ShotsTab({
  found,
  shots,
  stills,
  reel,
  playhead,
  threshold,
  onThreshold,
  address,
}: {
  found: FindingsOf<'shots'>
  shots: readonly ShotRange[]
  stills: FindingsOf<'thumbnail'>['stills']
  reel: Reel
  playhead: Playhead
  threshold: number | null
  onThreshold: (threshold: number | null) => void
  address: (name: string) => string | undefined
}) {
  // Only a change of shot draws the list again, not every frame.
  const current = useSyncExternalStore(playhead.subscribe, () =>
    shots.findIndex(
      (shot) => playhead.frame() >= shot.startFrame && playhead.frame() < shot.endFrame,
    ),
  )
  const value = threshold ?? found.threshold
  return (
    <div className="flex flex-col gap-3">
      <div>
        <p className="flex items-baseline gap-2 text-xs text-ink-3">
          <span className="grow">
            Threshold <span className="timecode">{value.toFixed(2)}</span> · {shots.length} shots
          </span>
          {threshold !== null && (
            <button
              type="button"
              onClick={() => onThreshold(null)}
              className="text-brand-ink hover:underline"
            >
              Reset
            </button>
          )}
        </p>
        <Slider
          label="Shot threshold"
          valueText={`${value.toFixed(2)}, ${shots.length} shots`}
          min={0.05}
          max={0.99}
          step={0.01}
          value={value}
          onChange={(event) => onThreshold(Number(event.target.value))}
        />
      </div>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-2">
        {shots.map((shot, position) => {
          const still = stills.find(
            (item) => item.frame >= shot.startFrame && item.frame < shot.endFrame,
          )
          const source = still && address(still.file)
          const isCurrent = position === current
          return (
            <li key={shot.startFrame}>
              <button
                type="button"
                onClick={() => playhead.seek(shot.startFrame)}
                aria-current={isCurrent || undefined}
                className={classes(
                  'block w-full overflow-hidden rounded-md border bg-raised text-left hover:border-line-strong',
                  isCurrent ? 'border-brand' : 'border-line',
                )}
              >
                {source ? (
                  <img
                    src={source}
                    alt=""
                    loading="lazy"
                    className="aspect-video w-full object-cover"
                  />
                ) : (
                  <span className="block aspect-video w-full bg-hover" />
                )}
                <span className="flex items-baseline gap-2 px-2 py-1 text-xs">
                  <span className="font-medium">{String(shot.index + 1).padStart(2, '0')}</span>
                  <span className="timecode grow text-ink-3">{reel.timecode(shot.startFrame)}</span>
                  <span className="timecode text-ink-3">{shot.endFrame - shot.startFrame}f</span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
