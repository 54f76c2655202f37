import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import type { Webhook } from '../../../contract/account/webhooks.ts'
import { api } from '../../app/api.ts'
import { ago } from '../../app/format.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
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
            onSaved={(made) => {
              setCreating(false)
              setSecret(made)
              void queries.invalidateQueries({ queryKey: webhooksQuery })
            }}
          />
        )}
        {secret && <NewSecret value={secret} onDone={() => setSecret(null)} />}
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
  const [asked, setAsked] = useState<'delete' | 'rotate' | null>(null)
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
      if (action === 'test') setIsOpen(true)
    },
    meta: { failure: { fallback: 'That failed' } },
    onSettled: () => {
      setAsked(null)
      return queries.invalidateQueries({ queryKey: webhooksQuery })
    },
  })
  const button = (action: Action, label: string, onClick = () => change.mutate(action)) => (
    <Button busy={change.isPending && change.variables === action} onClick={onClick}>
      {label}
    </Button>
  )
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
        {webhook.enabled && button('test', 'Send test')}
        <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Hide deliveries' : 'Deliveries'}
        </Button>
        <Button aria-expanded={isEdited} onClick={() => setIsEdited(!isEdited)}>
          {isEdited ? 'Cancel' : 'Edit'}
        </Button>
        {button('rotate', 'New secret', () => setAsked('rotate'))}
        {webhook.enabled ? button('off', 'Switch off') : button('on', 'Switch on')}
        {button('delete', 'Delete', () => setAsked('delete'))}
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
      <AlertDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={asked === 'delete' ? 'Delete webhook' : 'New secret'}
        question={
          asked === 'delete'
            ? 'Its deliveries are deleted too. This cannot be undone.'
            : 'The old secret stays valid for 24 hours beside the new one.'
        }
        confirmLabel={asked === 'delete' ? 'Delete' : 'Make a new secret'}
        busy={change.isPending}
        onConfirm={() => asked && change.mutate(asked)}
      />
    </li>
  )
}

type Action = 'test' | 'rotate' | 'on' | 'off' | 'delete'

const done: Record<Action, string> = {
  test: 'Test event sent',
  rotate: 'New secret made',
  on: 'Webhook switched on',
  off: 'Webhook switched off',
  delete: 'Webhook deleted',
}

/** The secret, for the only time that it can be seen. */
function NewSecret({ value, onDone }: { value: string; onDone: () => void }) {
  return (
    <div
      role="status"
      className="flex flex-col gap-2 rounded-lg border border-line bg-good-wash p-3"
    >
      <p className="font-medium">The secret that signs this webhook</p>
      <p className="text-ink-2">Copy it now. You won’t see it again.</p>
      <div className="flex items-center gap-2">
        <code className="min-w-0 grow rounded-md border border-line bg-panel px-2.5 py-1.5 break-all">
          {value}
        </code>
        <CopyButton text={value} label="Copy the secret" />
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  )
}
