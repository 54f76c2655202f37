import { Captions as CaptionsIcon, Maximize } from 'lucide-react'
import { memo, useSyncExternalStore } from 'react'
import type { PointerEvent } from 'react'
import type { Comment } from '../../../../contract/footage/shares.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { canFullScreen } from '../../../dom/full-screen.ts'
import { PlayButton, SoundButton, SpeedText } from '../../../playback/transport-buttons.tsx'
import { Kbd } from '../../../keys/kbd.tsx'
import type { CutView } from '../cut-view.ts'
import type { CutPlayer } from '../player/cut-player.ts'
import { Face } from './face.tsx'

/** The scrubber with the faces of comments, and the controls below it. */
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
  return (
    <div className="shrink-0 border-t border-line bg-panel px-4 pt-1 max-sm:px-3">
      <div className="relative h-[46px]">
        <Faces comments={comments} frames={view.frames} onSeek={player.seek} />
        <Scrubber view={view} frame={frame} onSeek={player.seek} />
      </div>
      <div className="flex h-11 items-center gap-2 pointer-coarse:h-13">
        <PlayButton player={player} />
        <p className="timecode text-lg font-medium">{view.time(frame)}</p>
        <p className="timecode text-ink-3 max-sm:hidden">/ {view.length(view.frames)}</p>
        <span className="grow" />
        <Button look="quiet" onClick={() => onComment(-1)} className="max-[1100px]:hidden">
          Previous <Kbd>Shift ↑</Kbd>
        </Button>
        <Button look="quiet" onClick={() => onComment(1)} className="max-[1100px]:hidden">
          Next comment <Kbd>Shift ↓</Kbd>
        </Button>
        <SpeedText player={player} />
        <IconButton label="Captions" aria-pressed={hasCaptions} onClick={onCaptions}>
          <CaptionsIcon size={15} aria-hidden />
        </IconButton>
        <SoundButton player={player} />
        {canFullScreen() && (
          <IconButton label="Full screen (F)" onClick={onFullScreen}>
            <Maximize size={14} aria-hidden />
          </IconButton>
        )}
      </div>
    </div>
  )
}

function percentOf(frame: number, frames: number): string {
  return `${(frame / Math.max(1, frames)) * 100}%`
}

function Faces({
  comments,
  frames,
  onSeek,
}: {
  comments: readonly Comment[]
  frames: number
  onSeek: (frame: number) => void
}) {
  return folded(comments, frames).map(({ comment, count }) => (
    <button
      key={comment.id}
      type="button"
      tabIndex={-1}
      title={comment.name}
      aria-label={count > 1 ? `${count} comments` : `Comment of ${comment.name}`}
      onClick={() => onSeek(comment.at)}
      style={{ left: percentOf(comment.at, frames) }}
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
  ))
}

function Scrubber({
  view,
  frame,
  onSeek,
}: {
  view: CutView
  frame: number
  onSeek: (frame: number) => void
}) {
  const at = percentOf(frame, view.frames)
  const scrub = (event: PointerEvent) => {
    if (event.type === 'pointermove' && !(event.buttons & 1)) return
    const box = event.currentTarget.getBoundingClientRect()
    onSeek(Math.floor(((event.clientX - box.left) / box.width) * view.frames))
  }
  return (
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
        style={{ clipPath: `inset(0 calc(100% - ${at}) 0 0)` }}
      >
        <Segments view={view} className="bg-brand" />
      </div>
      <span
        style={{ left: at }}
        className="pointer-events-none absolute h-5 w-[3px] -translate-x-1/2 rounded-full bg-playhead"
      />
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
