import { ListPlus, Plus } from 'lucide-react'
import { memo, useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { KeyboardEvent } from 'react'
import type { FindingsOf } from '../../../../domain/findings/findings.ts'
import { counted } from '../../../app/format.ts'
import { IconButton } from '../../../ui/button.tsx'
import { isSingleKey } from '../../../keys/shortcuts.tsx'
import { Slider } from '../../../ui/slider.tsx'
import { classes } from '../../../ui/classes.ts'
import type { Correcting } from '../corrections/correcting.ts'
import { ShotMenu, changeOf } from '../corrections/shot-menu.tsx'
import { cardsIn, useCardWindow } from './card-window.ts'
import type { CardShape } from './card-window.ts'
import type { ShotRange } from '../review/cuts.ts'
import type { AddedRange } from '../review/selects-tab.tsx'
import type { Playhead } from '../viewer/playhead.ts'
import type { Reel } from '../viewer/reel.ts'

/** Every shot with a still, and the threshold that cuts again at once. */
export function ShotsTab({
  found,
  shots,
  stills,
  sprite,
  reel,
  playhead,
  threshold,
  onThreshold,
  onSelect,
  onAddToCut,
  address,
  correcting,
}: {
  found: FindingsOf<'shots'>
  shots: readonly ShotRange[]
  stills: FindingsOf<'thumbnail'>['stills']
  sprite: FindingsOf<'thumbnail'>['sprite'] | undefined
  reel: Reel
  playhead: Playhead
  threshold: number | null
  onThreshold: (threshold: number | null) => void
  onSelect: (range: { startFrame: number; endFrame: number }) => void
  /** Nothing where the clip itself is gone. */
  onAddToCut: ((ranges: readonly AddedRange[]) => void) | undefined
  address: (name: string) => string | undefined
  /** Null where nothing can be corrected. */
  correcting: Correcting | null
}) {
  // Only a change of shot draws the list again, not every frame.
  const current = useSyncExternalStore(playhead.subscribe, () =>
    shots.findIndex(
      (shot) => playhead.frame() >= shot.startFrame && playhead.frame() < shot.endFrame,
    ),
  )
  const files = useMemo(() => stillsOf(shots, stills), [shots, stills])
  const list = useRef<HTMLUListElement>(null)
  const view = useCardWindow(list, shots.length, cardShape)
  const value = threshold ?? found.threshold
  const byHand = useMemo(
    () => new Set(correcting?.state.corrections.shots.added.map((item) => item.start_frame)),
    [correcting],
  )
  // One function for all cards and all renders, so that a card is drawn only when it changes.
  const latest = useRef({ onSelect, onAddToCut })
  useEffect(() => {
    latest.current = { onSelect, onAddToCut }
  })
  const select = useCallback(
    (startFrame: number, endFrame: number) => latest.current.onSelect({ startFrame, endFrame }),
    [],
  )
  const addToCut = useCallback(
    (startFrame: number, endFrame: number) =>
      latest.current.onAddToCut?.([{ in: startFrame, out: endFrame }]),
    [],
  )
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
        {correcting?.found.shots && (
          <div className="mt-2 flex justify-end">
            <ShotMenu
              index={current}
              shots={shots}
              found={correcting.found.shots}
              frames={reel.frames}
              playhead={playhead}
              state={correcting.state}
            />
          </div>
        )}
      </div>
      <ul
        ref={list}
        style={{ paddingTop: view.above, paddingBottom: view.below }}
        className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-2"
      >
        {cardsIn(view, shots.length).map((position) => {
          const shot = shots[position]
          if (!shot) return null
          const file = files[position]
          return (
            <ShotCard
              key={shot.startFrame}
              index={shot.index}
              startFrame={shot.startFrame}
              frames={shot.endFrame - shot.startFrame}
              timecode={reel.timecode(shot.startFrame)}
              transition={shot.blend ? shot.transition : undefined}
              blend={shot.blend ? blendText(shot.transition, shot.blend, reel) : undefined}
              picture={file && address(file)}
              tile={file || !sprite ? undefined : tileOf(shot, sprite, address)}
              isCurrent={position === current}
              isByHand={byHand.has(changeOf(shot)?.startFrame ?? -1)}
              place={position + 1}
              isAway={position === view.kept}
              count={shots.length}
              onSeek={playhead.seek}
              onSelect={select}
              onAddToCut={onAddToCut && addToCut}
            />
          )
        })}
      </ul>
    </div>
  )
}

/** Where `ShotCard` is as high as this says, rows are where the window looks for them. */
const cardShape: CardShape = { minWidth: 136, gap: 8, ratio: 9 / 16, captionHeight: 46 }

/** Drawn again only when it changes itself. */
const ShotCard = memo(function ShotCard({
  index,
  startFrame,
  frames,
  timecode,
  transition,
  blend,
  picture,
  tile,
  isCurrent,
  isByHand,
  place,
  isAway,
  count,
  onSeek,
  onSelect,
  onAddToCut,
}: {
  index: number
  startFrame: number
  frames: number
  timecode: string
  /** How it comes in, where that is no cut, and over which frames. */
  transition: string | undefined
  blend: string | undefined
  picture: string | undefined
  /** A small picture instead, as the background that shows it. */
  tile: string | undefined
  isCurrent: boolean
  /** A person set the change that it begins with. */
  isByHand: boolean
  place: number
  /** Kept for its focus, out of view. */
  isAway: boolean
  count: number
  onSeek: (frame: number) => void
  onSelect: (startFrame: number, endFrame: number) => void
  onAddToCut: ((startFrame: number, endFrame: number) => void) | undefined
}) {
  const name = `shot ${String(index + 1).padStart(2, '0')}`
  const onKeyDown = (event: KeyboardEvent) => {
    if (!onAddToCut || !isSingleKey(event, 'a')) return
    // This shot, not the one at the playhead.
    event.preventDefault()
    event.stopPropagation()
    onAddToCut(startFrame, startFrame + frames)
  }
  return (
    // The buttons in it take the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      aria-posinset={place}
      aria-setsize={count}
      onKeyDown={onKeyDown}
      className={isAway ? 'sr-only' : 'group relative'}
    >
      <button
        type="button"
        onClick={() => onSeek(startFrame)}
        aria-current={isCurrent || undefined}
        title={blend}
        className={classes(
          'block w-full overflow-hidden rounded-md border bg-raised text-left hover:border-line-strong focus-visible:-outline-offset-2',
          isCurrent ? 'border-brand' : 'border-line',
        )}
      >
        {picture ? (
          <img src={picture} alt="" className="aspect-video w-full object-cover" />
        ) : (
          <span className="block aspect-video w-full bg-hover" style={{ background: tile }} />
        )}
        <span className="grid h-11 grid-cols-[1fr_auto] content-center items-baseline gap-x-2 px-2 text-xs">
          <span className="truncate">
            <span className="font-medium">{String(index + 1).padStart(2, '0')}</span>
            {transition && <span className="ml-1.5 text-ink-3">{transition}</span>}
            {isByHand && (
              <span title="Corrected by hand" className="ml-1.5 text-brand-ink">
                corrected
              </span>
            )}
            {blend && <span className="sr-only">. {blend}</span>}
          </span>
          <span className="timecode text-ink-3">{frames} f</span>
          <span className="timecode col-span-2 text-ink-3">{timecode}</span>
        </span>
      </button>
      <span className="absolute top-1 right-1 flex gap-1 opacity-0 group-hover:opacity-100 focus-within:opacity-100 pointer-coarse:opacity-100">
        <IconButton
          label={`Add ${name} to the selects`}
          look="secondary"
          onClick={() => onSelect(startFrame, startFrame + frames)}
        >
          <Plus size={14} aria-hidden />
        </IconButton>
        {onAddToCut && (
          <IconButton
            label={`Add ${name} to a cut (A)`}
            look="secondary"
            onClick={() => onAddToCut(startFrame, startFrame + frames)}
          >
            <ListPlus size={14} aria-hidden />
          </IconButton>
        )}
      </span>
    </li>
  )
})

/** The shot starts in the middle of these frames. */
function blendText(
  transition: string,
  { startFrame, endFrame }: NonNullable<ShotRange['blend']>,
  reel: Reel,
): string {
  const name = transition[0]?.toUpperCase() + transition.slice(1)
  const range = `${reel.timecode(startFrame)} to ${reel.timecode(endFrame)}`
  return `${name} from ${range}; the shot starts at its middle`
}

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

/** The picture of the sheets that lies nearest to the middle of a shot without a still. */
function tileOf(
  shot: ShotRange,
  sprite: NonNullable<FindingsOf<'thumbnail'>['sprite']>,
  address: (name: string) => string | undefined,
): string | undefined {
  const middle = (shot.startFrame + shot.endFrame) / 2 - (sprite.start_frame ?? 0)
  const nearest = Math.round(middle / sprite.interval_frames)
  const tile = Math.min(sprite.count - 1, Math.max(0, nearest))
  const perSheet = sprite.columns * sprite.rows
  const url = address(sprite.file[Math.floor(tile / perSheet)] ?? '')
  if (!url) return undefined
  const part = (at: number, count: number): string => `${count > 1 ? (at / (count - 1)) * 100 : 0}%`
  const column = (tile % perSheet) % sprite.columns
  const row = Math.floor((tile % perSheet) / sprite.columns)
  const place = `${part(column, sprite.columns)} ${part(row, sprite.rows)}`
  return `url("${url}") ${place} / ${sprite.columns * 100}% ${sprite.rows * 100}%`
}
