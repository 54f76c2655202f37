/** Comments in order of time; the one that plays now is marked. */
import { CircleCheck, CornerDownRight } from 'lucide-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import type { Comment } from '../../../../contract/shares.ts'
import { ago } from '../../../app/figures.ts'
import { classes } from '../../../ui/classes.ts'
import type { CutPlayer } from '../player/cut-player.ts'
import { Face } from './face.tsx'

export function CommentList({
  comments,
  player,
  time,
  actions,
}: {
  comments: readonly Comment[]
  player: CutPlayer
  time: (frame: number) => string
  /** What can be done with one: change, answer, tick off. */
  actions: (comment: Comment) => ReactNode
}) {
  const list = useRef<HTMLUListElement>(null)
  const threads = comments.filter((comment) => comment.reply_to === null)
  const current = useSyncExternalStore(player.subscribe, () => currentOf(threads, player.frame()))
  const isByHand = useRef(false)
  useEffect(() => {
    if (!current || isByHand.current || player.speed() === 0) return
    list.current
      ?.querySelector(`[data-comment="${CSS.escape(current)}"]`)
      ?.scrollIntoView({ block: 'nearest' })
  }, [current, player])
  return (
    <ul
      ref={list}
      aria-label="Comments"
      onWheel={() => {
        isByHand.current = true
      }}
      className="min-h-0 grow overflow-y-auto"
    >
      {threads.map((comment) => (
        <li
          key={comment.id}
          data-comment={comment.id}
          aria-current={comment.id === current || undefined}
          className={classes(
            'grid [contain-intrinsic-size:auto_80px] grid-cols-[24px_minmax(0,1fr)] gap-3 border-b border-l-2 border-line px-4 py-3 [content-visibility:auto]',
            comment.id === current ? 'border-l-playhead bg-raised' : 'border-l-transparent',
          )}
        >
          <Face name={comment.name} />
          <div className={comment.done ? 'text-ink-3' : ''}>
            <p className="flex items-baseline gap-2">
              <span className="truncate font-medium">{comment.name}</span>
              <span className="text-xs whitespace-nowrap text-ink-3">
                {ago(comment.created_at)}
                {comment.edited_at && ' · changed'}
              </span>
              <span className="grow" />
              {comment.done && (
                <span className="flex items-center gap-1 text-xs text-good">
                  <CircleCheck size={13} aria-hidden /> Done
                </span>
              )}
            </p>
            <p className="text-base break-words whitespace-pre-line">
              <button
                type="button"
                onClick={() => player.seek(comment.at)}
                className="timecode mr-1.5 rounded-sm bg-select-wash px-1 text-xs text-ink"
              >
                {time(comment.at)}
                {comment.out !== null && ` – ${time(comment.out)}`}
              </button>
              {comment.text}
            </p>
            {comments
              .filter((reply) => reply.reply_to === comment.id)
              .map((reply) => (
                <div key={reply.id} className="mt-1.5 flex gap-2 text-sm">
                  <CornerDownRight size={14} aria-hidden className="mt-0.5 shrink-0 text-ink-3" />
                  <div className="min-w-0">
                    <p className="text-ink-3">
                      <span className="font-medium text-ink-2">{reply.name}</span>
                      {reply.is_editor && ' Editor'} · {ago(reply.created_at)}
                    </p>
                    <p className="break-words whitespace-pre-line">{reply.text}</p>
                  </div>
                </div>
              ))}
            {actions(comment)}
          </div>
        </li>
      ))}
    </ul>
  )
}

/** The last one that has begun, as long as its range lasts or for two seconds. */
function currentOf(threads: readonly Comment[], frame: number): string | null {
  const begun = threads.findLast(
    (comment) => comment.at <= frame && frame < (comment.out ?? comment.at + 50),
  )
  return begun?.id ?? null
}
