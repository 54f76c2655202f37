import { usd } from '../../app/figures.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useBillingStats } from './stats.ts'

/** What jobs have cost since the first of the month, UTC. */
export function MonthUsage() {
  const { data, isError, refetch } = useBillingStats()
  return (
    <Panel title="Current Month Usage">
      {data ? (
        <dl className="grid grid-cols-3 gap-3">
          <Figure label="Used on jobs" value={usd(data.month_usage_usd)} />
          <Figure label="Jobs" value={String(data.month_jobs)} />
          <Figure label="Media" value={duration(data.month_seconds)} />
        </dl>
      ) : isError ? (
        <LoadFailure onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-12" />
      )}
    </Panel>
  )
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
