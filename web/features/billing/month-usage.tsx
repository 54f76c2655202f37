import { listLengths } from '../../../domain/money/catalogue.ts'
import { formatUsd, fromUsdNumber } from '../../../domain/money/money.ts'
import type { BillingStats, Transaction } from '../../app/answers.ts'
import { usd } from '../../app/format.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useHistory } from './history.ts'
import { useBillingStats } from './stats.ts'

/** The cost of jobs since the first of the month, UTC. */
export function MonthUsage() {
  const { data, isError, refetch } = useBillingStats()
  return (
    <Panel title="Current Month Usage">
      {data ? (
        isSummed(data) ? (
          <dl className="grid grid-cols-3 gap-3">
            <Figure label="Used on jobs" value={usd(data.month_usage_usd)} />
            <Figure label="Jobs" value={String(data.month_jobs)} />
            <Figure label="Media" value={duration(data.month_seconds)} />
          </dl>
        ) : (
          <FromHistory />
        )
      ) : isError ? (
        <LoadFailure onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-12" />
      )}
    </Panel>
  )
}

type Summed = Required<Pick<BillingStats, 'month_usage_usd' | 'month_jobs' | 'month_seconds'>>

/** Whether the service adds up the month, which the specification does not ask of it. */
function isSummed(stats: BillingStats): stats is BillingStats & Summed {
  return stats.month_usage_usd !== undefined
}

/** The month from the latest charges; where all of them are of this month there may be more. */
function FromHistory() {
  const { transactions, isPending } = useHistory({
    limit: listLengths.profileUsage,
    type: 'charge',
  })
  if (isPending) return <Skeleton className="h-12" />
  const month = transactions.filter(isThisMonth)
  const isAll = month.length < listLengths.profileUsage
  const micros = month.reduce((sum, charge) => sum - fromUsdNumber(charge.amount_usd), 0)
  const jobs = new Set(month.map((charge) => charge.job_id ?? charge.id)).size
  return (
    <dl className="grid grid-cols-2 gap-3">
      <Figure label="Used on jobs" value={`${isAll ? '' : 'over '}${formatUsd(micros)}`} />
      <Figure label="Jobs" value={`${jobs}${isAll ? '' : '+'}`} />
    </dl>
  )
}

function isThisMonth({ created_at: at }: Transaction): boolean {
  return new Date(at).toISOString().slice(0, 7) === new Date().toISOString().slice(0, 7)
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-xs text-ink-3">{label}</dt>
      <dd className="timecode text-lg">{value}</dd>
    </div>
  )
}

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  if (minutes < 1) return `${Math.round(seconds)} s`
  return minutes < 60 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`
}
