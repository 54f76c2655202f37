import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'

/** Asks for a name: of a bin, or of the filters that are on. */
export function NameDialog({
  title,
  description,
  name: before = '',
  maxLength,
  onSave,
  onClose,
}: {
  title: string
  description?: string
  name?: string
  maxLength: number
  onSave: (name: string) => void
  onClose: () => void
}) {
  const [name, setName] = useState(before)
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
      title={title}
      description={description}
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
          value={name}
          error={error}
          maxLength={maxLength}
          onChange={(event) => {
            setError(undefined)
            setName(event.target.value)
          }}
        />
      </form>
    </Dialog>
  )
}
