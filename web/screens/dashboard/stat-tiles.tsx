import { useBillingStats } from '../../features/billing/stats.ts'
import { useRecentJobs } from '../../features/jobs/job-list.ts'
import { balanceUsd, usd } from '../../app/format.ts'
import { useMe } from '../../session/me.ts'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Four figures at a glance; the small print keeps two meanings of spending apart. */
export function StatTiles() {
  const { data: me, isError: isMeMissing } = useMe()
  const { data: stats, isError: areStatsMissing } = useBillingStats()
  const { inProgress, isError: areJobsMissing } = useRecentJobs()
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line md:grid-cols-4">
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
    <div className="grid h-12 grid-cols-[1fr_auto] content-center items-center gap-x-2 bg-panel px-4 leading-tight max-sm:h-11 max-sm:px-2.5">
      <dt className="truncate text-ink-2 max-sm:text-xs">{label}</dt>
      <dd className="timecode text-md sm:row-span-2">
        {value ?? (isMissing ? '–' : <Skeleton className="h-5 w-16" />)}
      </dd>
      {hint && <dd className="truncate text-xs text-ink-3 max-sm:hidden">{hint}</dd>}
    </div>
  )
}

function heldText(heldUsd: number): string {
  return heldUsd > 0 ? `${usd(heldUsd)} more held by running jobs` : 'to spend now'
}
