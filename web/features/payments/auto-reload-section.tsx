import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { User } from '../../../contract/accounts.ts'
import { autoReload, bonusPercent, creditPackages } from '../../../contract/catalogue.ts'
import { formatUsd, toUsd } from '../../../contract/money.ts'
import type { PaymentMethod } from '../../../contract/payments.ts'
import { api, messageOf } from '../../api.ts'
import { date } from '../../figures.ts'
import { useMe } from '../../me.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Switch } from '../../ui/checkbox.tsx'
import { Select } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useCards } from './cards.ts'

/** Auto-Reload: buys a package by itself when the balance falls below a threshold. */
export function AutoReloadSection({ onAddCard }: { onAddCard: () => void }) {
  const me = useMe()
  const { cards, isPending } = useCards()
  useEffect(() => {
    if (!me.isError) return
    showToast({ type: 'error', title: 'Error', message: 'Failed to load settings' })
  }, [me.isError])
  return (
    <Panel title="Auto-Reload">
      {!me.data || isPending ? (
        <Skeleton className="h-40" />
      ) : (
        <Settings key={me.dataUpdatedAt} user={me.data} cards={cards} onAddCard={onAddCard} />
      )}
    </Panel>
  )
}

interface Choice {
  enabled: boolean
  thresholdUsd: number
  packageId: string
  cardId: string
  consent: boolean
}

function Settings({
  user,
  cards,
  onAddCard,
}: {
  user: User
  cards: readonly PaymentMethod[]
  onAddCard: () => void
}) {
  const queries = useQueryClient()
  const [saving, setSaving] = useState(false)
  const [choice, setChoice] = useState<Choice>(() => ({
    enabled: user.auto_reload_enabled,
    thresholdUsd: user.auto_reload_threshold_usd ?? autoReload.defaultThresholdUsd,
    packageId: user.auto_reload_package_id ?? '',
    cardId: (cards.find((card) => card.is_default) ?? cards[0])?.id ?? '',
    consent: false,
  }))
  const change = (next: Partial<Choice>) => setChoice({ ...choice, ...next })
  const hasConsented = user.auto_reload_consent_accepted_at !== null
  const save = async () => {
    if (!isAllowed({ choice, hasCards: cards.length > 0, hasConsented })) return
    setSaving(true)
    await saveSettings(choice, { cards, hasConsented })
    setSaving(false)
    await queries.invalidateQueries({ queryKey: ['me'] })
    await queries.invalidateQueries({ queryKey: ['payment-methods'] })
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      className="flex max-w-140 flex-col gap-4"
    >
      {user.auto_reload_off_reason && !user.auto_reload_enabled && (
        <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          Auto-reload was switched off: {user.auto_reload_off_reason}
        </p>
      )}
      <Switch
        label="Enable auto-reload"
        hint={
          cards.length === 0
            ? 'Needs a saved payment method.'
            : 'Charges your card when the balance falls below the threshold.'
        }
        checked={choice.enabled}
        disabled={cards.length === 0}
        onChange={(event) => change({ enabled: event.target.checked })}
      />
      {cards.length === 0 && (
        <Button onClick={onAddCard} className="self-start">
          Add Payment Method
        </Button>
      )}
      {choice.enabled && (
        <EnabledFields
          choice={choice}
          change={change}
          cards={cards}
          consentAt={user.auto_reload_consent_accepted_at}
        />
      )}
      <Button
        type="submit"
        look="primary"
        size="md"
        className="self-start"
        busy={saving}
        disabled={choice.enabled && cards.length === 0}
      >
        {saving ? 'Saving...' : 'Save Settings'}
      </Button>
    </form>
  )
}

function EnabledFields({
  choice,
  change,
  cards,
  consentAt,
}: {
  choice: Choice
  change: (next: Partial<Choice>) => void
  cards: readonly PaymentMethod[]
  consentAt: string | null
}) {
  const amountUsd = amountOf(choice.packageId)
  return (
    <>
      <Select
        label="When the balance falls below"
        value={String(choice.thresholdUsd)}
        onChange={(event) => change({ thresholdUsd: Number(event.target.value) })}
        options={autoReload.thresholdsUsd.map((value) => ({
          value: String(value),
          label: `$${value}`,
        }))}
      />
      <Select
        label="Reload with"
        value={choice.packageId}
        onChange={(event) => change({ packageId: event.target.value })}
        options={[{ value: '', label: 'Select a reload package' }, ...packageOptions]}
      />
      <Select
        label="Charged to"
        value={choice.cardId}
        onChange={(event) => change({ cardId: event.target.value })}
        hint="The card becomes the default one."
        options={cards.map((card) => ({
          value: card.id,
          label: `${card.card_brand} •••• ${card.card_last4}`,
        }))}
      />
      {consentAt === null ? (
        <Checkbox
          label={`I authorize CutIndex to charge my default card $${amountUsd} whenever my balance falls below $${choice.thresholdUsd}, at most three times a day, until I switch this off.`}
          checked={choice.consent}
          onChange={(event) => change({ consent: event.target.checked })}
        />
      ) : (
        <p className="text-xs text-ink-3">Authorized on {date(consentAt)}.</p>
      )}
    </>
  )
}

const packageOptions = creditPackages.map((item) => {
  const percent = bonusPercent(item)
  const bonus = percent > 0 ? ` (+${percent}%)` : ''
  return {
    value: item.id,
    label: `${item.name}: ${formatUsd(item.priceMicros, 0)} for ${formatUsd(item.creditsMicros)} of credits${bonus}`,
  }
})

function amountOf(packageId: string): number {
  const chosen = creditPackages.find((item) => item.id === packageId)
  return chosen ? toUsd(chosen.priceMicros) : autoReload.defaultAmountUsd
}

/** Says what is missing, in the order of the specification. */
function isAllowed(of: { choice: Choice; hasCards: boolean; hasConsented: boolean }): boolean {
  if (!of.choice.enabled) return true
  const refuse = (title: string, message: string): false => {
    showToast({ type: 'error', title, message })
    return false
  }
  if (!of.hasCards) {
    return refuse('Payment Method Required', 'Please add a payment method first')
  }
  if (!of.hasConsented && !of.choice.consent) {
    return refuse('Consent Required', 'Please accept the authorization agreement')
  }
  if (!of.choice.packageId) return refuse('Package Required', 'Please select a reload package')
  return true
}

async function saveSettings(
  choice: Choice,
  known: { cards: readonly PaymentMethod[]; hasConsented: boolean },
): Promise<void> {
  try {
    const isOtherCard = known.cards.some((card) => card.id === choice.cardId && !card.is_default)
    if (choice.enabled && isOtherCard) {
      await api.setDefaultPaymentMethod({ params: { id: choice.cardId } })
    }
    await api.saveAutoReload({
      body: {
        enabled: choice.enabled,
        threshold_usd: choice.thresholdUsd,
        amount_usd: amountOf(choice.packageId),
        package_id: choice.packageId || null,
        consent_accepted: known.hasConsented || choice.consent,
      },
    })
    showToast({
      type: 'success',
      title: 'Success',
      message: 'Auto-reload settings saved successfully',
    })
  } catch (error) {
    showToast({
      type: 'error',
      title: 'Error',
      message: messageOf(error, 'Failed to save settings'),
    })
  }
}
