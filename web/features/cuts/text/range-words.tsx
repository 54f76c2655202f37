import { useState } from 'react'
import type { CutRange } from '../../../../domain/cuts/cut.ts'
import { useNarrow } from '../../../dom/narrow.ts'

/** Name and note of a range; exports carry both. */
export function RangeWords({
  range,
  onDescribe,
}: {
  range: CutRange
  onDescribe: (id: string, text: { name?: string; note?: string }) => void
}) {
  const isNarrow = useNarrow()
  const fields = (
    <span className="flex w-full flex-wrap items-center gap-2 text-xs text-ink-3">
      <WordsField
        key={`name ${range.id} ${range.name}`}
        label="Name"
        value={range.name}
        maxLength={200}
        onSave={(name) => onDescribe(range.id, { name })}
      />
      <WordsField
        key={`note ${range.id} ${range.note}`}
        label="Note"
        value={range.note}
        maxLength={2000}
        onSave={(note) => onDescribe(range.id, { note })}
      />
    </span>
  )
  if (!isNarrow) return fields
  return (
    <details className="w-full text-xs text-ink-3">
      <summary className="py-2">Name and note</summary>
      {fields}
    </details>
  )
}

function WordsField({
  label,
  value,
  maxLength,
  onSave,
}: {
  label: string
  value: string
  maxLength: number
  onSave: (value: string) => void
}) {
  const [typed, setTyped] = useState(value)
  const take = (): void => {
    if (typed.trim() !== value) onSave(typed.trim())
  }
  return (
    <label className="flex min-w-40 grow items-center gap-1">
      {label}
      <input
        value={typed}
        maxLength={maxLength}
        aria-label={`${label} of the clip`}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={take}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter') event.currentTarget.blur()
          if (event.key === 'Escape') setTyped(value)
        }}
        className="h-6 min-w-0 grow rounded-sm border border-line bg-page px-1.5 text-xs text-ink pointer-coarse:h-11"
      />
    </label>
  )
}
