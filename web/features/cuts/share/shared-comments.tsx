import { useQueryClient } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import type { RefObject } from 'react'
import type { Comment, SharedView } from '../../../../contract/shares.ts'
import { api, messageOf } from '../../../app/api.ts'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { controlClass } from '../../../ui/field.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { showToast } from '../../../ui/toast.tsx'
import type { CutView } from '../cut-view.ts'
import type { CutPlayer } from '../player/cut-player.ts'
import { CommentList } from './comment-list.tsx'
import { Face } from './face.tsx'

interface Marks {
  from: number | null
  to: number | null
}

interface Unsent {
  key: number
  text: string
  at: number
  out: number | null
  problem: string | null
}

type Filter = 'all' | 'open' | 'mine'
const nameKey = 'comment-name'
const secretsKey = 'comment-secrets'
const editMs = 10 * 60_000

/** What is said about it, and the field to say more. */
export function SharedComments(of: {
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
  const { token, pass, view, player, comments } = of
  const queries = useQueryClient()
  const [filter, setFilter] = useState<Filter>('all')
  const [unsent, setUnsent] = useState<readonly Unsent[]>([])
  const [name, setName] = useState(() => localStorage.getItem(nameKey) ?? '')
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
  const refresh = () => queries.invalidateQueries({ queryKey: ['shared-comments', token] })
  const send = async (comment: Unsent): Promise<void> => {
    try {
      const answer = await api.addSharedComment({
        params: { token },
        query,
        body: {
          name: name.trim(),
          text: comment.text,
          at: comment.at,
          out: comment.out,
          version: of.shared.version,
        },
      })
      keepSecret(answer.comment.id, answer.device_secret)
      setUnsent((before) => before.filter((item) => item.key !== comment.key))
      await refresh()
    } catch (error) {
      const problem = messageOf(error, 'Check your connection.')
      setUnsent((before) =>
        before.map((item) => (item.key === comment.key ? { ...item, problem } : item)),
      )
    }
  }
  const add = (text: string, at: number, out: number | null): void => {
    localStorage.setItem(nameKey, name.trim())
    const comment = { key: Date.now(), text, at, out, problem: null }
    setUnsent([...unsent, comment])
    of.onMarks({ from: null, to: null })
    void send(comment)
  }
  return (
    <section
      aria-label="Comments"
      className="flex min-h-0 flex-col border-line bg-panel max-[900px]:pb-24 min-[900px]:border-l"
    >
      <div className="flex h-11 shrink-0 items-center gap-2 border-b border-line px-4">
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
        <p className="p-4 text-ink-3">Play, then type. The time is noted for you.</p>
      )}
      <CommentList
        comments={shown}
        player={player}
        time={view.time}
        actions={(comment) => (
          <OwnActions
            comment={comment}
            secret={mine[comment.id]}
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
        <div key={comment.key} className="border-t border-line px-4 py-2 text-base">
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
      <Composer {...of} name={name} onName={setName} onAdd={add} />
    </section>
  )
}

function Composer({
  view,
  player,
  marks,
  onMarks,
  composer,
  name,
  onName,
  onAdd,
}: {
  view: CutView
  player: CutPlayer
  marks: Marks
  onMarks: (marks: Marks) => void
  composer: RefObject<HTMLTextAreaElement | null>
  name: string
  onName: (name: string) => void
  onAdd: (text: string, at: number, out: number | null) => void
}) {
  const [text, setText] = useState('')
  const [isNameAsked, setNameAsked] = useState(false)
  const [held, setHeld] = useState<number | null>(null)
  const frame = useSyncExternalStore(player.subscribe, player.frame)
  const at = marks.from ?? held ?? frame
  const out = marks.to !== null && marks.to > at ? marks.to : null
  const send = (): void => {
    if (!text.trim()) return
    if (!name.trim()) {
      setNameAsked(true)
      return
    }
    onAdd(text.trim(), at, out)
    setText('')
    setHeld(null)
  }
  return (
    <form
      className="flex shrink-0 flex-col gap-2 border-t border-line bg-panel p-4 max-[900px]:fixed max-[900px]:inset-x-0 max-[900px]:bottom-0 max-[900px]:z-20 max-[900px]:p-3"
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
          value={name}
          maxLength={80}
          placeholder="Your name"
          aria-invalid={isNameAsked && !name.trim() ? true : undefined}
          onChange={(event) => onName(event.target.value)}
          className={controlClass}
        />
        <span className="whitespace-nowrap max-sm:hidden">Kept on this device</span>
      </label>
      <div className="flex flex-col gap-2 rounded-md border border-line-strong/60 bg-page p-2 focus-within:border-brand max-[900px]:flex-row max-[900px]:items-center">
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
            aria-label="Start of a range (I)"
            onClick={() => onMarks({ ...marks, from: player.frame() })}
            className="max-[900px]:hidden"
          >
            <Kbd>I</Kbd>
          </button>
          <button
            type="button"
            aria-label="End of a range (O)"
            onClick={() => onMarks({ ...marks, to: player.frame() + 1 })}
            className="max-[900px]:hidden"
          >
            <Kbd>O</Kbd>
          </button>
          <span className="grow text-xs text-ink-3 max-[900px]:hidden">range</span>
          <Button look="primary" type="submit" className="max-[900px]:order-3">
            Comment
          </Button>
        </div>
      </div>
    </form>
  )
}

function OwnActions({
  comment,
  secret,
  onChange,
}: {
  comment: Comment
  secret: string | undefined
  onChange: (text: string, secret: string) => Promise<void>
}) {
  const [text, setText] = useState<string | null>(null)
  const [openedMs] = useState(Date.now)
  if (!secret || openedMs - new Date(comment.created_at).getTime() > editMs) return null
  if (text === null) {
    return (
      <button
        type="button"
        onClick={() => setText(comment.text)}
        className="mt-1 text-xs text-ink-3 hover:text-ink"
      >
        Change
      </button>
    )
  }
  const save = async (): Promise<void> => {
    try {
      await onChange(text.trim(), secret)
      setText(null)
    } catch (error) {
      const message = messageOf(error, 'Please try again.')
      showToast({ type: 'error', title: 'Not changed', message })
    }
  }
  return (
    <div className="mt-1 flex flex-col gap-1">
      <textarea
        aria-label="Changed comment"
        value={text}
        maxLength={4000}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.stopPropagation()}
        className={`${controlClass} h-16! py-1`}
      />
      <div className="flex gap-2">
        <Button onClick={() => void save()} disabled={!text.trim()}>
          Save
        </Button>
        <Button look="quiet" onClick={() => setText(null)}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

function readSecrets(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(secretsKey) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}

function keepSecret(id: string, secret: string): void {
  const kept = Object.entries(readSecrets()).slice(-100)
  localStorage.setItem(secretsKey, JSON.stringify({ ...Object.fromEntries(kept), [id]: secret }))
}
