import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { api } from '../../app/api.ts'
import { isMissingCall } from '../../app/failures.ts'
import { dateTime } from '../../app/format.ts'
import { Button } from '../../ui/button.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const queryKey = ['data-export']
const pollMs = 3000

/** Everything that is kept about the account, as an archive that is made in the background. */
export function DataPanel() {
  const queries = useQueryClient()
  const { data, isPending, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.getDataExport(undefined, { signal }),
    refetchInterval: ({ state }) => (state.data?.data_export?.status === 'queued' ? pollMs : false),
  })
  const request = useMutation({
    mutationFn: () => api.requestDataExport(),
    onSuccess: (answer) => queries.setQueryData(queryKey, answer),
    meta: { failure: {} },
  })
  if (isMissingCall(error)) return null
  const last = data?.data_export
  const isQueued = last?.status === 'queued'
  return (
    <Panel title="Your Data">
      <p className="text-ink-2">
        An archive of everything we keep about your account: JSON, CSV and the list of your
        originals. The link also comes by e-mail and works for a day.
      </p>
      {isPending ? (
        <Skeleton className="mt-3 h-8 w-40" />
      ) : !data ? (
        <LoadFailure onRetry={() => void refetch()} />
      ) : (
        <div className="mt-3 flex flex-wrap items-center gap-3">
          {last?.url ? (
            <a
              href={last.url}
              className="inline-flex items-center gap-1.5 text-brand-ink underline"
              download
            >
              <Download size={14} aria-hidden /> Download my data
            </a>
          ) : (
            <Button busy={request.isPending || isQueued} onClick={() => request.mutate()}>
              {isQueued ? 'Being made…' : 'Download my data'}
            </Button>
          )}
          {last?.status === 'failed' && (
            <p className="text-bad">The last archive could not be made. Please try again.</p>
          )}
          {last?.url && last.expires_at && (
            <p className="text-xs text-ink-3">Until {dateTime(last.expires_at)}</p>
          )}
        </div>
      )}
    </Panel>
  )
}
