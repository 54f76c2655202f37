import { Info } from 'lucide-react'
import type { ReactNode } from 'react'
import type { User } from '../../../contract/account/accounts.ts'
import { fullAnalysisMicrosPerSecond } from '../../../domain/money/catalogue.ts'
import { fromUsdNumber } from '../../../domain/money/money.ts'
import { balanceUsd } from '../../app/format.ts'
import { useMe } from '../../session/me.ts'
import { useSession } from '../../session/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Who is signed in, what can be spent, and how far that reaches. */
export function WelcomeBanner({ action }: { action?: ReactNode }) {
  const { data, isError } = useMe()
  const { user } = useSession()
  return (
    <section
      aria-label="Account"
      className="flex items-center gap-x-6 gap-y-3 rounded-lg border border-line bg-panel px-5 py-4 max-sm:flex-wrap"
    >
      <div className="min-w-0 grow">
        <h1 className="text-lg font-semibold tracking-tight">{greetingOf(user?.createdAt)}</h1>
        <p className="flex items-center gap-2 text-ink-2">
          <span className="truncate" title={user?.email}>
            {user?.email}
          </span>
          <Badge tone="good" dot>
            Active
          </Badge>
        </p>
      </div>
      {action && <div className="max-sm:order-last">{action}</div>}
      <div className="shrink-0 sm:text-right">
        <p className="text-xs text-ink-3">Credit balance</p>
        {data ? (
          <>
            <p className="timecode text-xl font-medium">{balanceUsd(data.account_balance_usd)}</p>
            <p className="text-xs text-ink-3">
              ≈ {reachOf(data.account_balance_usd)} of full analysis left
            </p>
          </>
        ) : isError ? (
          <p className="timecode text-xl font-medium">–</p>
        ) : (
          <Skeleton className="h-11.5 w-24" />
        )}
      </div>
    </section>
  )
}

/** Why there is no free credit, and what to do about it. */
export function FreeCreditNotice() {
  const { data } = useMe()
  const reason = data?.free_credit_withheld
  if (!reason) return null
  return (
    <p
      role="status"
      className="flex gap-2 rounded-lg border border-line bg-warn-wash px-5 py-3 text-warn"
    >
      <Info size={16} aria-hidden className="mt-0.5 shrink-0" />
      <span>{notices[reason]} The sample clip is free, and you can buy credits at any time.</span>
    </p>
  )
}

const notices: Record<NonNullable<User['free_credit_withheld']>, string> = {
  unverified:
    'You have no free credit because your e-mail address is not verified. Verify it at GitHub or Google, then log in again to get $5 each month.',
  identity_used: 'This login already got this month’s free credit in another account.',
}

/** How much footage the balance pays for at the price of the full analysis. */
function reachOf(availableUsd: number): string {
  const micros = Math.max(0, fromUsdNumber(availableUsd))
  const seconds = Math.floor(micros / fullAnalysisMicrosPerSecond)
  return seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

const newForMs = 60 * 60 * 1000

/** Nobody who signed up a moment ago is back. */
function greetingOf(createdAt: string | undefined): string {
  const isNew = createdAt !== undefined && Date.now() - Date.parse(createdAt) < newForMs
  return isNew ? 'Welcome' : 'Welcome back'
}
