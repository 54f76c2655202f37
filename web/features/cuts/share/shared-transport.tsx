import { Captions as CaptionsIcon, Maximize, Pause, Play, Volume2, VolumeX } from 'lucide-react'
import { memo, useSyncExternalStore } from 'react'
import type { PointerEvent } from 'react'
import type { Comment } from '../../../../contract/footage/shares.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { canFullScreen } from '../../../dom/full-screen.ts'
import { Kbd } from '../../../keys/kbd.tsx'
import type { CutView } from '../cut-view.ts'
import type { CutPlayer } from '../player/cut-player.ts'
import { Face } from './face.tsx'

/** The scrubber with who said something where, and the controls below it. */
export function SharedTransport({
  view,
  player,
  comments,
  hasCaptions,
  onCaptions,
  onComment,
  onFullScreen,
}: {
  view: CutView
  player: CutPlayer
  comments: readonly Comment[]
  hasCaptions: boolean
  onCaptions: () => void
  onComment: (direction: 1 | -1) => void
  onFullScreen: () => void
}) {
  const frame = useSyncExternalStore(player.subscribe, player.frame)
  const speed = useSyncExternalStore(player.subscribe, player.speed)
  const isMuted = useSyncExternalStore(player.subscribe, player.isMuted)
  const scrub = (event: PointerEvent) => {
    if (event.type === 'pointermove' && !(event.buttons & 1)) return
    const box = event.currentTarget.getBoundingClientRect()
    player.seek(Math.floor(((event.clientX - box.left) / box.width) * view.frames))
  }
  const percent = (at: number) => `${(at / Math.max(1, view.frames)) * 100}%`
  return (
    <div className="shrink-0 border-t border-line bg-panel px-4 pt-1 max-sm:px-3">
      <div className="relative h-[46px]">
        {folded(comments, view.frames).map(({ comment, count }) => (
          <button
            key={comment.id}
            type="button"
            tabIndex={-1}
            title={comment.name}
            aria-label={count > 1 ? `${count} comments` : `Comment of ${comment.name}`}
            onClick={() => player.seek(comment.at)}
            style={{ left: percent(comment.at) }}
            className="absolute top-0 -translate-x-1/2 max-sm:top-2 max-sm:size-3 max-sm:overflow-hidden max-sm:rounded-full"
          >
            {count > 1 ? (
              <span className="grid h-6 min-w-6 place-items-center rounded-full bg-hover px-1 text-xs max-sm:h-3 max-sm:min-w-3 max-sm:text-transparent">
                {count}
              </span>
            ) : (
              <Face name={comment.name} className="max-sm:size-3! max-sm:before:content-none!" />
            )}
          </button>
        ))}
        <div
          role="slider"
          tabIndex={0}
          aria-label="Position"
          aria-valuemin={0}
          aria-valuemax={Math.max(0, view.frames - 1)}
          aria-valuenow={frame}
          aria-valuetext={view.time(frame)}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId)
            scrub(event)
          }}
          onPointerMove={scrub}
          className="absolute inset-x-0 bottom-2 flex h-4 cursor-pointer touch-none items-center"
        >
          <Segments view={view} className="bg-hover" />
          <div
            aria-hidden
            className="absolute inset-0 flex items-center"
            style={{ clipPath: `inset(0 calc(100% - ${percent(frame)}) 0 0)` }}
          >
            <Segments view={view} className="bg-brand" />
          </div>
          <span
            style={{ left: percent(frame) }}
            className="pointer-events-none absolute h-5 w-[3px] -translate-x-1/2 rounded-full bg-playhead"
          />
        </div>
      </div>
      <div className="flex h-11 items-center gap-2 pointer-coarse:h-13">
        <Button
          look="primary"
          aria-label={speed === 0 ? 'Play (Space)' : 'Pause (Space)'}
          onClick={player.toggle}
          className="w-9 px-0! pointer-coarse:w-11"
        >
          {speed === 0 ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
        </Button>
        <p className="timecode text-lg font-medium">{view.time(frame)}</p>
        <p className="timecode text-ink-3 max-sm:hidden">/ {view.length(view.frames)}</p>
        <span className="grow" />
        <Button look="quiet" onClick={() => onComment(-1)} className="max-[1100px]:hidden">
          Previous <Kbd>Shift ↑</Kbd>
        </Button>
        <Button look="quiet" onClick={() => onComment(1)} className="max-[1100px]:hidden">
          Next comment <Kbd>Shift ↓</Kbd>
        </Button>
        <span className="timecode w-8 text-center text-xs text-ink-3">{speed || 1}×</span>
        <IconButton label="Captions" aria-pressed={hasCaptions} onClick={onCaptions}>
          <CaptionsIcon size={15} aria-hidden />
        </IconButton>
        <IconButton label={isMuted ? 'Sound on (M)' : 'Mute (M)'} onClick={player.toggleSound}>
          {isMuted ? <VolumeX size={15} aria-hidden /> : <Volume2 size={15} aria-hidden />}
        </IconButton>
        {canFullScreen() && (
          <IconButton label="Full screen (F)" onClick={onFullScreen}>
            <Maximize size={14} aria-hidden />
          </IconButton>
        )}
      </div>
    </div>
  )
}

/** More than this are narrower than the gaps between them. */
const maxSegments = 200

/** One for each event; drawn once, whatever plays. */
const Segments = memo(function Segments({ view, className }: { view: CutView; className: string }) {
  const events =
    view.events.length > maxSegments ? [{ recordIn: 0, recordOut: view.frames }] : view.events
  return (
    <div className="flex w-full gap-px">
      {events.map((event) => (
        <span
          key={event.recordIn}
          style={{ flexGrow: event.recordOut - event.recordIn, flexBasis: 0 }}
          className={`h-2.5 min-w-px rounded-[2px] ${className}`}
        />
      ))}
    </div>
  )
})

/** Faces closer than this part of the scrubber become a number. */
const nearPart = 14 / 980

function folded(
  comments: readonly Comment[],
  frames: number,
): { comment: Comment; count: number }[] {
  const shown: { comment: Comment; count: number }[] = []
  const threads = comments.filter((comment) => comment.reply_to === null)
  for (const comment of threads.toSorted((a, b) => a.at - b.at)) {
    const last = shown.at(-1)
    if (last && (comment.at - last.comment.at) / Math.max(1, frames) < nearPart) last.count += 1
    else shown.push({ comment, count: 1 })
  }
  return shown
}
