/** Comments in order of time; the one that plays now is marked. */
import { CircleCheck, CornerDownRight } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import type { Comment } from '../../../../contract/footage/shares.ts'
import { ago } from '../../../app/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { classes } from '../../../ui/classes.ts'
import { useVirtualRows } from '../../../dom/virtual-rows.ts'
import { Face } from './face.tsx'

/** Whatever plays what is commented on. */
export interface Clock {
  frame: () => number
  speed: () => number
  subscribe: (listener: () => void) => () => void
  seek: (frame: number) => void
}

export function CommentList({
  comments,
  player,
  time,
  actions,
}: {
  comments: readonly Comment[]
  player: Clock
  time: (frame: number) => string
  /** Buttons below a comment: change, reply, tick off. */
  actions: (comment: Comment) => ReactNode
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const threads = useMemo(() => comments.filter((comment) => comment.reply_to === null), [comments])
  const replies = useMemo(() => Map.groupBy(comments, (comment) => comment.reply_to), [comments])
  const current = useSyncExternalStore(player.subscribe, () => currentOf(threads, player.frame()))
  const isByHand = useRef(false)
  const byHand = () => {
    isByHand.current = true
  }
  const keyOf = useCallback((index: number) => threads[index]?.id ?? '', [threads])
  const list = useVirtualRows({ count: threads.length, scroller, estimate, keyOf })
  const show = useRef(list.show)
  useEffect(() => {
    show.current = list.show
  })
  useEffect(() => {
    if (!current || isByHand.current || player.speed() === 0) return
    show.current(threads.findIndex((comment) => comment.id === current))
  }, [current, player, threads])
  return (
    <div
      ref={scroller}
      onWheel={byHand}
      onTouchMove={byHand}
      className="min-h-0 grow overflow-y-auto"
    >
      <ul aria-label="Comments" className="relative" style={{ height: list.height }}>
        {list.rows.map((row) => {
          const comment = threads[row.index]
          if (!comment) return null
          return (
            <li
              key={row.key}
              ref={list.measure}
              data-index={row.index}
              aria-posinset={row.index + 1}
              aria-setsize={threads.length}
              aria-current={comment.id === current || undefined}
              style={{ transform: `translateY(${row.start}px)` }}
              className={classes(
                'absolute inset-x-0 top-0 grid grid-cols-[24px_minmax(0,1fr)] gap-3 border-b border-l-2 border-line px-4 py-3',
                comment.id === current ? 'border-l-playhead bg-raised' : 'border-l-transparent',
              )}
            >
              <Face name={comment.name} />
              <div className={comment.done ? 'text-ink-3' : ''}>
                <Written comment={comment} time={time} onSeek={player.seek} />
                {replies.get(comment.id)?.map((reply) => (
                  <Reply key={reply.id} reply={reply} />
                ))}
                {actions(comment)}
              </div>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function Written({
  comment,
  time,
  onSeek,
}: {
  comment: Comment
  time: (frame: number) => string
  onSeek: (frame: number) => void
}) {
  return (
    <>
      <p className="flex items-baseline gap-2">
        <bdi className="truncate font-medium">{comment.name}</bdi>
        <span className="text-xs whitespace-nowrap text-ink-3">
          {ago(comment.created_at)}
          {comment.edited_at && ' · changed'}
          {comment.now_at === null && ' · no longer in the cut'}
        </span>
        <span className="grow" />
        {comment.done && (
          <span className="flex items-center gap-1 text-xs text-good">
            <CircleCheck size={13} aria-hidden /> Done
          </span>
        )}
      </p>
      <p dir="auto" className="text-base break-words whitespace-pre-line">
        <button
          type="button"
          dir="ltr"
          onClick={() => onSeek(comment.at)}
          className="timecode mr-1.5 rounded-sm bg-select-wash px-1 text-xs text-ink"
        >
          {time(comment.at)}
          {comment.out !== null && ` – ${time(comment.out)}`}
        </button>
        {comment.text}
      </p>
    </>
  )
}

function Reply({ reply }: { reply: Comment }) {
  return (
    <div className="mt-1.5 flex gap-2 text-sm">
      <CornerDownRight size={14} aria-hidden className="mt-0.5 shrink-0 text-ink-3" />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-1.5 text-ink-3">
          <bdi className="font-medium text-ink-2">{reply.name}</bdi>
          {/* A shape of its own, so that nobody passes for the editor by name. */}
          {reply.is_editor && <Badge tone="brand">Editor</Badge>}
          {ago(reply.created_at)}
        </p>
        <p dir="auto" className="break-words whitespace-pre-line">
          {reply.text}
        </p>
      </div>
    </div>
  )
}

function estimate(): number {
  return 88
}

/** The last one that has begun, as long as its range lasts or for two seconds. */
function currentOf(threads: readonly Comment[], frame: number): string | null {
  const begun = threads.findLast(
    (comment) => comment.at <= frame && frame < (comment.out ?? comment.at + 50),
  )
  return begun?.id ?? null
}
