import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { FormEvent } from 'react'
import { apiKeyExpiryDays } from '../../../domain/money/catalogue.ts'
import type { ApiKey } from '../../app/answers.ts'
import { api } from '../../app/api.ts'
import { showFailure } from '../../app/failures.ts'
import { date } from '../../app/format.ts'
import { keys } from '../../app/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { useFormProblem } from '../../ui/form-problem.ts'
import { showToast } from '../../ui/toast.tsx'
import {
  changesOf,
  findKeyProblem,
  optionProblemOf,
  optionsOf,
  RestrictionFields,
} from './key-options.tsx'
import type { OptionField } from './key-options.tsx'

/** A key keeps its value and mode; all else about it can be changed. */
export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const formId = useId()
  const [name, setName] = useState(apiKey.name)
  /** Empty: the expiry stays as it is. */
  const [days, setDays] = useState('')
  const [options, setOptions] = useState(() => optionsOf(apiKey))
  const { formRef, errorOf, complain, unmark } = useFormProblem<'name' | OptionField>()
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: () => {
      const expiresInDays = apiKeyExpiryDays.find((value) => String(value) === days)
      return api.updateApiKey({
        params: { id: apiKey.id },
        body: { name: name.trim(), expiresInDays, ...changesOf(options) },
      })
    },
    onSuccess: async () => {
      showToast({ type: 'success', title: 'Success', message: 'API key saved' })
      await queries.invalidateQueries({ queryKey: keys.apiKeys })
      onClose()
    },
    onError: (failure) => {
      const problem = optionProblemOf(failure)
      if (problem) complain(problem)
      else showFailure(failure, { fallback: 'Failed to save the API key' })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const problem = findKeyProblem(name, options)
    if (problem) complain(problem)
    else save.mutate()
  }
  const until = `${apiKey.status === 'expired' ? 'Expired' : 'Until'} ${date(apiKey.expires_at)}`
  return (
    <Dialog
      onClose={onClose}
      title="Edit API key"
      description={`${apiKey.hint ?? ''}… Changes apply to the next call.`}
      width="wide"
      action={
        <Button type="submit" form={formId} look="primary" busy={save.isPending}>
          {save.isPending ? 'Saving...' : 'Save'}
        </Button>
      }
    >
      <form
        id={formId}
        ref={formRef}
        noValidate
        onSubmit={submit}
        className="grid items-start gap-4 sm:grid-cols-2"
      >
        <TextField
          label="Key name"
          className="sm:col-span-2"
          value={name}
          onChange={(event) => {
            setName(event.target.value)
            unmark('name')
          }}
          maxLength={100}
          error={errorOf('name')}
        />
        <Select
          label="Expiry"
          value={days}
          onChange={(event) => setDays(event.target.value)}
          options={[
            { value: '', label: until },
            ...apiKeyExpiryDays.map((value) => ({
              value: String(value),
              label: `${value} days from now`,
            })),
          ]}
        />
        <RestrictionFields
          options={options}
          errorOf={errorOf}
          onChange={(changed) => {
            setOptions(changed)
            unmark('limit')
            unmark('addresses')
          }}
        />
        {apiKey.scopes && options.scopes.length === 0 && (
          <p role="status" className="text-warn sm:col-span-2">
            Without a scope this key may do all that keys may.
          </p>
        )}
      </form>
    </Dialog>
  )
}
