import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { isMissingCall } from '../../app/failures.ts'
import { dateTime } from '../../app/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const pageLength = 10

type AuditEntry = Awaited<ReturnType<typeof api.listAudit>>['entries'][number]

/** Who changed what, newest first. A service without this call shows nothing. */
export function AuditPanel() {
  const audit = useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam, signal }) =>
      api.listAudit(
        { query: { limit: pageLength, ...(pageParam ? { cursor: pageParam } : {}) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  })
  if (isMissingCall(audit.error)) return null
  const entries = audit.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <Panel title="Audit Log">
      {audit.isPending ? (
        <Skeleton className="h-20" />
      ) : !audit.data ? (
        <LoadFailure onRetry={() => void audit.refetch()} />
      ) : entries.length === 0 ? (
        <EmptyState title="Nothing was changed yet">
          Every change by you or your API keys is listed here for a year.
        </EmptyState>
      ) : (
        <>
          <ul className="divide-y divide-line">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ul>
          {audit.hasNextPage && (
            <Button
              className="mt-3"
              busy={audit.isFetchingNextPage}
              onClick={() => void audit.fetchNextPage()}
            >
              Show more
            </Button>
          )}
        </>
      )}
    </Panel>
  )
}

function Entry({ entry }: { entry: AuditEntry }) {
  const who = entry.actor.kind === 'key' ? `API key ${entry.actor.name ?? '(deleted)'}` : 'you'
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 py-2 first:pt-0 last:pb-0">
      <span className="flex min-w-0 grow flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{entry.summary}</span>
        {entry.object_id && (
          <code className="text-xs text-ink-3" title={entry.object_id}>
            {shortObject(entry.object_id)}
          </code>
        )}
        {entry.mode === 'test' && <Badge tone="brand">test</Badge>}
        {!entry.is_done && <Badge tone="warn">unfinished</Badge>}
      </span>
      <span className="text-xs break-words text-ink-3">
        {who} · {entry.address} · {dateTime(entry.at)}
      </span>
    </li>
  )
}

function shortObject(ids: string): string {
  const [first = '', ...more] = ids.split(',')
  return more.length > 0 ? `${first.slice(0, 8)} and ${more.length} more` : first.slice(0, 8)
}
