import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ContentItem } from '../../../contract/footage/content.ts'
import { clipMarks } from '../../../domain/clip-marks.ts'
import { api } from '../../app/api.ts'
import { counted } from '../../app/format.ts'
import { keys } from '../../app/queries.ts'
import { Button, Chip } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'

/** Keywords in use, the most used first. */
export function useKeywords(): readonly string[] {
  const { data } = useQuery({
    queryKey: [...keys.content, 'keywords'],
    queryFn: ({ signal }) => api.listKeywords(undefined, { signal }),
  })
  return data?.keywords.map(({ keyword }) => keyword) ?? []
}

/** Adds keywords to the chosen clips, or takes them off. */
export function KeywordsDialog({
  count,
  clips,
  onSave,
  onClose,
}: {
  count: number
  /** Those of the chosen ones that are loaded. */
  clips: readonly ContentItem[]
  onSave: (marks: { add_keywords: string[]; remove_keywords: string[] }) => void
  onClose: () => void
}) {
  const known = useKeywords()
  const everywhere = (word: string) => clips.every(({ keywords }) => keywords.includes(word))
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [text, setText] = useState('')
  const own = clips.flatMap(({ keywords }) => keywords)
  const shown = [...new Set([...own, ...known, ...chosen.keys()])]
  const isOn = (word: string) => chosen.get(word) ?? (clips.length > 0 && everywhere(word))
  const typed = text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
  const submit = () => {
    const words = [...chosen]
    onSave({
      add_keywords: [...words.filter(([, on]) => on).map(([word]) => word), ...typed],
      remove_keywords: words.filter(([, on]) => !on).map(([word]) => word),
    })
    onClose()
  }
  return (
    <Dialog
      onClose={onClose}
      title={`Keywords of ${counted(count, 'clip')}`}
      action={
        <Button look="primary" onClick={submit}>
          Save
        </Button>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField
          label="Add"
          hint="Separate several with commas."
          value={text}
          maxLength={clipMarks.keywords * clipMarks.keywordLength}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
      <div className="mt-3 flex max-h-60 flex-wrap gap-1.5 overflow-y-auto">
        {shown.map((word) => (
          <Chip
            key={word}
            isOn={isOn(word)}
            onClick={() => setChosen(new Map(chosen).set(word, !isOn(word)))}
          >
            {word}
          </Chip>
        ))}
      </div>
    </Dialog>
  )
}
