import { Download } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { autoReload, listLengths } from '../../../domain/money/catalogue.ts'
import type { CreditPackage } from '../../../domain/money/catalogue.ts'
import type { Transaction, User } from '../../app/answers.ts'
import { balanceUsd, dateTime, signedUsd, usd } from '../../app/format.ts'
import { useMe } from '../../session/me.ts'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel, PanelAction } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BillingDetailsPanel } from './billing-details.tsx'
import { downloadHistory } from './download-history.ts'
import { isAutoReload, usePurchases } from './history.ts'
import { QuickTopUp } from './quick-top-up.tsx'
import { SpendLimitPanel } from './spend-limit-panel.tsx'

/** Billing & Credits: the balance, what was bought, and the way to buy more. */
export function BillingSection({
  onBuy,
  onViewAll,
}: {
  onBuy: (creditPackage: CreditPackage) => void
  onViewAll: () => void
}) {
  return (
    <div className="flex flex-col gap-4">
      <CurrentBalance />
      <Panel
        title="Quick Top-Up"
        actions={<PanelAction onClick={onViewAll}>View All Packages</PanelAction>}
      >
        <QuickTopUp onBuy={onBuy} />
      </Panel>
      <Purchases />
      <SpendLimitPanel />
      <BillingDetailsPanel />
    </div>
  )
}

function CurrentBalance() {
  const { data, isError, refetch } = useMe()
  const balance = data?.balance
  return (
    <Panel title="Current Balance">
      {data ? (
        <>
          <p className="timecode text-2xl">{balanceUsd(data.account_balance_usd)}</p>
          {balance && <Parts balance={balance} />}
          <LowBalance user={data} />
        </>
      ) : isError ? (
        <LoadFailure onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-16" />
      )}
    </Panel>
  )
}

/** Where the balance comes from. */
function Parts({ balance }: { balance: NonNullable<User['balance']> }) {
  return (
    <>
      <dl className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-ink-2 [&_dd]:timecode [&_div]:flex [&_div]:gap-2">
        <Part label="Free this month" amount={balanceUsd(balance.free_usd)} />
        <Part label="Bonus" amount={balanceUsd(balance.bonus_usd)} />
        <Part label="Purchased" amount={balanceUsd(balance.paid_usd)} />
        {balance.held_usd > 0 && <Part label="Held by jobs" amount={usd(balance.held_usd)} />}
      </dl>
      {balance.free_expires_at && balance.free_usd > 0 && (
        <p className="mt-2 text-xs text-ink-3">
          Free credits expire at the end of {lastMonthBefore(balance.free_expires_at)} (UTC).
          Purchased credits never expire.
        </p>
      )}
    </>
  )
}

/** Below the threshold, saved or not, a reload would have come by itself. */
function LowBalance({ user }: { user: User }) {
  const thresholdUsd = user.auto_reload_threshold_usd ?? autoReload.defaultProfileThresholdUsd
  if (user.auto_reload_enabled || user.account_balance_usd >= thresholdUsd) return null
  return (
    <p className="mt-2 text-xs text-ink-3">
      Your balance is below ${thresholdUsd}.{' '}
      <Link to="/profile#autoreload" className="text-brand-ink underline">
        Set up auto-reload
      </Link>{' '}
      so that a job never waits for credit.
    </p>
  )
}

/** They lapse as a month begins, which a person reads as the end of the one before. */
function lastMonthBefore(iso: string): string {
  const last = new Date(Date.parse(iso) - 1)
  return last.toLocaleDateString(undefined, { month: 'long', timeZone: 'UTC' })
}

function Part({ label, amount }: { label: string; amount: string }) {
  return (
    <div>
      <dt className="text-ink-3">{label}</dt>
      <dd>{amount}</dd>
    </div>
  )
}

function Purchases() {
  const { purchases, isPending, isError, retry } = usePurchases(listLengths.profilePurchases)
  const [downloading, setDownloading] = useState(false)
  const download = async () => {
    setDownloading(true)
    await downloadHistory()
    setDownloading(false)
  }
  return (
    <Panel
      title="Recent Credit Purchases"
      actions={
        <PanelAction disabled={downloading} onClick={() => void download()}>
          <Download size={14} aria-hidden /> All transactions (CSV)
        </PanelAction>
      }
    >
      {isPending ? (
        <Skeleton className="h-24" />
      ) : isError ? (
        <LoadFailure onRetry={retry} />
      ) : purchases.length === 0 ? (
        <EmptyState title="No purchases yet">
          Your first package shows up here, with a receipt to print.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {purchases.map((purchase) => (
            <PurchaseRow key={purchase.id} purchase={purchase} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function PurchaseRow({ purchase }: { purchase: Transaction }) {
  const bonus = purchase.credit_package_bonus_percentage ?? 0
  return (
    <li className="flex items-center gap-3 py-2 first:pt-0 last:pb-0">
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-2">
          <span className="truncate font-medium">{purchase.description}</span>
          {isAutoReload(purchase) ? <Badge tone="brand">Auto-reload</Badge> : <Badge>Manual</Badge>}
        </p>
        <p className="text-xs text-ink-3">
          {dateTime(purchase.created_at)} ·{' '}
          <Link to={`/receipts/${purchase.id}`} className="text-brand-ink underline">
            Receipt
          </Link>
        </p>
      </div>
      <div className="text-right">
        <p className="timecode text-good">{signedUsd(purchase.amount_usd)}</p>
        {bonus > 0 && <p className="text-xs text-ink-3">+{bonus}% bonus</p>}
      </div>
    </li>
  )
}
