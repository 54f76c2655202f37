import { Reply } from 'lucide-react'
import { useState } from 'react'
import type { Comment } from '../../../../contract/footage/shares.ts'
import { showFailure } from '../../../app/failures.ts'
import { serverNow } from '../../../session/server-clock.ts'
import { Button } from '../../../ui/button.tsx'
import { controlClass } from '../../../ui/field.tsx'

const editMs = 10 * 60_000
const actionClass = 'flex items-center gap-1.5 rounded-sm hover:text-ink pointer-coarse:h-11'

/** Anyone may reply; your own comment can be changed for a while. */
export function VisitorActions({
  comment,
  secret,
  onReply,
  onChange,
}: {
  comment: Comment
  secret: string | undefined
  /** Returns false if the name is missing. */
  onReply: (text: string) => boolean
  onChange: (text: string, secret: string) => Promise<void>
}) {
  const [doing, setDoing] = useState<'reply' | 'change' | null>(null)
  const [text, setText] = useState('')
  const [openedMs] = useState(serverNow)
  const isOwn = secret && openedMs - new Date(comment.created_at).getTime() <= editMs
  const begin = (next: 'reply' | 'change') => {
    setText(next === 'reply' ? '' : comment.text)
    setDoing(next)
  }
  if (doing === null) {
    return (
      <p className="mt-1 flex gap-3 text-xs text-ink-3">
        <button type="button" className={actionClass} onClick={() => begin('reply')}>
          <Reply size={13} aria-hidden /> Reply
        </button>
        {isOwn && (
          <button type="button" className={actionClass} onClick={() => begin('change')}>
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
      <WritingField
        label={doing === 'reply' ? `Answer to ${comment.name}` : 'Changed comment'}
        text={text}
        onText={setText}
        onSend={() => void save()}
        onCancel={() => setDoing(null)}
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

function WritingField({
  label,
  text,
  onText,
  onSend,
  onCancel,
}: {
  label: string
  text: string
  onText: (text: string) => void
  onSend: () => void
  onCancel: () => void
}) {
  return (
    <textarea
      aria-label={label}
      value={text}
      maxLength={4000}
      // It was just asked for.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      onChange={(event) => onText(event.target.value)}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Escape') onCancel()
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && text.trim()) onSend()
      }}
      className={`${controlClass} h-16! py-1`}
    />
  )
}
