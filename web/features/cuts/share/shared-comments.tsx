import { useQueryClient } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { Reply } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { RefObject } from 'react'
import type { Comment, SharedView } from '../../../../contract/footage/shares.ts'
import { api } from '../../../app/api.ts'
import { showFailure } from '../../../app/failures.ts'
import { keys } from '../../../app/queries.ts'
import { serverNow } from '../../../session/server-clock.ts'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { controlClass } from '../../../ui/field.tsx'
import { Kbd } from '../../../keys/kbd.tsx'
import { readLocal, writeLocal } from '../../../dom/browser-storage.ts'
import type { CutView } from '../cut-view.ts'
import type { CutPlayer } from '../player/cut-player.ts'
import { CommentList } from './comment-list.tsx'
import { Face } from './face.tsx'
import { readSecrets, useUnsent } from './unsent-comments.ts'
import type { NewComment } from './unsent-comments.ts'

interface Marks {
  from: number | null
  to: number | null
}

type Filter = 'all' | 'open' | 'mine'
const nameKey = 'comment-name'
const editMs = 10 * 60_000

/** What is said about it, and the field to say more. */
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
  /** False where the name is asked for first. */
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
          <button
            key={item}
            type="button"
            aria-pressed={filter === item}
            onClick={() => setFilter(item)}
            className={classes(
              'h-6 rounded-full border px-2.5 text-xs pointer-coarse:h-11',
              filter === item
                ? 'border-brand bg-brand-wash text-brand-ink'
                : 'border-line text-ink-2 hover:text-ink',
            )}
          >
            {item === 'all' ? 'All' : item === 'open' ? `Open ${open}` : 'Mine'}
          </button>
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
        <div key={comment.secret} className="border-t border-line px-4 py-2 text-base">
          <span className="timecode mr-1.5 text-xs">{view.time(comment.at)}</span>
          {comment.text}
          <p className="text-xs text-warn">
            {comment.problem ? (
              <>
                not sent · {comment.problem}{' '}
                <button type="button" className="underline" onClick={() => void send(comment)}>
                  Retry
                </button>
              </>
            ) : (
              'sending…'
            )}
          </p>
        </div>
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

/** Keys are not shown to a finger: it reads the word. */
const rangeButton = 'rounded-sm text-xs max-[900px]:hidden pointer-coarse:h-11 pointer-coarse:w-11'

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
  /** False where the name is missing. */
  onAdd: (text: string, at: number, out: number | null) => boolean
}) {
  const [text, setText] = useState('')
  const nameField = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isNameAsked) nameField.current?.focus()
  }, [isNameAsked])
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
      <label
        className={classes(
          'flex items-center gap-2 text-xs text-ink-3',
          !isNameAsked && 'max-[900px]:hidden',
        )}
      >
        <Face name={name || '?'} />
        <span className="sr-only">Your name</span>
        <input
          ref={nameField}
          value={name}
          maxLength={80}
          placeholder="Your name"
          aria-invalid={isNameAsked && !name.trim() ? true : undefined}
          onKeyDown={(event) => event.stopPropagation()}
          onChange={(event) => onName(event.target.value)}
          className={controlClass}
        />
        <span className="whitespace-nowrap max-sm:hidden">Kept on this device</span>
      </label>
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
          <button
            type="button"
            aria-label="In I, start of a range"
            onClick={() => onMarks({ ...marks, from: player.frame() })}
            className={rangeButton}
          >
            In <Kbd>I</Kbd>
          </button>
          <button
            type="button"
            aria-label="Out O, end of a range"
            onClick={() => onMarks({ ...marks, to: player.frame() + 1 })}
            className={rangeButton}
          >
            Out <Kbd>O</Kbd>
          </button>
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

/** Anyone may answer; one's own comment can be changed for a while. */
function VisitorActions({
  comment,
  secret,
  onReply,
  onChange,
}: {
  comment: Comment
  secret: string | undefined
  /** False where the name is missing. */
  onReply: (text: string) => boolean
  onChange: (text: string, secret: string) => Promise<void>
}) {
  const [doing, setDoing] = useState<'reply' | 'change' | null>(null)
  const [text, setText] = useState('')
  const [openedMs] = useState(serverNow)
  const isOwn = secret && openedMs - new Date(comment.created_at).getTime() <= editMs
  if (doing === null) {
    return (
      <p className="mt-1 flex gap-3 text-xs text-ink-3">
        <button
          type="button"
          className="flex items-center gap-1.5 rounded-sm hover:text-ink pointer-coarse:h-11"
          onClick={() => {
            setText('')
            setDoing('reply')
          }}
        >
          <Reply size={13} aria-hidden /> Reply
        </button>
        {isOwn && (
          <button
            type="button"
            className="rounded-sm hover:text-ink pointer-coarse:h-11"
            onClick={() => {
              setText(comment.text)
              setDoing('change')
            }}
          >
            Change
          </button>
        )}
      </p>
    )
  }
  const save = async (): Promise<void> => {
    if (doing === 'reply') {
      if (onReply(text.trim())) setDoing(null)
      return
    }
    try {
      await onChange(text.trim(), secret ?? '')
      setDoing(null)
    } catch (error) {
      showFailure(error, { title: 'Not changed', fallback: 'Please try again.' })
    }
  }
  return (
    <div className="mt-1 flex flex-col gap-1">
      <textarea
        aria-label={doing === 'reply' ? `Answer to ${comment.name}` : 'Changed comment'}
        value={text}
        maxLength={4000}
        // It was just asked for.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape') setDoing(null)
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && text.trim()) void save()
        }}
        className={`${controlClass} h-16! py-1`}
      />
      <div className="flex gap-2">
        <Button onClick={() => void save()} disabled={!text.trim()}>
          {doing === 'reply' ? 'Send' : 'Save'}
        </Button>
        <Button look="quiet" onClick={() => setDoing(null)}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
