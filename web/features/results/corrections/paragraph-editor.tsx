/** The words of one paragraph, to be put right where they stand. */
import { useEffect, useRef } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Kbd } from '../../../keys/kbd.tsx'
import { dropUnspokenWords } from './drop-unspoken-words.ts'

export interface ParagraphActions {
  save: (text: string) => void
  /** Begins a new paragraph with the word at this place. */
  split: (text: string, place: number) => void
  /** Absent where there is nothing above to join it with. */
  join: ((text: string) => void) | undefined
  /** Absent where the words are as they were found. */
  revert: (() => void) | undefined
  close: () => void
}

export function ParagraphEditor({
  text,
  joiner,
  selected,
  actions,
}: {
  text: string
  /** Between its words; none in a language without spaces. */
  joiner: string
  /** The first selection; without one, typing begins at the end. */
  selected: { from: number; to: number } | null
  actions: ParagraphActions
}) {
  const field = useRef<HTMLTextAreaElement>(null)
  const finish = useKeptText(field, text, actions)
  const { from, to } = selected ?? { from: text.length, to: text.length }
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(from, to)
  }, [from, to])
  const value = (): string => field.current?.value ?? text
  const split = (): void => finish(() => actions.split(value(), field.current?.selectionStart ?? 0))
  const strike = (): void => {
    const { selectionStart: first = 0, selectionEnd: end = 0 } = field.current ?? {}
    const left = dropUnspokenWords(value(), { from: first, to: end, joiner })
    finish(() => actions.save(first === end ? '' : left))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') finish(actions.close)
    else if (event.key === 'Enter') {
      event.preventDefault()
      if (event.ctrlKey || event.metaKey) split()
      else finish(() => actions.save(value()))
    }
  }
  const { join, revert } = actions
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <textarea
        ref={field}
        aria-label="Words of this paragraph"
        dir="auto"
        defaultValue={text}
        rows={2}
        maxLength={20_000}
        spellCheck
        onKeyDown={onKeyDown}
        className="[field-sizing:content] w-full resize-none rounded-md border border-brand bg-page px-2 py-1 text-[15px]/[26px] text-ink"
      />
      <div className="flex flex-wrap gap-1.5">
        <Button look="primary" onClick={() => finish(() => actions.save(value()))}>
          Save <Kbd>Enter</Kbd>
        </Button>
        <Button title="The word at the cursor begins a new paragraph (Ctrl Enter)" onClick={split}>
          Split here
        </Button>
        {join && <Button onClick={() => finish(() => join(value()))}>Join with above</Button>}
        <Button title="The selected words, or all, were not spoken" onClick={strike}>
          Not spoken
        </Button>
        {revert && <Button onClick={() => finish(revert)}>Revert</Button>}
        <Button look="quiet" onClick={() => finish(actions.close)}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

/** Saves what was typed when the editor is left by another way than its own buttons. */
function useKeptText(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  actions: ParagraphActions,
) {
  const isDone = useRef(false)
  const typed = useRef(text)
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const input = field.current
    const read = (): void => {
      typed.current = input?.value ?? text
    }
    input?.addEventListener('input', read)
    return () => {
      input?.removeEventListener('input', read)
      if (!isDone.current && typed.current !== text) latest.current.save(typed.current)
    }
  }, [field, text])
  return (act: () => void): void => {
    isDone.current = true
    act()
  }
}
