/** The controls under the picture: where the playhead is, how it moves, and what is marked. */
import { ChevronFirst, ChevronLast, ListPlus, Plus, Repeat, SquarePlay, X } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { Button, IconButton } from '../../../ui/button.tsx'
import { PlayButton, SpeedText } from '../../../playback/transport-buttons.tsx'
import { Kbd } from '../../../keys/kbd.tsx'
import { showToast } from '../../../ui/toast.tsx'
import type { Marking } from '../review/marking.ts'
import { useWorkbench } from '../workbench-context.ts'

export function Transport({
  marking,
  onShot,
}: {
  marking: Marking
  onShot: (direction: 1 | -1) => void
}) {
  const { reel, playhead } = useWorkbench()
  const isLooping = useSyncExternalStore(playhead.subscribe, playhead.isLooping)
  return (
    <div className="@container border-t border-line bg-panel">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2">
        <div className="flex items-baseline gap-2">
          <TimecodeField />
          <span className="timecode text-ink-3 @max-5xl:hidden">
            / {reel.length([{ start: 0, end: reel.frames }])}
          </span>
        </div>
        <div className="flex items-center gap-1">
          <IconButton label="Previous shot (↑)" onClick={() => onShot(-1)}>
            <ChevronFirst size={16} aria-hidden />
          </IconButton>
          <PlayButton player={playhead} />
          <IconButton label="Next shot (↓)" onClick={() => onShot(1)}>
            <ChevronLast size={16} aria-hidden />
          </IconButton>
          <IconButton label="Play in to out (P)" onClick={marking.playMarked}>
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
          <SpeedText player={playhead} />
        </div>
        {/* Where one row is too short for all of it, this is where the next begins. */}
        <span className="grow @max-4xl:-mt-2 @max-4xl:w-full" />
        <MarksLine marking={marking} />
        <Button onClick={marking.addSelect}>
          <Plus size={14} aria-hidden /> Select <Kbd>H</Kbd>
        </Button>
        {marking.addToCut && (
          <Button onClick={marking.addToCut}>
            <ListPlus size={14} aria-hidden /> Cut <Kbd>A</Kbd>
          </Button>
        )}
      </div>
    </div>
  )
}

const noTimecode = '--:--:--:--'

/** Buttons that mark, with what is marked on them: as wide with marks as without. */
function MarksLine({ marking }: { marking: Marking }) {
  const { reel } = useWorkbench()
  const { inFrame, outFrame } = marking.marks
  const isEmpty = inFrame === null && outFrame === null
  const length =
    inFrame === null || outFrame === null
      ? noTimecode
      : reel.length([{ start: inFrame, end: outFrame }])
  return (
    <div className="timecode flex flex-wrap items-center gap-1 text-xs @max-4xl:grow">
      <MarkButton
        name="IN"
        label="Mark in (I)"
        timecode={inFrame === null ? noTimecode : reel.timecode(inFrame)}
        onMark={marking.markIn}
      />
      <MarkButton
        name="OUT"
        label="Mark out (O)"
        timecode={outFrame === null ? noTimecode : reel.timecode(outFrame)}
        onMark={marking.markOut}
      />
      {/* It leaves also where it would push the last button into a second row. */}
      <p className="ml-1 flex gap-1 whitespace-nowrap @max-md:hidden @4xl:@max-5xl:hidden">
        <span className="text-ink-3">DUR</span> <span className="text-ink-2">{length}</span>
      </p>
      <IconButton
        label="Clear in and out (X)"
        onClick={marking.clear}
        aria-disabled={isEmpty}
        tabIndex={isEmpty ? -1 : undefined}
        // Not hidden while the focus is on it, which would be lost.
        className={isEmpty ? 'opacity-0 focus:opacity-100' : ''}
      >
        <X size={12} aria-hidden />
      </IconButton>
    </div>
  )
}

function MarkButton({
  name,
  label,
  timecode,
  onMark,
}: {
  name: string
  label: string
  timecode: string
  onMark: () => void
}) {
  const isSet = timecode !== noTimecode
  return (
    <Button
      aria-label={isSet ? `${label}, ${timecode}` : label}
      title={label}
      onClick={onMark}
      className="px-2! text-xs!"
    >
      <span className="text-ink-3">{name}</span>
      <span className="font-normal">{timecode}</span>
    </Button>
  )
}

/** Shows where the playhead is; typing into it jumps there. */
function TimecodeField() {
  const { reel, playhead } = useWorkbench()
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
      className="timecode w-[11.5ch] rounded-sm bg-transparent text-lg pointer-coarse:min-h-11 font-medium outline-offset-4 aria-invalid:text-bad aria-invalid:outline-2 aria-invalid:outline-bad"
    />
  )
}
