import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { usd } from '../../app/format.ts'
import { useMe } from '../../session/me.ts'
import { useSession } from '../../session/session.tsx'
import { keys } from '../../app/queries.ts'
import { TextField } from '../../ui/field.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Who the account belongs to; the provider is the source, so nothing can be edited here. */
export function AccountInfo() {
  const { data: me, refetch: refetchMe } = useMe()
  const {
    data: stats,
    isError,
    refetch,
  } = useQuery({
    queryKey: keys.billingStats,
    queryFn: ({ signal }) => api.getBillingStats(undefined, { signal }),
  })
  const { user } = useSession()
  return (
    <Panel title="Account Info">
      <div className="grid gap-4 sm:grid-cols-2 [&_input]:border-transparent [&_input]:bg-raised">
        <TextField label="Email" value={(me ?? user)?.email ?? ''} readOnly />
        <TextField label="Username" value={(me ?? user)?.username ?? ''} readOnly />
        <TextField label="Account Type" value="Pay-As-You-Go" readOnly />
      </div>
      <p className="mt-2 text-xs text-ink-3">These come from the account you sign in with.</p>
      {isError && !stats ? (
        <LoadFailure onRetry={() => void Promise.all([refetch(), refetchMe()])} />
      ) : (
        <dl className="mt-5 grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2">
          <Stat label="Lifetime Spend" amount={stats?.total_spent_usd} />
          <Stat label="Total Credits Purchased" amount={stats?.total_credits_purchased_usd} />
        </dl>
      )}
    </Panel>
  )
}

function Stat({ label, amount }: { label: string; amount: number | undefined }) {
  return (
    <div className="bg-panel p-4">
      <dt className="text-ink-3">{label}</dt>
      <dd className="timecode mt-1 text-lg">
        {amount === undefined ? <Skeleton className="h-7 w-24" /> : usd(amount)}
      </dd>
    </div>
  )
}
