import { listLengths } from '../../../domain/money/catalogue.ts'
import { dateTime, signedUsd } from '../../app/format.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel, PanelLink } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useHistory } from './history.ts'

/** The latest five credits: grants, purchases, reloads. */
export function RecentTransactions() {
  const { transactions, isPending, isError, retry } = useHistory({
    limit: listLengths.dashboardTransactions,
    type: 'credit',
  })
  return (
    <Panel
      title="Recent Transactions"
      actions={<PanelLink to="/profile#billing">Billing</PanelLink>}
    >
      {isPending ? (
        <Skeleton className="h-24" />
      ) : isError ? (
        <LoadFailure onRetry={retry} />
      ) : transactions.length === 0 ? (
        <EmptyState title="No transactions yet">
          Credits you receive or buy show up here.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {transactions.map((item) => (
            <li key={item.id} className="flex items-center gap-3 py-2 first:pt-0 last:pb-0">
              <div className="min-w-0 grow">
                <p className="truncate">{item.description}</p>
                <p className="text-xs text-ink-3">{dateTime(item.created_at)}</p>
              </div>
              <p className="timecode text-good">{signedUsd(item.amount_usd)}</p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
