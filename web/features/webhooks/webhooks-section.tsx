import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import type { Webhook } from '../../../contract/account/webhooks.ts'
import { api } from '../../app/api.ts'
import { ago } from '../../app/format.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ShownOnce } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Deliveries } from './deliveries.tsx'
import { WebhookForm } from './webhook-form.tsx'

const webhooksQuery = ['webhooks']

/** Profile, Webhooks: signed messages to the account's own servers. */
export function WebhooksSection() {
  const [creating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const queries = useQueryClient()
  const webhooks = useQuery({
    queryKey: webhooksQuery,
    queryFn: ({ signal }) => api.listWebhooks(undefined, { signal }),
  })
  const rows = webhooks.data?.webhooks ?? []
  const toggle = () => {
    setSecret(null)
    setCreating(!creating)
  }
  return (
    <Panel
      title="Webhooks"
      actions={
        <Button look={creating ? 'secondary' : 'primary'} aria-expanded={creating} onClick={toggle}>
          {!creating && <Plus size={14} aria-hidden />}
          {creating ? 'Cancel' : 'Add webhook'}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {creating && (
          <WebhookForm
            onSaved={(created) => {
              setCreating(false)
              setSecret(created)
              void queries.invalidateQueries({ queryKey: webhooksQuery })
            }}
          />
        )}
        {secret && (
          <ShownOnce
            title="The secret that signs this webhook"
            label="Copy the secret"
            value={secret}
            onDone={() => setSecret(null)}
          />
        )}
        {webhooks.isPending ? (
          <Skeleton className="h-20" />
        ) : !webhooks.data ? (
          <LoadFailure onRetry={() => void webhooks.refetch()} />
        ) : rows.length === 0 ? (
          !creating && (
            <EmptyState title="No webhooks yet">
              We call your server when a job or batch ends, a payment arrives or credit runs low.
              Every call is signed.
            </EmptyState>
          )
        ) : (
          <ul className="flex flex-col gap-3">
            {rows.map((webhook) => (
              <WebhookCard key={webhook.id} webhook={webhook} onSecret={setSecret} />
            ))}
          </ul>
        )}
      </div>
    </Panel>
  )
}

function WebhookCard({
  webhook,
  onSecret,
}: {
  webhook: Webhook
  onSecret: (secret: string) => void
}) {
  const [isOpen, setIsOpen] = useState(false)
  const [isEdited, setIsEdited] = useState(false)
  const { actions, question } = useWebhookActions(webhook, onSecret, () => setIsOpen(true))
  const queries = useQueryClient()
  return (
    <li className="rounded-lg border border-line p-3">
      <div className="flex flex-wrap items-center gap-2">
        <WebhookIcon size={14} aria-hidden className="shrink-0 text-ink-3 max-sm:hidden" />
        <p className="min-w-0 grow font-medium break-all">{webhook.url}</p>
        {webhook.enabled ? (
          webhook.failing_since ? (
            <Badge tone="warn">First failed {ago(webhook.failing_since)}</Badge>
          ) : (
            <Badge tone="good">On</Badge>
          )
        ) : (
          <Badge tone={webhook.off_reason ? 'bad' : 'neutral'}>Off</Badge>
        )}
      </div>
      {webhook.off_reason && <p className="mt-1 text-bad">{webhook.off_reason}</p>}
      {webhook.description && <p className="mt-1 text-ink-2">{webhook.description}</p>}
      <p className="mt-1 text-xs text-ink-3">{webhook.events.join(' · ')}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        {webhook.enabled && actions('test', 'Send test')}
        <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Hide deliveries' : 'Deliveries'}
        </Button>
        <Button aria-expanded={isEdited} onClick={() => setIsEdited(!isEdited)}>
          {isEdited ? 'Cancel' : 'Edit'}
        </Button>
        {actions('rotate', 'New secret')}
        {webhook.enabled ? actions('off', 'Switch off') : actions('on', 'Switch on')}
        {actions('delete', 'Delete')}
      </div>
      {isEdited && (
        <div className="mt-3">
          <WebhookForm
            webhook={webhook}
            onSaved={() => {
              setIsEdited(false)
              showToast({ type: 'success', title: 'Success', message: 'Webhook saved' })
              void queries.invalidateQueries({ queryKey: webhooksQuery })
            }}
          />
        </div>
      )}
      {isOpen && <Deliveries webhook={webhook} />}
      {question}
    </li>
  )
}

/** The buttons that change a webhook, and the question that some of them ask first. */
function useWebhookActions(
  webhook: Webhook,
  onSecret: (secret: string) => void,
  onTested: () => void,
) {
  const [asked, setAsked] = useState<Action | null>(null)
  const queries = useQueryClient()
  const params = { id: webhook.id }
  const change = useMutation({
    mutationFn: async (action: Action): Promise<string> => {
      if (action === 'delete') await api.deleteWebhook({ params })
      else if (action === 'test') await api.testWebhook({ params })
      else if (action === 'rotate')
        onSecret((await api.rotateWebhookSecret({ params })).webhook.secret)
      else await api.updateWebhook({ params, body: { enabled: action === 'on' } })
      return done[action]
    },
    onSuccess: (message, action) => {
      showToast({ type: 'success', title: 'Success', message })
      if (action === 'test') onTested()
    },
    meta: { failure: { fallback: 'That failed' } },
    onSettled: () => {
      setAsked(null)
      return queries.invalidateQueries({ queryKey: webhooksQuery })
    },
  })
  const actions = (action: Action, label: string) => (
    <Button
      busy={change.isPending && change.variables === action}
      onClick={() =>
        action === 'delete' || action === 'rotate' ? setAsked(action) : change.mutate(action)
      }
    >
      {label}
    </Button>
  )
  const isDeleting = asked === 'delete'
  const question = (
    <AlertDialog
      open={asked !== null}
      onClose={() => setAsked(null)}
      title={isDeleting ? 'Delete webhook' : 'New secret'}
      question={
        isDeleting
          ? 'Its deliveries are deleted too. This cannot be undone.'
          : 'The old secret stays valid for 24 hours beside the new one.'
      }
      confirmLabel={isDeleting ? 'Delete' : 'Make a new secret'}
      busy={change.isPending}
      onConfirm={() => asked && change.mutate(asked)}
    />
  )
  return { actions, question }
}

type Action = 'test' | 'rotate' | 'on' | 'off' | 'delete'

const done: Record<Action, string> = {
  test: 'Test event sent',
  rotate: 'New secret made',
  on: 'Webhook switched on',
  off: 'Webhook switched off',
  delete: 'Webhook deleted',
}
