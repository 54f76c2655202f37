import { useRef, useState } from 'react'
import type { ContentItem } from '../../../contract/footage/content.ts'
import { middleCut } from '../../clips/clip-text.ts'

/** The name, or the field that renames it: Enter keeps the new name, Escape the old one. */
export function ClipName({
  clip,
  isRenaming,
  onRename,
}: {
  clip: ContentItem
  isRenaming: boolean
  onRename: (clip: ContentItem, name: string) => void
}) {
  if (isRenaming) return <NameField clip={clip} onRename={onRename} />
  const { head, tail } = middleCut(clip.file_name)
  return (
    <span dir="auto" className="flex min-w-0 grow text-sm font-medium" title={clip.file_name}>
      <span className="truncate whitespace-pre">{head}</span>
      <span className="shrink-0 whitespace-pre">{tail}</span>
    </span>
  )
}

function NameField({
  clip,
  onRename,
}: {
  clip: ContentItem
  onRename: (clip: ContentItem, name: string) => void
}) {
  const [name, setName] = useState(clip.file_name)
  const isDone = useRef(false)
  const finish = (next: string) => {
    if (isDone.current) return
    isDone.current = true
    onRename(clip, next.trim() || clip.file_name)
  }
  /** By a key: the clip has the focus again, which the field would take with it. */
  const finishHere = (field: HTMLElement, next: string) => {
    const cell = field.closest<HTMLElement>('[data-clip]')
    finish(next)
    cell?.focus({ preventScroll: true })
  }
  return (
    <input
      aria-label={`New name of ${clip.file_name}`}
      // The field appears because the user asked to type in it.
      ref={(field) => field?.focus()}
      dir="auto"
      value={name}
      maxLength={255}
      onFocus={(event) => selectStem(event.currentTarget)}
      onChange={(event) => setName(event.target.value)}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onBlur={() => finish(name)}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') finishHere(event.currentTarget, name)
        if (event.key === 'Escape') finishHere(event.currentTarget, clip.file_name)
      }}
      className="min-w-0 grow rounded-sm border border-brand bg-page px-1 text-sm"
    />
  )
}

/** Typing replaces the name and keeps the ending, as file managers do. */
function selectStem(field: HTMLInputElement): void {
  const dot = field.value.lastIndexOf('.')
  field.setSelectionRange(0, dot > 0 ? dot : field.value.length)
}
