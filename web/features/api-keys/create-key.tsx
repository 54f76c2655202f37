import { useState } from 'react'
import { apiKeyExpiryDays, defaultApiKeyExpiryDays } from '../../../domain/money/catalogue.ts'
import { api } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { useKeyForm } from './key-form.ts'
import { bodyOf, KeyOptionFields, noOptions } from './key-options.tsx'

type Days = (typeof apiKeyExpiryDays)[number]

export function CreateKeyForm({
  onCreated,
}: {
  onCreated: (key: { name: string; key: string }) => void
}) {
  const [days, setDays] = useState<Days>(defaultApiKeyExpiryDays)
  const { formProps, nameProps, optionProps, isSending } = useKeyForm(
    { name: '', options: noOptions },
    {
      send: (name, options) =>
        api.createApiKey({ body: { name, expiresInDays: days, ...bodyOf(options) } }),
      onSent: ({ apiKey }) => onCreated(apiKey),
      fallback: 'Failed to create API key',
    },
  )
  return (
    <form
      {...formProps}
      className="grid gap-3 rounded-lg border border-line bg-raised p-3 sm:grid-cols-[1fr_10rem_auto] sm:items-start"
    >
      <TextField {...nameProps} placeholder="Ingest server" />
      <Select
        label="Expires in"
        value={String(days)}
        onChange={(event) => setDays(Number(event.target.value) as Days)}
        options={apiKeyExpiryDays.map((value) => ({
          value: String(value),
          label: `${value} days`,
        }))}
      />
      <Button type="submit" look="primary" size="md" busy={isSending} className="sm:mt-6">
        {isSending ? 'Creating...' : 'Create'}
      </Button>
      <KeyOptionFields {...optionProps} />
    </form>
  )
}
