import { memo, useMemo, useSyncExternalStore } from 'react'
import type { FindingsOf } from '../../../contract/findings.ts'
import { counted } from '../../figures.ts'
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
  const files = useMemo(() => stillsOf(shots, stills), [shots, stills])
  const pictures = files.map((file) => file && address(file))
  const value = threshold ?? found.threshold
  return (
    <div className="flex flex-col gap-3">
      <div>
        <p className="flex items-baseline gap-2 text-xs text-ink-3">
          <span className="grow">
            Threshold <span className="timecode">{value.toFixed(2)}</span> ·{' '}
            {counted(shots.length, 'shot')}
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
          valueText={`${value.toFixed(2)}, ${counted(shots.length, 'shot')}`}
          min={0.05}
          max={0.99}
          step={0.01}
          value={value}
          onChange={(event) => onThreshold(Number(event.target.value))}
        />
      </div>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-2">
        {shots.map((shot, position) => (
          <ShotCard
            key={shot.startFrame}
            shot={shot}
            timecode={reel.timecode(shot.startFrame)}
            picture={pictures[position]}
            isCurrent={position === current}
            onSeek={playhead.seek}
          />
        ))}
      </ul>
    </div>
  )
}

/** One of up to thousands: drawn again only when it changes itself, and laid out only in view. */
const ShotCard = memo(function ShotCard({
  shot,
  timecode,
  picture,
  isCurrent,
  onSeek,
}: {
  shot: ShotRange
  timecode: string
  picture: string | undefined
  isCurrent: boolean
  onSeek: (frame: number) => void
}) {
  return (
    <li className="[contain-intrinsic-size:auto_8.5rem_auto_7.5rem] [content-visibility:auto]">
      <button
        type="button"
        onClick={() => onSeek(shot.startFrame)}
        aria-current={isCurrent || undefined}
        className={classes(
          'block w-full overflow-hidden rounded-md border bg-raised text-left hover:border-line-strong focus-visible:-outline-offset-2',
          isCurrent ? 'border-brand' : 'border-line',
        )}
      >
        {picture ? (
          <img src={picture} alt="" loading="lazy" className="aspect-video w-full object-cover" />
        ) : (
          <span className="block aspect-video w-full bg-hover" />
        )}
        <span className="flex flex-wrap items-baseline gap-x-2 px-2 py-1 text-xs">
          <span className="font-medium">{String(shot.index + 1).padStart(2, '0')}</span>
          <span className="timecode grow text-ink-3">{timecode}</span>
          <span className="timecode text-ink-3">{shot.endFrame - shot.startFrame}f</span>
        </span>
      </button>
    </li>
  )
})

/** The first still inside each shot; both lists run by frame, so one walk finds all. */
function stillsOf(
  shots: readonly ShotRange[],
  stills: FindingsOf<'thumbnail'>['stills'],
): (string | undefined)[] {
  const sorted = stills.toSorted((a, b) => a.frame - b.frame)
  let at = 0
  return shots.map((shot) => {
    while ((sorted[at]?.frame ?? Infinity) < shot.startFrame) at += 1
    const still = sorted[at]
    return still && still.frame < shot.endFrame ? still.file : undefined
  })
}
