import { useQueryClient } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { RefObject } from 'react'
import type { Comment, SharedView } from '../../../../contract/footage/shares.ts'
import { api } from '../../../app/api.ts'
import { keys } from '../../../app/queries.ts'
import { Button, Chip } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { controlClass } from '../../../ui/field.tsx'
import { Kbd } from '../../../keys/kbd.tsx'
import { readLocal, writeLocal } from '../../../dom/browser-storage.ts'
import type { CutView } from '../cut-view.ts'
import type { CutPlayer } from '../player/cut-player.ts'
import { CommentList } from './comment-list.tsx'
import { Face } from './face.tsx'
import { readSecrets, useUnsent } from './unsent-comments.ts'
import type { NewComment, Unsent } from './unsent-comments.ts'
import { VisitorActions } from './visitor-actions.tsx'

interface Marks {
  from: number | null
  to: number | null
}

type Filter = 'all' | 'open' | 'mine'
const nameKey = 'comment-name'

/** The comments, and the field to write another. */
export function SharedComments(input: {
  token: string
  pass: string | undefined
  shared: SharedView
  view: CutView
  player: CutPlayer
  comments: UseQueryResult<{ comments: Comment[] }>
  marks: Marks
  onMarks: (marks: Marks) => void
  composer: RefObject<HTMLTextAreaElement | null>
}) {
  const { token, pass, view, player, comments } = input
  const queries = useQueryClient()
  const [filter, setFilter] = useState<Filter>('all')
  const [name, setName] = useState(() => readLocal(nameKey) ?? '')
  const [isNameAsked, setNameAsked] = useState(false)
  const { unsent, add, send } = useUnsent(token, pass)
  const mine = readSecrets()
  const list = comments.data?.comments ?? []
  const open = list.filter((comment) => !comment.done && comment.reply_to === null).length
  const threads = list.filter((comment) => comment.reply_to === null).length
  const shown = list.filter(
    (comment) =>
      comment.reply_to !== null ||
      filter === 'all' ||
      (filter === 'open' ? !comment.done : comment.id in mine),
  )
  const query = pass ? { pass } : {}
  const refresh = () => queries.invalidateQueries({ queryKey: [...keys.sharedComments, token] })
  /** Sends a comment; false if the name is asked for first. */
  const write = (comment: Omit<NewComment, 'name' | 'version'>): boolean => {
    setNameAsked(!name.trim())
    if (!name.trim()) return false
    writeLocal(nameKey, name.trim())
    add({ ...comment, name: name.trim(), version: input.shared.version })
    return true
  }
  return (
    <section
      aria-label="Comments"
      className="flex min-h-0 flex-col border-line bg-panel min-[900px]:border-l"
    >
      <div className="flex h-11 shrink-0 items-center gap-2 border-b border-line px-4 pointer-coarse:h-13 pointer-coarse:border-t">
        <h2 className="font-semibold">Comments</h2>
        <span className="figures grow text-ink-3">{threads}</span>
        {(['all', 'open', 'mine'] as const).map((item) => (
          <Chip key={item} isOn={filter === item} onClick={() => setFilter(item)}>
            {item === 'all' ? 'All' : item === 'open' ? `Open ${open}` : 'Mine'}
          </Chip>
        ))}
      </div>
      {comments.isError && !comments.data && (
        <p className="p-4 text-ink-2">
          Could not load the comments.{' '}
          <button type="button" className="text-brand-ink underline" onClick={() => void refresh()}>
            Retry
          </button>
        </p>
      )}
      {comments.data && threads === 0 && unsent.length === 0 && (
        <p className="p-4 text-ink-3">Play, then type. Comments are stamped with the timecode.</p>
      )}
      <CommentList
        comments={shown}
        player={player}
        time={view.time}
        actions={(comment) => (
          <VisitorActions
            comment={comment}
            secret={mine[comment.id]}
            onReply={(text) => write({ text, at: comment.at, out: null, replyTo: comment.id })}
            onChange={async (text, secret) => {
              await api.editSharedComment({
                params: { token, comment_id: comment.id },
                query,
                body: { text, device_secret: secret },
              })
              await refresh()
            }}
          />
        )}
      />
      {unsent.map((comment) => (
        <OnItsWay
          key={comment.secret}
          comment={comment}
          time={view.time}
          onRetry={() => void send(comment)}
        />
      ))}
      <Composer
        view={view}
        player={player}
        marks={input.marks}
        onMarks={input.onMarks}
        composer={input.composer}
        name={name}
        isNameAsked={isNameAsked}
        onName={setName}
        onAdd={(text, at, out) => {
          const isSent = write({ text, at, out, replyTo: null })
          if (isSent) input.onMarks({ from: null, to: null })
          return isSent
        }}
      />
    </section>
  )
}

function OnItsWay({
  comment: { at, text, problem },
  time,
  onRetry,
}: {
  comment: Unsent
  time: (frame: number) => string
  onRetry: () => void
}) {
  return (
    <div className="border-t border-line px-4 py-2 text-base">
      <span className="timecode mr-1.5 text-xs">{time(at)}</span>
      {text}
      <p className="text-xs text-warn">
        {problem ? (
          <>
            not sent · {problem}{' '}
            <button type="button" className="underline" onClick={onRetry}>
              Retry
            </button>
          </>
        ) : (
          'sending…'
        )}
      </p>
    </div>
  )
}

const rangeButtons = [
  {
    label: 'In I, start of a range',
    word: 'In',
    shortcut: 'I',
    mark: (frame: number) => ({ from: frame }),
  },
  {
    label: 'Out O, end of a range',
    word: 'Out',
    shortcut: 'O',
    mark: (frame: number) => ({ to: frame + 1 }),
  },
]

function NameField({
  name,
  isAsked,
  onName,
}: {
  name: string
  isAsked: boolean
  onName: (name: string) => void
}) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isAsked) field.current?.focus()
  }, [isAsked])
  return (
    <label
      className={classes(
        'flex items-center gap-2 text-xs text-ink-3',
        !isAsked && 'max-[900px]:hidden',
      )}
    >
      <Face name={name || '?'} />
      <span className="sr-only">Your name</span>
      <input
        ref={field}
        value={name}
        maxLength={80}
        placeholder="Your name"
        aria-invalid={isAsked && !name.trim() ? true : undefined}
        onKeyDown={(event) => event.stopPropagation()}
        onChange={(event) => onName(event.target.value)}
        className={controlClass}
      />
      <span className="whitespace-nowrap max-sm:hidden">Kept on this device</span>
    </label>
  )
}

function Composer({
  view,
  player,
  marks,
  onMarks,
  composer,
  name,
  isNameAsked,
  onName,
  onAdd,
}: {
  view: CutView
  player: CutPlayer
  marks: Marks
  onMarks: (marks: Marks) => void
  composer: RefObject<HTMLTextAreaElement | null>
  name: string
  isNameAsked: boolean
  onName: (name: string) => void
  /** Returns false if the name is missing. */
  onAdd: (text: string, at: number, out: number | null) => boolean
}) {
  const [text, setText] = useState('')
  const [held, setHeld] = useState<number | null>(null)
  const frame = useSyncExternalStore(player.subscribe, player.frame)
  const at = marks.from ?? held ?? frame
  const out = marks.to !== null && marks.to > at ? marks.to : null
  const send = (): void => {
    if (!text.trim() || !onAdd(text.trim(), at, out)) return
    setText('')
    setHeld(null)
  }
  return (
    <form
      className="flex shrink-0 flex-col gap-2 border-t border-line bg-panel p-4 max-[900px]:p-3"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <NameField name={name} isAsked={isNameAsked} onName={onName} />
      <div className="flex flex-col gap-2 rounded-md border border-line-strong bg-page p-2 focus-within:border-brand max-[900px]:flex-row max-[900px]:items-center">
        <textarea
          ref={composer}
          aria-label="Comment"
          placeholder="Comment here…"
          rows={2}
          maxLength={4000}
          value={text}
          onChange={(event) => {
            // Typing holds the moment that it is about.
            if (held === null) {
              player.stop()
              setHeld(player.frame())
            }
            setText(event.target.value)
            if (!event.target.value) setHeld(null)
          }}
          onKeyDown={(event) => {
            event.stopPropagation()
            if (event.nativeEvent.isComposing) return
            if (event.key === 'Escape') event.currentTarget.blur()
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send()
          }}
          className="w-full resize-none bg-transparent px-1 text-base outline-none max-[900px]:order-2 max-[900px]:h-6"
        />
        <div className="flex items-center gap-2 max-[900px]:contents">
          <span className="timecode rounded-sm bg-select-wash px-1 text-xs whitespace-nowrap max-[900px]:order-1">
            {view.time(at)}
            {out !== null && ` – ${view.time(out)}`}
          </span>
          {rangeButtons.map(({ label, word, shortcut, mark }) => (
            <button
              key={word}
              type="button"
              aria-label={label}
              onClick={() => onMarks({ ...marks, ...mark(player.frame()) })}
              className="rounded-sm text-xs max-[900px]:hidden pointer-coarse:h-11 pointer-coarse:w-11"
            >
              {word} <Kbd>{shortcut}</Kbd>
            </button>
          ))}
          <span className="grow text-xs text-ink-3 max-[900px]:hidden">range</span>
          <Button look="primary" type="submit" className="max-[900px]:order-3">
            Comment{' '}
            <span aria-hidden className="max-[900px]:hidden">
              <Kbd>Ctrl ↵</Kbd>
            </span>
          </Button>
        </div>
      </div>
    </form>
  )
}
