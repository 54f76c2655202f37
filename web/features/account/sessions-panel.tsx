import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor } from 'lucide-react'
import { useNavigate } from 'react-router'
import type { Session } from '../../../contract/accounts.ts'
import { api } from '../../app/api.ts'
import { isMissingCall } from '../../app/failures.ts'
import { ago } from '../../app/format.ts'
import { providerName } from '../../app/provider-name.ts'
import { logout } from '../../app/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'
import { deviceOf } from '../../../contract/device.ts'

type EndedSession = Pick<Session, 'id' | 'current'>

/** Where the account is signed in; ending the session in use logs out. */
export function SessionsPanel() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { data, isPending, error, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => api.listSessions(undefined, { signal }),
  })
  const end = useMutation({
    mutationFn: (session: EndedSession): Promise<unknown> =>
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
  const button = (session: EndedSession) => (
    <Button
      busy={end.isPending && end.variables?.id === session.id}
      onClick={() => end.mutate(session)}
    >
      End Session
    </Button>
  )
  return (
    <Panel title="Sessions">
      {isPending ? (
        <Skeleton className="h-14" />
      ) : isMissingCall(error) ? (
        // A service without a list of sessions still has the one in use.
        <div className="flex flex-wrap items-center gap-3">
          <Monitor size={16} aria-hidden className="shrink-0 text-ink-3 max-sm:hidden" />
          <p className="flex grow flex-wrap items-center gap-2 font-medium">
            {deviceOf(navigator.userAgent)} <Badge tone="good">Current session</Badge>
          </p>
          {button({ id: '', current: true })}
        </div>
      ) : !data ? (
        <LoadFailure onRetry={() => void refetch()} />
      ) : (
        <ul className="divide-y divide-line">
          {data.sessions.map((session) => (
            <li
              key={session.id}
              className="flex flex-wrap items-center gap-3 py-2 first:pt-0 last:pb-0"
            >
              <Monitor size={16} aria-hidden className="shrink-0 text-ink-3 max-sm:hidden" />
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
              {button(session)}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** A service without this call keeps the token until it runs out; this browser forgets it. */
async function endThisSession(): Promise<void> {
  await api.logout().catch((error: unknown) => {
    if (!isMissingCall(error)) throw error
  })
}
