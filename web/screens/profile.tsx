import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { defaultMemberSinceYear, timings } from '../../domain/money/catalogue.ts'
import { AccountInfo } from '../features/account/account-info.tsx'
import { DataPanel } from '../features/account/data-panel.tsx'
import { MailPanel } from '../features/account/mail-panel.tsx'
import { AuditPanel } from '../features/account/audit-panel.tsx'
import { DangerZone } from '../features/account/danger-zone.tsx'
import { SessionsPanel } from '../features/account/sessions-panel.tsx'
import { ApiKeysPanel } from '../features/api-keys/api-keys-panel.tsx'
import { BillingSection } from '../features/billing/billing-section.tsx'
import { UsageSection } from '../features/billing/usage-section.tsx'
import { AutoReloadSection } from '../features/payments/auto-reload-section.tsx'
import { PaymentMethodsSection } from '../features/payments/payment-methods-section.tsx'
import { WebhooksSection } from '../features/webhooks/webhooks-section.tsx'
import { balanceUsd } from '../app/format.ts'
import { useMe } from '../session/me.ts'
import { useSession } from '../session/session.tsx'
import { keys } from '../app/queries.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Panel } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { showToast } from '../ui/toast.tsx'
import { useBuyCredits } from './buy-credits.tsx'
import type { BuyCredits } from './buy-credits.tsx'
import { SectionMenu } from './profile/section-menu.tsx'
import { sectionOf } from './profile/sections.ts'
import type { SectionId } from './profile/sections.ts'

const apiKeysHash = 'security-api-keys'

export function Profile() {
  const { hash } = useLocation()
  const section = sectionOf(hash)
  const buyCredits = useBuyCredits()
  useScrollToApiKeys()
  return (
    <div className="mx-auto flex w-full max-w-300 flex-col gap-4 p-4">
      <Header onBuy={buyCredits.viewAll} />
      <div className="grid grid-cols-1 gap-4 md:grid-cols-[12rem_minmax(0,1fr)]">
        <SectionMenu selected={section} />
        <div>
          <Section id={section} buyCredits={buyCredits} />
        </div>
      </div>
      {buyCredits.dialogs}
    </div>
  )
}

function Header({ onBuy }: { onBuy: () => void }) {
  const me = useMe()
  const { user } = useSession()
  const name = user?.name || user?.username || ''
  const since = user?.createdAt ? new Date(user.createdAt).getUTCFullYear() : defaultMemberSinceYear
  useEffect(() => {
    if (!me.isError) return
    showToast({ type: 'error', title: 'Error', message: 'Failed to load profile data' })
  }, [me.isError])
  return (
    <header className="flex flex-wrap items-center gap-4 rounded-lg border border-line bg-panel p-5">
      <Avatar name={name} picture={user?.picture} size={64} />
      <div className="min-w-0 grow">
        <h1 className="text-lg font-semibold tracking-tight">{name}</h1>
        <p className="truncate text-ink-2">{user?.email}</p>
        <p className="text-ink-3">Member since {since}</p>
      </div>
      <div className="flex items-center gap-4">
        <div className="sm:text-right">
          <p className="text-xs text-ink-3">Balance</p>
          {me.data ? (
            <p className="timecode text-xl">{balanceUsd(me.data.account_balance_usd)}</p>
          ) : me.isError ? (
            <p className="timecode text-xl">–</p>
          ) : (
            <Skeleton className="h-7.5 w-20" />
          )}
        </div>
        <Button look="primary" size="md" onClick={onBuy}>
          Buy Credits
        </Button>
      </div>
    </header>
  )
}

/** One section at a time; its data is asked for when it is first shown. */
function Section({ id, buyCredits }: { id: SectionId; buyCredits: BuyCredits }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const open = (section: SectionId) => void navigate(`/profile#${section}`)
  const sections: Record<SectionId, () => ReactNode> = {
    account: () => (
      <div className="flex flex-col gap-4">
        <AccountInfo />
        <MailPanel />
        <DataPanel />
      </div>
    ),
    billing: () => <BillingSection onBuy={buyCredits.buy} onViewAll={buyCredits.viewAll} />,
    autoreload: () => <AutoReloadSection onAddCard={() => open('paymentmethods')} />,
    usage: () => <UsageSection />,
    security: () => (
      <div className="flex flex-col gap-4">
        <SessionsPanel />
        <div id={apiKeysHash} className="scroll-mt-16">
          <Panel title="API Keys">
            <ApiKeysPanel />
          </Panel>
        </div>
        <AuditPanel />
        <DangerZone />
      </div>
    ),
    webhooks: () => <WebhooksSection />,
    paymentmethods: () => (
      <PaymentMethodsSection
        onSetUpAutoReload={() => {
          void queries.invalidateQueries({ queryKey: keys.me })
          open('autoreload')
        }}
      />
    ),
  }
  return sections[id]()
}

/** The hash security-api-keys leads to the place where keys are made, once it has been drawn. */
function useScrollToApiKeys(): void {
  const { hash } = useLocation()
  useEffect(() => {
    if (hash !== `#${apiKeysHash}`) return undefined
    const timer = setTimeout(() => {
      document.getElementById(apiKeysHash)?.scrollIntoView({ block: 'start' })
    }, timings.apiKeyScrollDelayMs)
    return () => clearTimeout(timer)
  }, [hash])
}
