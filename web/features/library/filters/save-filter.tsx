import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'

/** Asks for the name of the filters that are on. */
export function SaveFilterDialog({
  onSave,
  onClose,
}: {
  onSave: (name: string) => void
  onClose: () => void
}) {
  const [name, setName] = useState('')
  const [error, setError] = useState<string | undefined>()
  const submit = () => {
    if (!name.trim()) {
      setError('Please enter a name')
      return
    }
    onSave(name.trim())
    onClose()
  }
  return (
    <Dialog
      onClose={onClose}
      title="Save filter"
      description="It stands in the sidebar and shows what matches then."
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
          label="Name"
          placeholder="Speech, no transcript"
          value={name}
          error={error}
          maxLength={80}
          onChange={(event) => {
            setError(undefined)
            setName(event.target.value)
          }}
        />
      </form>
    </Dialog>
  )
}
