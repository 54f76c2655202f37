import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Pencil, Plus, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ApiKey } from '../../app/answers.ts'
import { api } from '../../app/api.ts'
import { ago, date, usd } from '../../app/format.ts'
import { keys } from '../../app/queries.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { ShownOnce } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useKeptFocus } from '../../dom/kept-focus.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'
import { CreateKeyForm } from './create-key.tsx'
import { EditKeyDialog } from './edit-key.tsx'

const keysQuery = keys.apiKeys

/** Everything about API keys; the profile and the dashboard's modal show the same one. */
export function ApiKeysPanel() {
  const [creating, setCreating] = useState(false)
  const [created, setCreated] = useState<{ name: string; key: string } | null>(null)
  const keys = useApiKeys()
  const toggle = () => {
    // The new key is shown once: opening or closing the form takes it away.
    setCreated(null)
    setCreating(!creating)
  }
  const rows = keys.data?.apiKeys ?? []
  const root = useRef<HTMLDivElement>(null)
  useKeptFocus(root, 'li')
  return (
    <div ref={root} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone="good">{count(rows, 'active')} active</Badge>
        <Badge>{count(rows, 'expired')} expired</Badge>
        <span className="grow" />
        <Button look={creating ? 'secondary' : 'primary'} onClick={toggle} aria-expanded={creating}>
          {creating ? 'Cancel' : <Plus size={14} aria-hidden />}
          {!creating && 'Create API key'}
        </Button>
      </div>
      {creating && (
        <CreateKeyForm
          onCreated={(key) => {
            setCreating(false)
            setCreated(key)
          }}
        />
      )}
      {created && (
        <ShownOnce
          title={`Your new key “${created.name}”`}
          label="Copy the key"
          value={created.key}
          onDone={() => setCreated(null)}
        />
      )}
      {keys.isPending ? (
        <Skeleton className="h-20" />
      ) : keys.isError && !keys.data ? (
        <LoadFailure onRetry={() => void keys.refetch()} />
      ) : rows.length === 0 ? (
        <EmptyState title="No API keys yet">
          A key lets your own programs upload, run jobs and read results. See the API Docs for a
          first call.
        </EmptyState>
      ) : (
        <KeyList keys={rows} />
      )}
    </div>
  )
}

function useApiKeys() {
  const keys = useQuery({
    queryKey: keysQuery,
    queryFn: ({ signal }) => api.listApiKeys(undefined, { signal }),
  })
  useEffect(() => {
    if (!keys.isError) return
    showToast({
      type: 'error',
      title: 'Failed to load API keys',
      message: 'Failed to fetch API keys',
    })
  }, [keys.isError])
  return keys
}

function count(keys: readonly ApiKey[], status: ApiKey['status']): number {
  return keys.filter((key) => key.status === status).length
}

function KeyList({ keys }: { keys: readonly ApiKey[] }) {
  const [doomed, setDoomed] = useState<ApiKey | null>(null)
  const [edited, setEdited] = useState<ApiKey | null>(null)
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: (id: string) => api.deleteApiKey({ query: { keyId: id } }),
    onSuccess: () => showToast({ type: 'success', title: 'Success', message: 'API key deleted' }),
    meta: { failure: {} },
    onSettled: () => {
      setDoomed(null)
      return queries.invalidateQueries({ queryKey: keysQuery })
    },
  })
  return (
    <>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {keys.map((key) => (
          <li key={key.id} className="flex items-center gap-3 px-3 py-2">
            <KeyRound size={14} aria-hidden className="shrink-0 text-ink-3" />
            <div className="min-w-0 grow">
              <p className="flex flex-wrap items-center gap-2">
                <span className="truncate font-medium">{key.name}</span>
                <Badge tone={key.status === 'active' ? 'good' : 'neutral'}>{key.status}</Badge>
                {key.mode === 'test' && <Badge tone="brand">test</Badge>}
              </p>
              <p className="text-xs text-ink-3">
                {key.hint && (
                  <>
                    <code>{key.hint}…</code> ·{' '}
                  </>
                )}
                created {date(key.created_at)} ·{' '}
                {key.last_used_at ? `last used ${lastUse(key)}` : 'never used'} · expires{' '}
                {date(key.expires_at)}
              </p>
              <Restrictions apiKey={key} />
            </div>
            {/* A service that knows only the specification's calls cannot change a key. */}
            {key.mode && (
              <IconButton label={`Edit ${key.name}`} onClick={() => setEdited(key)}>
                <Pencil size={14} aria-hidden />
              </IconButton>
            )}
            <IconButton label={`Delete ${key.name}`} onClick={() => setDoomed(key)}>
              <Trash2 size={14} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      {edited && <EditKeyDialog apiKey={edited} onClose={() => setEdited(null)} />}
      <AlertDialog
        open={doomed !== null}
        onClose={() => setDoomed(null)}
        title="Delete API key"
        question="Are you sure you want to delete this API key? This cannot be undone."
        confirmLabel="Delete"
        busy={remove.isPending}
        onConfirm={() => doomed && remove.mutate(doomed.id)}
      />
    </>
  )
}

function lastUse({ last_used_at: at, last_used_address: from }: ApiKey): string {
  return `${at ? ago(at) : ''}${from ? ` from ${from}` : ''}`
}

/** The limits of a key: what it may do and spend, and from where. */
function Restrictions({ apiKey }: { apiKey: ApiKey }) {
  const { scopes, spend_limit: limit, spent_usd: spent = 0, allowed_addresses: ranges } = apiKey
  const parts = [
    ...(scopes ? [scopes.join(', ')] : []),
    ...(limit
      ? [`${usd(spent)} of ${usd(limit.usd)} spent ${limit.period === 'month' ? 'this month' : ''}`]
      : []),
    ...(ranges ? [`only from ${ranges.join(', ')}`] : []),
  ]
  if (parts.length === 0) return null
  return <p className="text-xs break-words text-ink-3">{parts.join(' · ')}</p>
}
