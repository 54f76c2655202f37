/** Finds a phrase in the transcript and puts another in its place, everywhere or where ticked. */
import { useId, useMemo, useState } from 'react'
import type { FormEvent } from 'react'
import type { FindingsOf } from '../../../../domain/findings/findings.ts'
import { joinerOf } from '../../../../domain/findings/replace-words.ts'
import { counted } from '../../../app/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { placesOf } from './edit-words.ts'
import type { Place, WordGroup } from './edit-words.ts'

const maxShown = 200

export function ReplaceDialog({
  find: firstFind,
  transcript,
  groups,
  timecodeOf,
  onReplace,
  onClose,
}: {
  find: string
  transcript: FindingsOf<'transcription'>
  groups: readonly WordGroup[]
  timecodeOf: (seconds: number) => string
  onReplace: (places: readonly Place[]) => void
  onClose: () => void
}) {
  const form = useId()
  const [find, setFind] = useState(firstFind)
  const [replace, setReplace] = useState('')
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const places = useMemo(
    () => placesOf(transcript, groups, { find, replace }),
    [transcript, groups, find, replace],
  )
  const chosen = places.filter((_, index) => !left.has(index))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (chosen.length > 0) onReplace(chosen)
  }
  return (
    <Dialog
      onClose={onClose}
      title="Find and replace"
      action={
        <Button look="primary" type="submit" form={form} disabled={chosen.length === 0}>
          {replace.trim() ? 'Replace' : 'Mark as not spoken'} {counted(chosen.length, 'place')}
        </Button>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="Find"
          value={find}
          maxLength={200}
          hint="Whole words. Case and punctuation don’t matter."
          onChange={(event) => {
            setFind(event.target.value)
            setLeft(new Set())
          }}
        />
        <TextField
          label="Replace with"
          value={replace}
          maxLength={500}
          onChange={(event) => setReplace(event.target.value)}
        />
      </form>
      <p role="status" className="mt-4 text-xs text-ink-3">
        {find.trim() ? `${counted(places.length, 'place')} found` : 'Type what to find'}
        {places.length > maxShown && `, the first ${maxShown} are listed`}
      </p>
      <ul className="mt-1 divide-y divide-line">
        {places.slice(0, maxShown).map((place, index) => (
          <li key={place.groups[0]?.first}>
            <Checkbox
              checked={!left.has(index)}
              onChange={() => setLeft(toggled(left, index))}
              label={
                <>
                  <span className="timecode mr-2 text-xs text-ink-3">
                    {timecodeOf(place.groups[0]?.start ?? 0)}
                  </span>
                  <span className="text-ink-3">{around(transcript, place).lead}</span>
                  <s>{place.before}</s>{' '}
                  <span className="font-medium">{place.after || 'not spoken'}</span>
                  <span className="text-ink-3">{around(transcript, place).trail}</span>
                </>
              }
            />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

const wordsAround = 4

/** A few words on either side, so that each place can be recognised. */
function around(transcript: FindingsOf<'transcription'>, { groups }: Place) {
  const { words } = transcript
  const joiner = joinerOf(transcript)
  const from = groups[0]?.firstShown ?? 0
  const to = from + groups.reduce((sum, group) => sum + group.shown, 0)
  const text = (start: number, end: number): string =>
    words
      .slice(Math.max(0, start), end)
      .map((word) => word.text)
      .join(joiner)
  return {
    lead: from > 0 && `${text(from - wordsAround, from)}${joiner}`,
    trail: to < words.length && `${joiner}${text(to, to + wordsAround)}`,
  }
}

function toggled(set: ReadonlySet<number>, index: number): ReadonlySet<number> {
  const next = new Set(set)
  if (!next.delete(index)) next.add(index)
  return next
}
