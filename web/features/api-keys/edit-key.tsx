import { useId, useState } from 'react'
import { apiKeyExpiryDays } from '../../../domain/money/catalogue.ts'
import type { ApiKey } from '../../app/answers.ts'
import { api } from '../../app/api.ts'
import { date } from '../../app/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useKeyForm } from './key-form.ts'
import { changesOf, optionsOf, RestrictionFields } from './key-options.tsx'

/** A key keeps its value and mode; all else about it can be changed. */
export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const formId = useId()
  /** Empty: the expiry stays as it is. */
  const [days, setDays] = useState('')
  const { formProps, nameProps, optionProps, isSending } = useKeyForm(
    { name: apiKey.name, options: optionsOf(apiKey) },
    {
      send(name, options) {
        const expiresInDays = apiKeyExpiryDays.find((value) => String(value) === days)
        const body = { name, expiresInDays, ...changesOf(options) }
        return api.updateApiKey({ params: { id: apiKey.id }, body })
      },
      onSent() {
        showToast({ type: 'success', title: 'Success', message: 'API key saved' })
        onClose()
      },
      fallback: 'Failed to save the API key',
    },
  )
  const until = `${apiKey.status === 'expired' ? 'Expired' : 'Until'} ${date(apiKey.expires_at)}`
  return (
    <Dialog
      onClose={onClose}
      title="Edit API key"
      description={`${apiKey.hint ?? ''}… Changes apply to the next call.`}
      width="wide"
      action={
        <Button type="submit" form={formId} look="primary" busy={isSending}>
          {isSending ? 'Saving...' : 'Save'}
        </Button>
      }
    >
      <form id={formId} {...formProps} className="grid items-start gap-4 sm:grid-cols-2">
        <TextField {...nameProps} className="sm:col-span-2" />
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
        <RestrictionFields {...optionProps} />
        {apiKey.scopes && optionProps.options.scopes.length === 0 && (
          <p role="status" className="text-warn sm:col-span-2">
            Without a scope this key may do all that keys may.
          </p>
        )}
      </form>
    </Dialog>
  )
}
