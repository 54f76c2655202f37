import { useBillingStats } from '../../features/billing/stats.ts'
import { isInProgress } from '../../features/jobs/job-status.tsx'
import { useRecentJobs } from '../../features/jobs/recent-jobs.tsx'
import { usd } from '../../figures.ts'
import { useMe } from '../../me.ts'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Four figures at a glance. */
export function StatTiles() {
  const { data: me } = useMe()
  const { data: stats } = useBillingStats()
  const { jobs, isPending } = useRecentJobs()
  const running = jobs.filter((job) => isInProgress(job.status)).length
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line lg:grid-cols-4">
      <Tile label="Available Credits" value={me && usd(me.account_balance_usd)} />
      <Tile label="Total Spent" value={stats && usd(stats.total_spent_usd)} />
      <Tile label="Bonus Credits" value={stats && usd(stats.total_bonus_credits_usd)} />
      <Tile label="Jobs in Progress" value={isPending ? undefined : String(running)} />
    </dl>
  )
}

function Tile({ label, value }: { label: string; value: string | undefined }) {
  return (
    <div className="bg-panel px-5 py-4">
      <dt className="text-ink-3">{label}</dt>
      <dd className="timecode mt-1 text-xl">{value ?? <Skeleton className="h-7.5 w-20" />}</dd>
    </div>
  )
}
