/** Comments on the links of a cut or a review, for its editor to reply and tick off. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Comment } from '../../../../contract/footage/shares.ts'
import { api } from '../../../app/api.ts'
import { keys } from '../../../app/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { controlClass } from '../../../ui/field.tsx'
import { CommentList } from './comment-list.tsx'
import type { Clock } from './comment-list.tsx'

export function OwnerComments({
  comments,
  player,
  time,
}: {
  comments: readonly Comment[]
  player: Clock
  time: (frame: number) => string
}) {
  if (comments.length === 0) {
    return (
      <p className="p-4 text-ink-3">
        No comments yet. Share a link: whoever has it can write here, without an account.
      </p>
    )
  }
  return (
    <CommentList
      comments={comments}
      player={player}
      time={time}
      actions={(comment) => <Actions comment={comment} />}
    />
  )
}

const actionClass = 'h-6 rounded-sm hover:text-ink pointer-coarse:h-11'

function Actions({ comment }: { comment: Comment }) {
  const queries = useQueryClient()
  const [text, setText] = useState<string | null>(null)
  const onSettled = () => queries.invalidateQueries({ queryKey: keys.comments })
  const meta = { failure: { title: 'Not saved' } }
  const params = { id: comment.id }
  const reply = useMutation({
    mutationFn: (answer: string) => api.replyToComment({ params, body: { text: answer } }),
    onSuccess: () => setText(null),
    meta,
    onSettled,
  })
  const tick = useMutation({
    mutationFn: () => api.updateComment({ params, body: { done: !comment.done } }),
    meta,
    onSettled,
  })
  if (text !== null) {
    return (
      <form
        className="mt-1.5 flex gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim()) reply.mutate(text.trim())
        }}
      >
        <input
          aria-label={`Answer to ${comment.name}`}
          value={text}
          maxLength={4000}
          // It was just asked for.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            event.stopPropagation()
            if (event.nativeEvent.isComposing) return
            if (event.key === 'Escape') setText(null)
          }}
          className={controlClass}
        />
        <Button type="submit" busy={reply.isPending}>
          Send
        </Button>
      </form>
    )
  }
  return (
    <p className="mt-1 flex gap-3 text-xs text-ink-3">
      <button type="button" className={actionClass} onClick={() => setText('')}>
        Reply
      </button>
      <button type="button" className={actionClass} onClick={() => tick.mutate()}>
        {comment.done ? 'Open again' : 'Mark as done'}
      </button>
    </p>
  )
}
