import { useState } from 'react'
import { webhookEvents } from '../../../domain/money/catalogue.ts'
import type { WebhookEvent } from '../../../domain/money/catalogue.ts'
import { CallError } from '../../../contract/endpoint.ts'
import type { Webhook } from '../../../contract/account/webhooks.ts'
import { api } from '../../app/api.ts'
import { messageOf } from '../../app/failures.ts'
import { Button } from '../../ui/button.tsx'
import { Checkboxes } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/field.tsx'
import { useCheckedForm } from '../../saved/checked-form.ts'
import type { Complaint } from '../../ui/form-problem.ts'

/** Adds a webhook, or changes one that exists. */
export function WebhookForm({
  webhook,
  onSaved,
}: {
  webhook?: Webhook
  /** With the secret of a new one. */
  onSaved: (secret: Saved) => void
}) {
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(
    webhook?.events ?? ['job.completed', 'job.failed'],
  )
  const { formRef, errorOf, unmark, onSubmit, isSending } = useCheckedForm<'url' | 'events', Saved>(
    {
      check: () => findProblem(url, events),
      async send() {
        const body = { url: url.trim(), events: [...events], description }
        if (!webhook) return (await api.createWebhook({ body })).webhook.secret
        await api.updateWebhook({ params: { id: webhook.id }, body })
        return null
      },
      onSent: onSaved,
      complaintOf(failure) {
        if (!(failure instanceof CallError) || failure.body.field !== 'url') return null
        const message = messageOf(failure, fallback)
        return {
          field: 'url',
          title: 'Validation Error',
          message,
          note: 'This address cannot be used.',
        }
      },
      fallback,
    },
  )
  return (
    <form
      ref={formRef}
      noValidate
      onSubmit={onSubmit}
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
      <Checkboxes
        label="Events"
        error={errorOf('events')}
        values={webhookEvents}
        chosen={events}
        onChange={(chosen) => {
          unmark('events')
          setEvents(chosen)
        }}
        columns="sm:grid-cols-3"
      />
      <Button
        type="submit"
        look="primary"
        size="md"
        busy={isSending}
        className="justify-self-start"
      >
        {isSending ? 'Saving...' : webhook ? 'Save' : 'Add'}
      </Button>
    </form>
  )
}

/** The secret of a new webhook. */
type Saved = string | null

const fallback = 'Failed to save the webhook'

function findProblem(
  url: string,
  events: readonly WebhookEvent[],
): Complaint<'url' | 'events'> | null {
  const title = 'Validation Error'
  if (!url.trim()) {
    const note = 'Where should we send events?'
    return { field: 'url', title, message: 'Please enter a URL', note }
  }
  if (events.length > 0) return null
  const note = 'Without an event nothing is sent.'
  return { field: 'events', title, message: 'Please choose at least one event', note }
}
