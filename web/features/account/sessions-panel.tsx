import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor } from 'lucide-react'
import { useNavigate } from 'react-router'
import type { Session } from '../../../contract/account/accounts.ts'
import { api } from '../../app/api.ts'
import { isMissingCall } from '../../app/failures.ts'
import { ago } from '../../app/format.ts'
import { providerName } from '../../session/provider-name.ts'
import { logout } from '../../session/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'
import { deviceOf } from '../../../domain/device.ts'

type ShownSession = Pick<Session, 'id' | 'current'> & Partial<Session>

/** Where the account is signed in. The session in use is there whatever the service answers. */
export function SessionsPanel() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { data, isPending, error, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => api.listSessions(undefined, { signal }),
  })
  const end = useMutation({
    mutationFn: (session: ShownSession): Promise<unknown> =>
      session.current ? endThisSession() : api.endSession({ params: { id: session.id } }),
    onSuccess: async (_, session) => {
      if (!session.current) {
        showToast({ type: 'success', title: 'Success', message: 'Session ended' })
        await queries.invalidateQueries({ queryKey: ['sessions'] })
        return
      }
      logout()
      await navigate('/')
    },
    meta: { failure: {} },
  })
  const listed: readonly ShownSession[] = data?.sessions ?? []
  const isListed = listed.some((session) => session.current)
  const sessions = isListed ? listed : [inUse(), ...listed]
  return (
    <Panel title="Sessions">
      <ul className="divide-y divide-line">
        {sessions.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center gap-3 py-2 first:pt-0 last:pb-0"
          >
            <Monitor size={16} aria-hidden className="shrink-0 text-ink-3 max-sm:hidden" />
            <div className="min-w-0 grow">
              <p className="flex flex-wrap items-center gap-2">
                <span className="font-medium">{deviceOf(session.user_agent ?? null)}</span>
                {session.current && <Badge tone="good">Current session</Badge>}
              </p>
              {session.last_used_at && session.provider && (
                <p className="text-xs text-ink-3">
                  {session.address ?? 'unknown address'} · signed in with{' '}
                  {providerName(session.provider)} · last used {ago(session.last_used_at)}
                </p>
              )}
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
      {isPending && <Skeleton className="mt-2 h-14" />}
      {error && !isMissingCall(error) && !data && <LoadFailure onRetry={() => void refetch()} />}
    </Panel>
  )
}

function inUse(): ShownSession {
  return { id: '', current: true, user_agent: navigator.userAgent }
}

/** A service without this call keeps the token until it runs out; this browser forgets it. */
async function endThisSession(): Promise<void> {
  await api.logout().catch((error: unknown) => {
    if (!isMissingCall(error)) throw error
  })
}
