/** Who speaks: a name for everybody's passages, for this one, or for the whole project. */
import { useId, useState } from 'react'
import type { FormEvent } from 'react'
import { speakerName } from '../../../../domain/findings/speakers.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Select, TextField } from '../../../ui/field.tsx'

export type SpeakerScope = 'clip' | 'passage' | 'project'

export function SpeakerDialog({
  speaker,
  known,
  hasPassage,
  projectName,
  onName,
  onClose,
}: {
  /** Who is said to speak now, if anybody. */
  speaker: string | null
  known: readonly string[]
  hasPassage: boolean
  /** Name of the clip's project. */
  projectName: string | null
  onName: (name: string, scope: SpeakerScope) => void
  onClose: () => void
}) {
  const form = useId()
  const [name, setName] = useState(speaker === null ? '' : speakerName(speaker))
  const [scope, setScope] = useState<SpeakerScope>(speaker === null ? 'passage' : 'clip')
  const other = known.find((id) => id !== speaker && speakerName(id) === name.trim())
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!name.trim()) return
    // A name that the findings gave stays theirs, so that later runs know it.
    onName(other ?? known.find((id) => speakerName(id) === name.trim()) ?? name.trim(), scope)
  }
  const options = scopesOf(speaker, hasPassage, projectName)
  return (
    <Dialog
      onClose={onClose}
      title="Who speaks"
      action={
        <Button look="primary" type="submit" form={form} disabled={!name.trim()}>
          {other && scope !== 'passage' ? 'Merge' : 'Save'}
        </Button>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="Name"
          value={name}
          list={`${form}-names`}
          maxLength={80}
          autoComplete="off"
          onFocus={(event) => event.target.select()}
          onChange={(event) => setName(event.target.value)}
          hint={
            other && scope !== 'passage'
              ? `${name.trim()} speaks here already: the two become one.`
              : undefined
          }
        />
        <datalist id={`${form}-names`}>
          {known.map((id) => (
            <option key={id} value={speakerName(id)}>
              {speakerName(id)}
            </option>
          ))}
        </datalist>
        <Select
          label="Applies to"
          value={scope}
          onChange={(event) => setScope(event.target.value as SpeakerScope)}
          options={options}
        />
      </form>
    </Dialog>
  )
}

function scopesOf(speaker: string | null, hasPassage: boolean, projectName: string | null) {
  return [
    ...(speaker === null
      ? []
      : [{ value: 'clip', label: `Everything ${speakerName(speaker)} says in this clip` }]),
    ...(hasPassage ? [{ value: 'passage', label: 'This passage only' }] : []),
    ...(speaker !== null && projectName !== null
      ? [{ value: 'project', label: `Every clip of ${projectName}` }]
      : []),
  ]
}
