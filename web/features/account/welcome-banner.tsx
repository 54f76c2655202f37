import { Info, Wallet } from 'lucide-react'
import type { User } from '../../../contract/account/accounts.ts'
import { fullAnalysisMicrosPerSecond } from '../../../domain/money/catalogue.ts'
import { fromUsdNumber } from '../../../domain/money/money.ts'
import { balanceUsd } from '../../app/format.ts'
import { useMe } from '../../session/me.ts'
import { useSession } from '../../session/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Who is signed in, what can be spent, how far that reaches, and the way to more. */
export function WelcomeBanner({ onBuy }: { onBuy: () => void }) {
  const { data, isError } = useMe()
  const { user } = useSession()
  const balance = data ? balanceUsd(data.account_balance_usd) : isError ? '–' : null
  return (
    <section
      aria-label="Account"
      className="flex min-h-14 items-center gap-x-3 rounded-lg border border-line bg-panel px-4 max-md:flex-wrap max-md:py-2"
    >
      <h1 className="text-md font-semibold tracking-tight whitespace-nowrap">
        {greetingOf(user?.createdAt)}
      </h1>
      {/* A phone has a second line, for the e-mail and the reach. */}
      <span className="order-1 basis-full md:hidden" />
      <span className="min-w-0 truncate text-ink-2 max-md:order-1" title={user?.email}>
        {user?.email}
      </span>
      <Badge tone="good" dot>
        Active
      </Badge>
      <span className="ml-auto text-ink-3 max-lg:sr-only">Credit balance</span>
      <p className="timecode text-lg font-medium max-lg:ml-auto">
        {balance ?? <Skeleton className="h-5 w-20" />}
      </p>
      {data && (
        <span className="text-xs whitespace-nowrap text-ink-3 max-md:order-1">
          ≈ {reachOf(data.account_balance_usd)} of full analysis left
        </span>
      )}
      <Button size="md" onClick={onBuy}>
        <Wallet size={14} aria-hidden className="max-sm:hidden" />
        <span>
          Buy<span className="max-sm:sr-only"> Credits</span>
        </span>
      </Button>
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
      className="flex gap-2 rounded-lg border border-line bg-warn-wash px-4 py-3 text-warn"
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
