import { Link } from 'react-router'
import type { SyncSummary } from '../../contract/footage/syncs.ts'
import { isMissingCall } from '../app/failures.ts'
import { ago, counted } from '../app/format.ts'
import { useSyncs } from '../features/syncs/sync-data.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** /syncs: every sync, newest first. */
export function Syncs() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useSyncs()
  const syncs = data?.pages.flatMap((page) => page.syncs)
  return (
    <div className="flex grow flex-col">
      <header className="flex h-11 items-center gap-3 border-b border-line bg-panel px-4">
        <h1 className="font-semibold">Syncs</h1>
        <span className="grow" />
        <ButtonLink to="/library">Library</ButtonLink>
      </header>
      <div className="mx-auto w-full max-w-350 p-4">
        {error && !syncs ? (
          isMissingCall(error) ? (
            <EmptyState title="This server has no syncs" />
          ) : (
            <LoadFailure onRetry={() => void refetch()} />
          )
        ) : !syncs ? (
          <div role="status" aria-label="Loading syncs" className="flex flex-col gap-2">
            <Skeleton className="h-9" />
            <Skeleton className="h-9" />
          </div>
        ) : syncs.length === 0 ? (
          <EmptyState
            title="No syncs yet"
            action={<ButtonLink to="/library">Open the library</ButtonLink>}
          >
            Select the cameras and the recorder of a scene in the library, then choose Sync by
            sound.
          </EmptyState>
        ) : (
          <ul className="divide-y divide-line border-y border-line">
            {syncs.map((sync) => (
              <Row key={sync.id} sync={sync} />
            ))}
          </ul>
        )}
        {hasNextPage && (
          <Button className="mt-4" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        )}
      </div>
    </div>
  )
}

function Row({ sync }: { sync: SyncSummary }) {
  const isWhole = sync.placed_count === sync.item_count
  return (
    <li className="relative flex h-10 items-center gap-4 px-2 hover:bg-hover pointer-coarse:h-12">
      <Link to={`/syncs/${sync.id}`} className="row-link min-w-0 grow truncate font-medium">
        {sync.name}
      </Link>
      {sync.status === 'completed' ? (
        <Badge tone={isWhole ? 'good' : 'warn'}>
          {sync.placed_count} of {sync.item_count} in sync
        </Badge>
      ) : (
        <Badge tone={sync.status === 'failed' ? 'bad' : 'neutral'}>{sync.status}</Badge>
      )}
      <span className="figures text-xs text-ink-3 max-sm:hidden">
        {counted(sync.item_count, 'clip')}
      </span>
      <span className="w-28 text-right text-xs text-ink-3">{ago(sync.created_at)}</span>
    </li>
  )
}
