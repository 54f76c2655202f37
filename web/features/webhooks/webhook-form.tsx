import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { webhookEvents } from '../../../domain/money/catalogue.ts'
import type { WebhookEvent } from '../../../domain/money/catalogue.ts'
import { CallError } from '../../../contract/endpoint.ts'
import type { Webhook } from '../../../contract/account/webhooks.ts'
import { api } from '../../app/api.ts'
import { messageOf, showFailure } from '../../app/failures.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/field.tsx'
import { useFormProblem } from '../../ui/form-problem.ts'

/** Adds a webhook, or changes one that exists. */
export function WebhookForm({
  webhook,
  onSaved,
}: {
  webhook?: Webhook
  /** With the secret of a new one. */
  onSaved: (secret: string | null) => void
}) {
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(
    webhook?.events ?? ['job.completed', 'job.failed'],
  )
  const { formRef, errorOf, complain, unmark } = useFormProblem<'url' | 'events'>()
  const save = useMutation({
    mutationFn: async () => {
      const body = { url: url.trim(), events: [...events], description }
      if (!webhook) return (await api.createWebhook({ body })).webhook.secret
      await api.updateWebhook({ params: { id: webhook.id }, body })
      return null
    },
    onSuccess: onSaved,
    onError: (failure) => {
      const fallback = 'Failed to save the webhook'
      const isUrl = failure instanceof CallError && failure.body.field === 'url'
      const note = 'This address cannot be used.'
      const message = messageOf(failure, fallback)
      if (isUrl) complain({ field: 'url', title: 'Validation Error', message, note })
      else showFailure(failure, { fallback })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const title = 'Validation Error'
    if (!url.trim()) {
      const note = 'Where should we send events?'
      complain({ field: 'url', title, message: 'Please enter a URL', note })
    } else if (events.length === 0) {
      const note = 'Without an event nothing is sent.'
      complain({ field: 'events', title, message: 'Please choose at least one event', note })
    } else save.mutate()
  }
  return (
    <form
      ref={formRef}
      noValidate
      onSubmit={submit}
      className="grid gap-3 rounded-lg border border-line bg-raised p-3 sm:grid-cols-2"
    >
      <TextField
        label="URL"
        type="url"
        value={url}
        onChange={(event) => {
          setUrl(event.target.value)
          unmark('url')
        }}
        placeholder="https://example.com/hooks/cutindex"
        maxLength={2000}
        error={errorOf('url')}
      />
      <TextField
        label="Description"
        value={description}
        onChange={(event) => setDescription(event.target.value)}
        placeholder="Optional"
        maxLength={200}
      />
      <fieldset className="sm:col-span-2">
        <legend className="text-sm font-medium">Events</legend>
        <div className="mt-1 grid gap-x-4 sm:grid-cols-3">
          {webhookEvents.map((type) => (
            <Checkbox
              key={type}
              label={<code>{type}</code>}
              checked={events.includes(type)}
              aria-invalid={errorOf('events') ? true : undefined}
              onChange={(event) => {
                unmark('events')
                setEvents(
                  event.target.checked
                    ? [...events, type]
                    : events.filter((chosen) => chosen !== type),
                )
              }}
            />
          ))}
        </div>
        {errorOf('events') && <p className="text-xs text-bad">{errorOf('events')}</p>}
      </fieldset>
      <Button
        type="submit"
        look="primary"
        size="md"
        busy={save.isPending}
        className="justify-self-start"
      >
        {save.isPending ? 'Saving...' : webhook ? 'Save' : 'Add'}
      </Button>
    </form>
  )
}
