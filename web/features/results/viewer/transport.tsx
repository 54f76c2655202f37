/** The controls under the picture: where the playhead is, how it moves, and what is marked. */
import { ChevronFirst, ChevronLast, Pause, Play, Plus, Repeat, SquarePlay, X } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { showToast } from '../../../ui/toast.tsx'
import type { Marks } from '../review/marks.ts'
import type { Playhead } from './playhead.ts'
import type { Reel } from './reel.ts'

export interface MarkActions {
  markIn: () => void
  markOut: () => void
  clear: () => void
  playMarked: () => void
}

export function Transport({
  reel,
  playhead,
  marks,
  actions,
  onSelect,
  onPreviousShot,
  onNextShot,
}: {
  reel: Reel
  playhead: Playhead
  marks: Marks
  actions: MarkActions
  onSelect: () => void
  onPreviousShot: () => void
  onNextShot: () => void
}) {
  const speed = useSyncExternalStore(playhead.subscribe, playhead.speed)
  const isLooping = useSyncExternalStore(playhead.subscribe, playhead.isLooping)
  return (
    <div className="@container border-t border-line bg-panel">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-2">
        <div className="flex items-baseline gap-2">
          <TimecodeField reel={reel} playhead={playhead} />
          <span className="timecode text-ink-3 @max-5xl:hidden">/ {reel.length(reel.frames)}</span>
        </div>
        <div className="flex items-center gap-1">
          <IconButton label="Previous shot (↑)" onClick={onPreviousShot}>
            <ChevronFirst size={16} aria-hidden />
          </IconButton>
          <Button
            look="primary"
            aria-label={speed === 0 ? 'Play (Space)' : 'Pause (Space)'}
            onClick={() => playhead.toggle()}
            className="w-9 px-0!"
          >
            {speed === 0 ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
          </Button>
          <IconButton label="Next shot (↓)" onClick={onNextShot}>
            <ChevronLast size={16} aria-hidden />
          </IconButton>
          <IconButton label="Play in to out (P)" onClick={actions.playMarked}>
            <SquarePlay size={16} aria-hidden />
          </IconButton>
          <IconButton
            label="Loop (R)"
            aria-pressed={isLooping}
            onClick={playhead.toggleLoop}
            className={isLooping ? 'bg-hover! text-brand-ink!' : ''}
          >
            <Repeat size={14} aria-hidden />
          </IconButton>
          <span className="timecode w-8 text-center text-xs text-ink-3">{speed || 1}×</span>
        </div>
        {/* Where one row is too short for all of it, this is where the next begins. */}
        <span className="grow @max-4xl:-mt-2 @max-4xl:w-full" />
        <div className="flex items-center gap-1">
          <Button aria-label="Mark in (I)" onClick={actions.markIn}>
            In
          </Button>
          <Button aria-label="Mark out (O)" onClick={actions.markOut}>
            Out
          </Button>
        </div>
        <MarksLine reel={reel} marks={marks} onClear={actions.clear} />
        <Button onClick={onSelect}>
          <Plus size={14} aria-hidden /> Select <Kbd>H</Kbd>
        </Button>
      </div>
    </div>
  )
}

const noTimecode = '--:--:--:--'

/** As wide with marks as without, so that marking moves nothing. */
function MarksLine({
  reel,
  marks: { inFrame, outFrame },
  onClear,
}: {
  reel: Reel
  marks: Marks
  onClear: () => void
}) {
  const isEmpty = inFrame === null && outFrame === null
  const parts = [
    ['IN', inFrame === null ? noTimecode : reel.timecode(inFrame)],
    ['OUT', outFrame === null ? noTimecode : reel.timecode(outFrame)],
    ['DUR', inFrame === null || outFrame === null ? noTimecode : reel.length(outFrame - inFrame)],
  ]
  return (
    <div className="flex grow items-center @4xl:grow-0">
      <dl className="timecode flex flex-wrap gap-x-3 text-xs text-ink-2">
        {parts.map(([name, value]) => (
          <div key={name} className="flex gap-1 whitespace-nowrap last:@max-md:hidden">
            <dt className="text-ink-3">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <IconButton
        label="Clear in and out (X)"
        onClick={onClear}
        className={isEmpty ? 'invisible' : ''}
      >
        <X size={12} aria-hidden />
      </IconButton>
    </div>
  )
}

/** Shows where the playhead is; typing into it jumps there. */
function TimecodeField({ reel, playhead }: { reel: Reel; playhead: Playhead }) {
  const frame = useSyncExternalStore(playhead.subscribe, playhead.frame)
  const [typed, setTyped] = useState<string | null>(null)
  const [isRefused, setRefused] = useState(false)
  const jump = (field: HTMLInputElement) => {
    const to = reel.typed(typed ?? '', frame)
    if (to !== null) {
      playhead.seek(to)
      field.blur()
      return
    }
    // The old value comes back, marked and ready to be typed over.
    flushSync(() => {
      setTyped(reel.timecode(frame))
      setRefused(true)
    })
    field.select()
    showToast({
      type: 'warning',
      title: 'Not a timecode',
      message: 'Type 01:00:10:12, the last digits (1012), +25 or -1:00.',
    })
  }
  return (
    <input
      aria-label="Timecode; type to jump"
      value={typed ?? reel.timecode(frame)}
      onFocus={(event) => {
        setTyped(reel.timecode(frame))
        event.target.select()
      }}
      aria-invalid={isRefused}
      onChange={(event) => {
        setTyped(event.target.value)
        setRefused(false)
      }}
      onBlur={() => {
        setTyped(null)
        setRefused(false)
      }}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Escape') event.currentTarget.blur()
        if (event.key === 'Enter') jump(event.currentTarget)
      }}
      className="timecode w-[11.5ch] rounded-sm bg-transparent text-lg font-medium outline-offset-4 aria-invalid:text-bad aria-invalid:outline-2 aria-invalid:outline-bad"
    />
  )
}
