import { ChevronFirst, ChevronLast, Pause, Play, Plus, Volume2, VolumeX } from 'lucide-react'
import { useCallback, useState, useSyncExternalStore } from 'react'
import type { CSSProperties, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { showToast } from '../../../ui/toast.tsx'
import type { ShotRange } from '../review/cuts.ts'
import type { Marks } from '../review/marks.ts'
import type { Playhead, ProxyClock } from './playhead.ts'
import type { Reel } from './reel.ts'

/** The picture on its neutral surround, and the controls under it. */
export function Viewer({
  reel,
  playhead,
  video,
  proxy,
  ratio,
  poster,
  shots,
  voiceAt,
  isComing,
  sound,
  hasSound,
  withoutPicture,
}: {
  reel: Reel
  playhead: Playhead
  video: string | undefined
  proxy: ProxyClock | undefined
  /** Width to height of the picture. */
  ratio: number
  poster: string | undefined
  shots: readonly ShotRange[]
  voiceAt: (frame: number) => string | null
  /** The review proxy is being made. */
  isComing: boolean
  /** What stands there where there is only sound to play. */
  sound: ReactNode
  hasSound: boolean
  /** What stands where a picture would. */
  withoutPicture: string
}) {
  const attach = useCallback(
    (element: HTMLVideoElement | null) => playhead.attach(element, proxy),
    [playhead, proxy],
  )
  return (
    <div className="min-h-0 grow bg-surround p-2 min-[900px]:p-3">
      <div className="grid size-full place-items-center min-[900px]:[container-type:size]">
        <div
          style={{ '--ratio': ratio } as CSSProperties}
          className={
            sound
              ? 'relative size-full'
              : video || poster
                ? 'relative aspect-(--ratio) w-[min(100%,calc(60dvh*var(--ratio)))] overflow-hidden rounded-sm min-[900px]:w-[min(100cqw,calc(100cqh*var(--ratio)))]'
                : 'relative grid size-full min-h-32 place-items-center'
          }
        >
          {sound ? (
            sound
          ) : video ? (
            // The transcript beside the picture is the captions' text, and the player's own controls
            // are the buttons below.
            // oxlint-disable-next-line jsx-a11y/media-has-caption
            <video
              ref={attach}
              src={video}
              poster={poster}
              preload="auto"
              playsInline
              onClick={() => playhead.toggle()}
              className="size-full"
            />
          ) : poster ? (
            <img src={poster} alt="A still of the footage" className="size-full object-contain" />
          ) : (
            <p className="p-8 text-center text-ink-2">
              {isComing ? 'The preview appears here when it’s ready.' : withoutPicture}
            </p>
          )}
          <ShotChip playhead={playhead} shots={shots} voiceAt={voiceAt} />
          {hasSound && video && <SoundButton playhead={playhead} />}
        </div>
      </div>
      <span className="sr-only" role="status">
        {reel.frames} frames
      </span>
    </div>
  )
}

function ShotChip({
  playhead,
  shots,
  voiceAt,
}: {
  playhead: Playhead
  shots: readonly ShotRange[]
  voiceAt: (frame: number) => string | null
}) {
  const text = useSyncExternalStore(playhead.subscribe, () =>
    chipText(playhead.frame(), shots, voiceAt),
  )
  if (!text) return null
  return (
    <p className="timecode pointer-events-none absolute bottom-3 left-3 rounded-sm bg-[oklch(15%_0_0/80%)] px-2 py-0.5 text-xs text-[oklch(97%_0_0)]">
      {text}
    </p>
  )
}

function SoundButton({ playhead }: { playhead: Playhead }) {
  const isMuted = useSyncExternalStore(playhead.subscribe, playhead.isMuted)
  const label = isMuted ? 'Sound on (M)' : 'Sound off (M)'
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={playhead.toggleSound}
      className="absolute right-3 bottom-3 rounded-sm bg-[oklch(15%_0_0/80%)] p-2 text-[oklch(97%_0_0)]"
    >
      {isMuted ? <VolumeX size={14} aria-hidden /> : <Volume2 size={14} aria-hidden />}
    </button>
  )
}

/** The shot under the playhead; between two shots, the transition that joins them. */
function chipText(
  frame: number,
  shots: readonly ShotRange[],
  voiceAt: (frame: number) => string | null,
): string {
  const shot = shots.find((item) => frame < item.endFrame)
  if (!shot) return ''
  const heard = voiceAt(frame)
  const voice = heard ? [heard] : []
  if (frame < shot.startFrame) return [shot.transition.toUpperCase(), ...voice].join(' · ')
  const number = `SHOT ${String(shot.index + 1).padStart(2, '0')}`
  const how = shot.transition === 'start' ? [] : [shot.transition]
  return [number, ...how, ...voice].join(' · ')
}

export function Transport({
  reel,
  playhead,
  marks,
  onSelect,
  onPreviousCut,
  onNextCut,
}: {
  reel: Reel
  playhead: Playhead
  marks: Marks
  onSelect: () => void
  onPreviousCut: () => void
  onNextCut: () => void
}) {
  const speed = useSyncExternalStore(playhead.subscribe, playhead.speed)
  return (
    <div className="@container border-t border-line bg-panel">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-2">
        <div className="flex items-baseline gap-2">
          <TimecodeField reel={reel} playhead={playhead} />
          <span className="timecode text-ink-3 @max-lg:hidden">/ {reel.length(reel.frames)}</span>
        </div>
        <div className="flex items-center gap-1">
          <span className="@max-5xl:hidden">
            <Kbd>J</Kbd>
          </span>
          <IconButton label="Previous cut (↑)" onClick={onPreviousCut}>
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
          <IconButton label="Next cut (↓)" onClick={onNextCut}>
            <ChevronLast size={16} aria-hidden />
          </IconButton>
          <span className="@max-5xl:hidden">
            <Kbd>L</Kbd>
          </span>
          <span className="timecode w-8 text-center text-xs text-ink-3">{speed || 1}×</span>
        </div>
        {/* Where one row is too short for all of it, this is where the next begins. */}
        <span className="grow @max-4xl:-mt-2 @max-4xl:w-full" />
        <MarksLine reel={reel} marks={marks} />
        <Button onClick={onSelect}>
          <Plus size={14} aria-hidden /> Select <Kbd>H</Kbd>
        </Button>
      </div>
    </div>
  )
}

const noTimecode = '--:--:--:--'

/** As wide with marks as without, so that marking moves nothing. */
function MarksLine({ reel, marks: { inFrame, outFrame } }: { reel: Reel; marks: Marks }) {
  const parts = [
    ['IN', inFrame === null ? noTimecode : reel.timecode(inFrame)],
    ['OUT', outFrame === null ? noTimecode : reel.timecode(outFrame)],
    ['DUR', inFrame === null || outFrame === null ? noTimecode : reel.length(outFrame - inFrame)],
  ]
  return (
    <dl className="timecode flex grow flex-wrap gap-x-3 text-xs text-ink-2 @4xl:grow-0">
      {parts.map(([name, value]) => (
        <div key={name} className="flex gap-1 whitespace-nowrap last:@max-md:hidden">
          <dt className="text-ink-3">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
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
