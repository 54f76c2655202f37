import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { apiKeyExpiryDays, defaultApiKeyExpiryDays } from '../../../domain/money/catalogue.ts'
import { api } from '../../app/api.ts'
import { showFailure } from '../../app/failures.ts'
import { keys } from '../../app/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { useFormProblem } from '../../ui/form-problem.ts'
import {
  bodyOf,
  findKeyProblem,
  KeyOptionFields,
  noOptions,
  optionProblemOf,
} from './key-options.tsx'
import type { OptionField } from './key-options.tsx'

type Days = (typeof apiKeyExpiryDays)[number]

export function CreateKeyForm({
  onCreated,
}: {
  onCreated: (key: { name: string; key: string }) => void
}) {
  const [name, setName] = useState('')
  const [days, setDays] = useState<Days>(defaultApiKeyExpiryDays)
  const [options, setOptions] = useState(noOptions)
  const { formRef, errorOf, complain, unmark } = useFormProblem<'name' | OptionField>()
  const queries = useQueryClient()
  const create = useMutation({
    mutationFn: () =>
      api.createApiKey({ body: { name: name.trim(), expiresInDays: days, ...bodyOf(options) } }),
    onSuccess: async ({ apiKey }) => {
      onCreated({ name: apiKey.name, key: apiKey.key })
      await queries.invalidateQueries({ queryKey: keys.apiKeys })
    },
    onError: (failure) => {
      const problem = optionProblemOf(failure)
      if (problem) complain(problem)
      else showFailure(failure, { fallback: 'Failed to create API key' })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const problem = findKeyProblem(name, options)
    if (problem) complain(problem)
    else create.mutate()
  }
  return (
    <form
      ref={formRef}
      noValidate
      onSubmit={submit}
      className="grid gap-3 rounded-lg border border-line bg-raised p-3 sm:grid-cols-[1fr_10rem_auto] sm:items-start"
    >
      <TextField
        label="Key name"
        value={name}
        onChange={(event) => {
          setName(event.target.value)
          unmark('name')
        }}
        placeholder="Ingest server"
        maxLength={100}
        error={errorOf('name')}
      />
      <Select
        label="Expires in"
        value={String(days)}
        onChange={(event) => setDays(Number(event.target.value) as Days)}
        options={apiKeyExpiryDays.map((value) => ({
          value: String(value),
          label: `${value} days`,
        }))}
      />
      <Button type="submit" look="primary" size="md" busy={create.isPending} className="sm:mt-6">
        {create.isPending ? 'Creating...' : 'Create'}
      </Button>
      <KeyOptionFields
        options={options}
        errorOf={errorOf}
        onChange={(changed) => {
          setOptions(changed)
          unmark('limit')
          unmark('addresses')
        }}
      />
    </form>
  )
}

/** The value of a new key, for the only time that it can be seen. */
export function NewKey({
  name,
  value,
  onDone,
}: {
  name: string
  value: string
  onDone: () => void
}) {
  return (
    <div
      role="status"
      className="flex flex-col gap-2 rounded-lg border border-line bg-good-wash p-3 text-ink"
    >
      <p className="font-medium">Your new key “{name}”</p>
      <p className="text-ink-2">Copy it now. You won’t see it again.</p>
      <div className="flex items-center gap-2">
        <code className="min-w-0 grow rounded-md border border-line bg-panel px-2.5 py-1.5 break-all">
          {value}
        </code>
        <CopyButton text={value} label="Copy the key" />
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  )
}
