import { ListPlus, Plus } from 'lucide-react'
import { memo, useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { KeyboardEvent } from 'react'
import type { FindingsOf } from '../../../../domain/findings/findings.ts'
import { counted } from '../../../app/format.ts'
import { IconButton } from '../../../ui/button.tsx'
import { isSingleKey } from '../../../keys/shortcuts.tsx'
import { Slider } from '../../../ui/slider.tsx'
import { classes } from '../../../ui/classes.ts'
import { ShotMenu, changeOf } from '../corrections/shot-menu.tsx'
import { cardsIn, useCardWindow } from './card-window.ts'
import type { CardShape } from './card-window.ts'
import type { ShotRange } from '../review/cuts.ts'
import type { Reel } from '../viewer/reel.ts'
import { useWorkbench } from '../workbench-context.ts'

/** Every shot with a still, and the threshold that cuts again at once. */
export function ShotsTab({ detected }: { detected: FindingsOf<'shots'> }) {
  const { shots, reel, playhead, correcting } = useWorkbench()
  // Only a change of shot draws the list again, not every frame.
  const current = useSyncExternalStore(playhead.subscribe, () =>
    shots.findIndex(
      (shot) => playhead.frame() >= shot.startFrame && playhead.frame() < shot.endFrame,
    ),
  )
  const list = useRef<HTMLUListElement>(null)
  const view = useCardWindow(list, shots.length, cardShape)
  const cards = useCards()
  const actions = useCardActions()
  return (
    <div className="flex flex-col gap-3">
      <div>
        <Threshold detected={detected} />
        {correcting?.detected.shots && (
          <div className="mt-2 flex justify-end">
            <ShotMenu
              index={current}
              shots={shots}
              detected={correcting.detected.shots}
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
          const card = cards(position)
          return (
            card && (
              <ShotCard
                key={card.startFrame}
                {...card}
                {...actions}
                isCurrent={position === current}
                place={position + 1}
                isAway={position === view.kept}
                count={shots.length}
              />
            )
          )
        })}
      </ul>
    </div>
  )
}

function Threshold({ detected }: { detected: FindingsOf<'shots'> }) {
  const { state, shots } = useWorkbench()
  const threshold = state.review.shot_threshold
  const value = threshold ?? detected.threshold
  const count = counted(shots.length, 'shot')
  return (
    <>
      <p className="flex items-baseline gap-2 text-xs text-ink-3">
        <span className="grow">
          Threshold <span className="timecode">{value.toFixed(2)}</span> · {count}
        </span>
        {threshold !== null && (
          <button
            type="button"
            onClick={() => state.setThreshold(null)}
            className="text-brand-ink hover:underline"
          >
            Reset
          </button>
        )}
      </p>
      <Slider
        label="Shot threshold"
        valueText={`${value.toFixed(2)}, ${count}`}
        min={0.05}
        max={0.99}
        step={0.01}
        value={value}
        onChange={(event) => state.setThreshold(Number(event.target.value))}
      />
    </>
  )
}

/** Returns what the card at a position shows. */
function useCards() {
  const { shots, findings, reel, address, correcting } = useWorkbench()
  const { stills = noStills, sprite } = findings.thumbnail ?? {}
  const files = useMemo(() => stillsOf(shots, stills), [shots, stills])
  const byHand = useMemo(
    () => new Set(correcting?.state.corrections.shots.added.map((item) => item.start_frame)),
    [correcting],
  )
  return (position: number): Card | null => {
    const shot = shots[position]
    if (!shot) return null
    const file = files[position]
    return {
      number: String(shot.index + 1).padStart(2, '0'),
      startFrame: shot.startFrame,
      frames: shot.endFrame - shot.startFrame,
      timecode: reel.timecode(shot.startFrame),
      transition: shot.blend ? shot.transition : undefined,
      blend: shot.blend ? blendText(shot.transition, shot.blend, reel) : undefined,
      still: file && address(file),
      tile: file || !sprite ? undefined : tileOf(shot, sprite, address),
      isByHand: byHand.has(changeOf(shot)?.startFrame ?? -1),
    }
  }
}

const noStills: FindingsOf<'thumbnail'>['stills'] = []

/** The same functions at every render, so that a card is drawn only when it changes. */
function useCardActions() {
  const { state, playhead, addToCut } = useWorkbench()
  const latest = useRef({ state, addToCut })
  useEffect(() => {
    latest.current = { state, addToCut }
  })
  const onSelect = useCallback(
    (startFrame: number, endFrame: number) =>
      latest.current.state.addSelect({ startFrame, endFrame }),
    [],
  )
  const onAddToCut = useCallback(
    (startFrame: number, endFrame: number) =>
      latest.current.addToCut?.([{ in: startFrame, out: endFrame }]),
    [],
  )
  return { onSeek: playhead.seek, onSelect, onAddToCut: addToCut && onAddToCut }
}

/** Where `ShotCard` is as high as this says, rows are where the window looks for them. */
const cardShape: CardShape = { minWidth: 136, gap: 8, ratio: 9 / 16, captionHeight: 46 }

interface Card {
  number: string
  startFrame: number
  frames: number
  timecode: string
  /** How it comes in, where that is no cut, and over which frames. */
  transition: string | undefined
  blend: string | undefined
  still: string | undefined
  /** Without a still, the background that shows a tile of the sprite. */
  tile: string | undefined
  /** A person set the change that it begins with. */
  isByHand: boolean
}

/** Drawn again only when it changes itself. */
const ShotCard = memo(function ShotCard({
  isCurrent,
  place,
  isAway,
  count,
  onSeek,
  onSelect,
  onAddToCut,
  ...card
}: Card & {
  isCurrent: boolean
  place: number
  /** Kept for its focus, out of view. */
  isAway: boolean
  count: number
} & ReturnType<typeof useCardActions>) {
  const { startFrame } = card
  const endFrame = startFrame + card.frames
  const name = `shot ${card.number}`
  const onKeyDown = (event: KeyboardEvent) => {
    if (!onAddToCut || !isSingleKey(event, 'a')) return
    // This shot, not the one at the playhead.
    event.preventDefault()
    event.stopPropagation()
    onAddToCut(startFrame, endFrame)
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
      <CardFace card={card} isCurrent={isCurrent} onPress={() => onSeek(startFrame)} />
      <span className="absolute top-1 right-1 flex gap-1 opacity-0 group-hover:opacity-100 focus-within:opacity-100 pointer-coarse:opacity-100">
        <IconButton
          label={`Add ${name} to the selects`}
          look="secondary"
          onClick={() => onSelect(startFrame, endFrame)}
        >
          <Plus size={14} aria-hidden />
        </IconButton>
        {onAddToCut && (
          <IconButton
            label={`Add ${name} to a cut (A)`}
            look="secondary"
            onClick={() => onAddToCut(startFrame, endFrame)}
          >
            <ListPlus size={14} aria-hidden />
          </IconButton>
        )}
      </span>
    </li>
  )
})

function CardFace({
  card: { number, frames, timecode, transition, blend, still, tile, isByHand },
  isCurrent,
  onPress,
}: {
  card: Card
  isCurrent: boolean
  onPress: () => void
}) {
  return (
    <button
      type="button"
      onClick={onPress}
      aria-current={isCurrent || undefined}
      title={blend}
      className={classes(
        'block w-full overflow-hidden rounded-md border bg-raised text-left hover:border-line-strong focus-visible:-outline-offset-2',
        isCurrent ? 'border-brand' : 'border-line',
      )}
    >
      {still ? (
        <img src={still} alt="" className="aspect-video w-full object-cover" />
      ) : (
        <span className="block aspect-video w-full bg-hover" style={{ background: tile }} />
      )}
      <span className="grid h-11 grid-cols-[1fr_auto] content-center items-baseline gap-x-2 px-2 text-xs">
        <span className="truncate">
          <span className="font-medium">{number}</span>
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
  )
}

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

/** The tile of the sheets that lies nearest to the middle of a shot without a still. */
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
