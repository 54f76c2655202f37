import { useBillingStats } from '../../features/billing/stats.ts'
import { useRecentJobs } from '../../features/jobs/recent-jobs.tsx'
import { balanceUsd, usd } from '../../app/format.ts'
import { useMe } from '../../session/me.ts'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Four figures at a glance; the small print keeps two meanings of spending apart. */
export function StatTiles() {
  const { data: me, isError: isMeMissing } = useMe()
  const { data: stats, isError: areStatsMissing } = useBillingStats()
  const { inProgress, isError: areJobsMissing } = useRecentJobs()
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line lg:grid-cols-4">
      <Tile
        label="Available Credits"
        value={me && balanceUsd(me.account_balance_usd)}
        hint={me && heldText(me.balance?.held_usd ?? 0)}
        isMissing={isMeMissing}
      />
      <Tile
        label="Total Spent"
        value={stats && usd(stats.total_spent_usd)}
        hint="on credit packages"
        isMissing={areStatsMissing}
      />
      <Tile
        label="Bonus Credits"
        value={stats && usd(stats.total_bonus_credits_usd)}
        hint="received with packages"
        isMissing={areStatsMissing}
      />
      <Tile
        label="Jobs in Progress"
        value={inProgress?.toString()}
        hint="queued or running"
        isMissing={areJobsMissing}
      />
    </dl>
  )
}

/** A figure that did not come is a dash: a shape that moves forever would promise one. */
function Tile({
  label,
  value,
  hint,
  isMissing,
}: {
  label: string
  value: string | undefined
  hint?: string
  isMissing: boolean
}) {
  return (
    <div className="bg-panel px-5 py-4">
      <dt className="text-ink-3">{label}</dt>
      <dd className="timecode mt-1 text-xl">
        {value ?? (isMissing ? '–' : <Skeleton className="h-7.5 w-20" />)}
      </dd>
      {hint && <dd className="text-xs text-ink-3">{hint}</dd>}
    </div>
  )
}

function heldText(heldUsd: number): string {
  return heldUsd > 0 ? `${usd(heldUsd)} more held by running jobs` : 'to spend now'
}
