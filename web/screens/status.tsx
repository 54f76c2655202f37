import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { api } from '../app/api.ts'
import { dateTime } from '../app/format.ts'
import { createQueryClient } from '../app/query-client.ts'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Panel } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const everyMs = 30_000

/** How the service does, for everybody. */
export function Status() {
  // Public pages have no cache of data calls; this one brings its own.
  const [queries] = useState(() => createQueryClient())
  return (
    <QueryClientProvider client={queries}>
      <Board />
    </QueryClientProvider>
  )
}

function Board() {
  const { data, isError, refetch } = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => api.getStatus(undefined, { signal }),
    refetchInterval: everyMs,
  })
  const isWell = data?.status === 'ok' && !isError
  return (
    <div className="measure flex grow flex-col py-12">
      <div className="mx-auto w-full max-w-140">
        <h1 className="text-2xl font-semibold tracking-tight">Status</h1>
        <p className="mt-2 mb-5 text-md text-ink-2" role="status">
          {isError
            ? 'The service cannot be reached.'
            : !data
              ? 'Checking…'
              : isWell
                ? 'Everything works.'
                : 'Some parts do not work as they should.'}
        </p>
        <Panel>
          {isError ? (
            <LoadFailure onRetry={() => void refetch()} />
          ) : !data ? (
            <Skeleton className="h-40" />
          ) : (
            <ul className="divide-y divide-line">
              {data.parts.map((part) => (
                <li key={part.name} className="flex items-start gap-3 py-3 first:pt-0 last:pb-0">
                  {part.state === 'ok' ? (
                    <CircleCheck
                      size={18}
                      className="mt-0.5 shrink-0 text-good"
                      aria-label="Works"
                    />
                  ) : (
                    <CircleAlert
                      size={18}
                      className="mt-0.5 shrink-0 text-warn"
                      aria-label="Does not work as it should"
                    />
                  )}
                  <div>
                    <p className="font-medium">{part.name}</p>
                    <p className="text-ink-3">{part.note}</p>
                  </div>
                </li>
              ))}
            </ul>
          )}
        </Panel>
        {data && (
          <p className="mt-3 text-xs text-ink-3">
            Checked {dateTime(data.checked_at)}. Updates every 30 seconds.
          </p>
        )}
      </div>
    </div>
  )
}
