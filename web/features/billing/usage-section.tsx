import { Download } from 'lucide-react'
import { Link } from 'react-router'
import { listLengths, shownIdLength } from '../../../domain/money/catalogue.ts'
import { date, signedUsd } from '../../app/format.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel, PanelAction } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { downloadHistory, downloadUsage } from './download-history.ts'
import { isOfSync, useHistory } from './history.ts'

/** Usage History: what jobs cost. */
export function UsageSection() {
  const { transactions, isPending, isError, retry } = useHistory({
    limit: listLengths.profileUsage,
    type: 'charge',
  })
  return (
    <Panel
      title="Usage History"
      actions={
        <>
          <PanelAction onClick={() => void downloadUsage()}>
            <Download size={14} aria-hidden /> This month by project (CSV)
          </PanelAction>
          <PanelAction onClick={() => void downloadHistory()}>
            <Download size={14} aria-hidden /> All transactions (CSV)
          </PanelAction>
        </>
      }
    >
      {isPending ? (
        <Skeleton className="h-24" />
      ) : isError ? (
        <LoadFailure onRetry={retry} />
      ) : transactions.length === 0 ? (
        <EmptyState title="No usage yet">Each finished job shows up here with its cost.</EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {transactions.map((charge) => (
            <li key={charge.id} className="flex items-center gap-3 py-2 first:pt-0 last:pb-0">
              <div className="min-w-0 grow">
                <p className="truncate font-medium" title={charge.description}>
                  {charge.description}
                </p>
                <p className="text-xs text-ink-3">
                  {date(charge.created_at)}
                  {charge.job_id && (
                    <>
                      {isOfSync(charge) ? ' · Sync ' : ' · Job '}
                      <Link
                        to={`/${isOfSync(charge) ? 'syncs' : 'jobs'}/${charge.job_id}`}
                        className="timecode text-brand-ink hover:underline"
                      >
                        {charge.job_id.slice(0, shownIdLength)}
                      </Link>
                    </>
                  )}
                </p>
              </div>
              <div className="text-right">
                <p className="timecode">{signedUsd(charge.amount_usd)}</p>
                <p className="text-xs whitespace-nowrap text-ink-3">Usage Charge</p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
