import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor } from 'lucide-react'
import { useNavigate } from 'react-router'
import type { Session } from '../../../contract/accounts.ts'
import { api } from '../../app/api.ts'
import { ago } from '../../app/figures.ts'
import { providerName } from '../../app/provider-name.ts'
import { logout } from '../../app/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'
import { deviceOf } from './device.ts'

/** Where the account is signed in; ending the session in use logs out. */
export function SessionsPanel() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { data, isPending, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => api.listSessions(undefined, { signal }),
  })
  const end = useMutation({
    mutationFn: (session: Session) =>
      session.current ? api.logout() : api.endSession({ params: { id: session.id } }),
    onSuccess: async (_, session) => {
      if (!session.current) {
        showToast({ type: 'success', title: 'Success', message: 'Session ended' })
        await queries.invalidateQueries({ queryKey: ['sessions'] })
        return
      }
      logout()
      await navigate('/')
    },
    onError: (error) => showToast({ type: 'error', title: 'Error', message: error.message }),
  })
  return (
    <Panel title="Sessions">
      {isPending ? (
        <Skeleton className="h-14" />
      ) : !data ? (
        <LoadFailure onRetry={() => void refetch()} />
      ) : (
        <ul className="divide-y divide-line">
          {data.sessions.map((session) => (
            <li
              key={session.id}
              className="flex flex-wrap items-center gap-3 py-2 first:pt-0 last:pb-0"
            >
              <Monitor size={16} aria-hidden className="shrink-0 text-ink-3" />
              <div className="min-w-0 grow">
                <p className="flex flex-wrap items-center gap-2">
                  <span className="font-medium">{deviceOf(session.user_agent)}</span>
                  {session.current && <Badge tone="good">Current session</Badge>}
                </p>
                <p className="text-xs text-ink-3">
                  {session.address ?? 'unknown address'} · signed in with{' '}
                  {providerName(session.provider)} · last used {ago(session.last_used_at)}
                </p>
              </div>
              <Button
                busy={end.isPending && end.variables?.id === session.id}
                onClick={() => end.mutate(session)}
              >
                End Session
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
