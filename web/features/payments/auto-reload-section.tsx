import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { brandName } from '../../../domain/money/card-brand.ts'
import { autoReload, bonusPercent, creditPackages } from '../../../domain/money/catalogue.ts'
import { formatUsd, toUsd } from '../../../domain/money/money.ts'
import type { PaymentMethod } from '../../../contract/account/payments.ts'
import type { User } from '../../app/answers.ts'
import { api } from '../../app/api.ts'
import { showFailure } from '../../app/failures.ts'
import { date } from '../../app/format.ts'
import { useMe } from '../../session/me.ts'
import { keys } from '../../app/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Switch } from '../../ui/checkbox.tsx'
import { Select } from '../../ui/field.tsx'
import { useFormProblem } from '../../ui/form-problem.ts'
import type { Complaint, FormProblem } from '../../ui/form-problem.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useCards } from './cards.ts'

/** Auto-Reload: buys a package by itself when the balance falls below a threshold. */
export function AutoReloadSection({ onAddCard }: { onAddCard: () => void }) {
  const me = useMe()
  const { cards, isPending, isError: areCardsMissing, retry } = useCards()
  useEffect(() => {
    if (!me.isError) return
    showToast({ type: 'error', title: 'Error', message: 'Failed to load settings' })
  }, [me.isError])
  return (
    <Panel title="Auto-Reload">
      {me.isError && !me.data ? (
        <LoadFailure
          onRetry={() => {
            void me.refetch()
            if (areCardsMissing) retry()
          }}
        />
      ) : !me.data || isPending ? (
        <Skeleton className="h-40" />
      ) : (
        <Settings
          key={savedText(me.data, cards)}
          user={me.data}
          cards={cards}
          areCardsMissing={areCardsMissing}
          onRetryCards={retry}
          onAddCard={onAddCard}
        />
      )}
    </Panel>
  )
}

/** The form starts again when its saved state changes, and only then: not with every refetch. */
function savedText(user: User, cards: readonly PaymentMethod[]): string {
  return JSON.stringify([
    user.auto_reload_enabled,
    user.auto_reload_threshold_usd,
    user.auto_reload_package_id ?? user.auto_reload_amount_usd,
    user.auto_reload_consent_accepted_at,
    user.auto_reload_off_reason,
    cards.map((card) => [card.id, card.is_default]),
  ])
}

type Marked = 'card' | 'consent' | 'package'

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
  areCardsMissing,
  onRetryCards,
  onAddCard,
}: {
  user: User
  cards: readonly PaymentMethod[]
  /** The list did not come: whether there are cards is not known. */
  areCardsMissing: boolean
  onRetryCards: () => void
  onAddCard: () => void
}) {
  const queries = useQueryClient()
  const [saving, setSaving] = useState(false)
  const { formRef, ...problem } = useFormProblem<Marked>()
  const [choice, setChoice] = useState<Choice>(() => ({
    enabled: user.auto_reload_enabled,
    thresholdUsd: user.auto_reload_threshold_usd ?? autoReload.defaultThresholdUsd,
    packageId: user.auto_reload_package_id ?? packageAt(user.auto_reload_amount_usd),
    cardId: (cards.find((card) => card.is_default) ?? cards[0])?.id ?? '',
    consent: false,
  }))
  const [saved] = useState(choice)
  const change = (next: Partial<Choice>) => setChoice({ ...choice, ...next })
  const isChanged = JSON.stringify(choice) !== JSON.stringify(saved)
  const consentAt = user.auto_reload_consent_accepted_at ?? null
  const hasConsented = consentAt !== null
  const save = async () => {
    const missing = missingOf({ choice, hasCards: cards.length > 0, hasConsented })
    if (missing) {
      problem.complain(missing)
      return
    }
    problem.settle()
    setSaving(true)
    await saveSettings(choice, cards)
    // Stay in the saving state until both refetches are done: they remount the form, which would
    // discard any edit made meanwhile.
    await queries.invalidateQueries({ queryKey: keys.me })
    await queries.invalidateQueries({ queryKey: keys.cards })
    setSaving(false)
  }
  return (
    <form
      ref={formRef}
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
          areCardsMissing
            ? 'Your saved cards could not be loaded.'
            : cards.length === 0
              ? 'Needs a saved payment method.'
              : 'Charges your card when the balance falls below the threshold.'
        }
        checked={choice.enabled}
        // Switching off needs no card.
        disabled={saving || (cards.length === 0 && !(areCardsMissing && choice.enabled))}
        onChange={(event) => change({ enabled: event.target.checked })}
      />
      {cards.length === 0 && (
        <Button onClick={areCardsMissing ? onRetryCards : onAddCard} className="self-start">
          {areCardsMissing ? 'Try again' : 'Add Payment Method'}
        </Button>
      )}
      {choice.enabled && (
        <EnabledFields
          choice={choice}
          change={change}
          cards={cards}
          problem={problem}
          consentAt={consentAt}
        />
      )}
      <div className="flex items-center gap-3">
        <Button
          type="submit"
          look="primary"
          size="md"
          busy={saving}
          disabled={choice.enabled && cards.length === 0}
        >
          {saving ? 'Saving...' : 'Save Settings'}
        </Button>
        {isChanged && !saving && <p className="text-ink-3">Not saved yet</p>}
      </div>
    </form>
  )
}

function EnabledFields({
  choice,
  change,
  cards,
  problem,
  consentAt,
}: {
  choice: Choice
  change: (next: Partial<Choice>) => void
  cards: readonly PaymentMethod[]
  problem: Pick<FormProblem<Marked>, 'errorOf' | 'unmark'>
  consentAt: string | null
}) {
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
        error={problem.errorOf('package')}
        onChange={(event) => {
          change({ packageId: event.target.value })
          problem.unmark('package')
        }}
        options={[{ value: '', label: 'Select a reload package' }, ...packageOptions]}
      />
      <Select
        label="Charged to"
        value={choice.cardId}
        onChange={(event) => change({ cardId: event.target.value })}
        hint="This card becomes your default."
        options={cards.map((card) => ({
          value: card.id,
          label: `${brandName(card.card_brand)} •••• ${card.card_last4}`,
        }))}
      />
      {consentAt === null ? (
        <Checkbox
          label={agreementOf(choice)}
          checked={choice.consent}
          error={problem.errorOf('consent')}
          onChange={(event) => {
            change({ consent: event.target.checked })
            problem.unmark('consent')
          }}
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

/** Names the sum only once a package is chosen: nobody agrees to a sum that is not in the form. */
function agreementOf({ packageId, thresholdUsd }: Choice): string {
  const chosen = creditPackages.find((item) => item.id === packageId)
  const sum = chosen
    ? `${formatUsd(chosen.priceMicros, 0)} for the ${chosen.name} package`
    : 'the price of the package chosen above'
  return `I authorize CutIndex to charge my default card ${sum} whenever my balance falls below $${thresholdUsd}, at most three times a day, until I switch this off.`
}

/** The saved package by its price, where the service does not name it. */
function packageAt(amountUsd: number | null): string {
  return creditPackages.find((item) => toUsd(item.priceMicros) === amountUsd)?.id ?? ''
}

/** The amount to send; without a package the specification's default, which charges nothing. */
function amountOf(packageId: string): number {
  const chosen = creditPackages.find((item) => item.id === packageId)
  return chosen ? toUsd(chosen.priceMicros) : autoReload.defaultAmountUsd
}

/** Finds the first missing field, in the order of the specification. */
function missingOf(input: {
  choice: Choice
  hasCards: boolean
  hasConsented: boolean
}): Complaint<Marked> | null {
  if (!input.choice.enabled) return null
  if (!input.hasCards) {
    const message = 'Please add a payment method first'
    return { field: 'card', title: 'Payment Method Required', message, note: '' }
  }
  if (!input.hasConsented && !input.choice.consent) {
    const message = 'Please accept the authorization agreement'
    const note = 'Without this no card is charged.'
    return { field: 'consent', title: 'Consent Required', message, note }
  }
  if (!input.choice.packageId) {
    const message = 'Please select a reload package'
    const note = 'Choose what the card is charged for.'
    return { field: 'package', title: 'Package Required', message, note }
  }
  return null
}

async function saveSettings(choice: Choice, cards: readonly PaymentMethod[]): Promise<void> {
  try {
    const isOtherCard = cards.some((card) => card.id === choice.cardId && !card.is_default)
    if (choice.enabled && isOtherCard) {
      await api.setDefaultPaymentMethod({ params: { id: choice.cardId } })
    }
    await api.saveAutoReload({
      body: {
        enabled: choice.enabled,
        threshold_usd: choice.thresholdUsd,
        amount_usd: amountOf(choice.packageId),
        package_id: choice.packageId || null,
      },
    })
    showToast({
      type: 'success',
      title: 'Success',
      message: 'Auto-reload settings saved successfully',
    })
  } catch (error) {
    showFailure(error, { fallback: 'Failed to save settings' })
  }
}
