import { fullAnalysisMicrosPerSecond } from '../../../contract/catalogue.ts'
import { fromUsdNumber } from '../../../contract/money.ts'
import { usd } from '../../figures.ts'
import { useMe } from '../../me.ts'
import { useSession } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Who is signed in, what can be spent, and how far that reaches. */
export function WelcomeBanner() {
  const { data } = useMe()
  const { user } = useSession()
  return (
    <section
      aria-label="Account"
      className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg border border-line bg-panel px-5 py-4"
    >
      <div className="min-w-0 grow">
        <h1 className="text-lg font-semibold tracking-tight">Welcome back</h1>
        <p className="flex flex-wrap items-center gap-2 text-ink-2">
          <span className="truncate">{user?.email}</span>
          <Badge tone="good" dot>
            Active
          </Badge>
        </p>
      </div>
      <div className="text-right">
        <p className="text-xs text-ink-3">Credit balance</p>
        {data ? (
          <>
            <p className="timecode text-xl font-medium">{usd(data.account_balance_usd)}</p>
            <p className="text-xs text-ink-3">≈ {minutesLeft(data.account_balance_usd)} left</p>
          </>
        ) : (
          <Skeleton className="h-11.5 w-24" />
        )}
      </div>
    </section>
  )
}

/** How much footage the balance pays for at the price of the full analysis. */
function minutesLeft(balanceUsd: number): string {
  const seconds = Math.max(0, fromUsdNumber(balanceUsd)) / fullAnalysisMicrosPerSecond
  const minutes = Math.floor(seconds / 60)
  return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
}
