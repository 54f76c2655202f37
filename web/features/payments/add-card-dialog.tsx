import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Stripe } from '@stripe/stripe-js'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { api } from '../../app/api.ts'
import { showFailure } from '../../app/failures.ts'
import { useTheme } from '../../dom/theme.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { showToast } from '../../ui/toast.tsx'
import { cardFormLook } from './card-form-look.ts'
import { cardsQuery } from './cards.ts'
import { keepCard } from './keep-card.ts'
import { loadStripe } from './load-stripe.ts'

interface CardForm {
  stripe: Stripe
  clientSecret: string
}

/** Adds a card through the provider's own form: card data never reaches this page or our server. */
export function AddCardDialog({
  onClose,
  onAdded,
}: {
  onClose: () => void
  /** `forAutoReload`: the person wants to set up auto-reload next. */
  onAdded: (forAutoReload: boolean) => void
}) {
  // Each opening needs a setup intent of its own, so nothing of it is kept.
  const id = useId()
  const { data: form } = useQuery({
    queryKey: ['card-form', id],
    queryFn: prepareForm,
    gcTime: 0,
    staleTime: Infinity,
  })
  useEffect(() => {
    if (form === 'refused') onClose()
  }, [form, onClose])
  return (
    <Dialog
      onClose={onClose}
      title="Add Payment Method"
      description="The card form belongs to the payment provider; we keep the brand, the last four digits and the expiry."
    >
      {form === undefined && (
        <p role="status" className="flex items-center gap-2 py-6 text-ink-2">
          <Spinner /> Loading the card form…
        </p>
      )}
      {form === 'failed' && <FormFailed onClose={onClose} />}
      {typeof form === 'object' && <ProviderForm form={form} onClose={onClose} onAdded={onAdded} />}
    </Dialog>
  )
}

/** `refused`: our server said no, which was shown. `failed`: the provider's script did not come. */
async function prepareForm(): Promise<CardForm | 'failed' | 'refused'> {
  try {
    const [config, intent] = await Promise.all([api.getPaymentConfig(), api.createSetupIntent()])
    return await loadStripe(config).then(
      (stripe) => ({ stripe, clientSecret: intent.client_secret }),
      () => 'failed' as const,
    )
  } catch (error) {
    showFailure(error, { fallback: 'Failed to initialize payment form' })
    return 'refused'
  }
}

function FormFailed({ onClose }: { onClose: () => void }) {
  return (
    <div role="alert" className="flex flex-col items-start gap-3">
      <p className="font-medium">Failed to Load Payment Form</p>
      <p className="text-ink-2">
        The payment provider could not be reached. Check your connection or a content blocker, then
        try again.
      </p>
      <Button onClick={onClose}>Close</Button>
    </div>
  )
}

function ProviderForm({
  form,
  onClose,
  onAdded,
}: {
  form: CardForm
  onClose: () => void
  onAdded: (forAutoReload: boolean) => void
}) {
  const theme = useTheme()
  const [failed, setFailed] = useState(false)
  if (failed) return <FormFailed onClose={onClose} />
  return (
    <Elements
      stripe={form.stripe}
      options={{
        clientSecret: form.clientSecret,
        appearance: cardFormLook(theme),
      }}
    >
      <CardFields onFailed={() => setFailed(true)} onClose={onClose} onAdded={onAdded} />
    </Elements>
  )
}

function CardFields({
  onFailed,
  onClose,
  onAdded,
}: {
  onFailed: () => void
  onClose: () => void
  onAdded: (forAutoReload: boolean) => void
}) {
  const stripe = useStripe()
  const elements = useElements()
  const queries = useQueryClient()
  const [ready, setReady] = useState(false)
  const [saving, setSaving] = useState(false)
  const [isRefused, setRefused] = useState(false)
  const [forAutoReload, setForAutoReload] = useState(true)
  const confirmedId = useRef<string | null>(null)
  const save = async () => {
    if (!stripe || !elements || !ready) {
      refuse('The card provider has not loaded yet. Please wait a moment and try again.')
      return
    }
    setSaving(true)
    setRefused(false)
    // The provider confirms a setup once; after that only our server has to hear of it.
    confirmedId.current ??= await confirmCard(stripe, elements)
    const intentId = confirmedId.current
    setRefused(intentId === null)
    const isKept = intentId !== null && (await keepCard(intentId))
    setSaving(false)
    if (!isKept) return
    await queries.invalidateQueries({ queryKey: cardsQuery })
    onAdded(forAutoReload)
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      className="flex flex-col gap-4"
    >
      <div className="-mx-1 min-h-40">
        <PaymentElement onReady={() => setReady(true)} onLoadError={onFailed} />
      </div>
      {isRefused && (
        <p className="rounded-md bg-bad-wash px-3 py-2 text-bad">
          This card was not added. Check what you typed, or use another card.
        </p>
      )}
      <Checkbox
        label="Enable for Auto-Reload"
        hint="Opens the auto-reload settings once the card is saved."
        checked={forAutoReload}
        onChange={(event) => setForAutoReload(event.target.checked)}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose} disabled={saving}>
          Cancel
        </Button>
        <Button type="submit" look="primary" busy={saving}>
          {saving ? 'Saving...' : 'Add Payment Method'}
        </Button>
      </div>
    </form>
  )
}

/** The id of a setup that the provider confirmed, or null after showing why it was refused. */
async function confirmCard(
  stripe: Stripe,
  elements: NonNullable<ReturnType<typeof useElements>>,
): Promise<string | null> {
  const checked = await elements.submit()
  if (checked.error) return refuse(checked.error.message)
  const { error, setupIntent } = await stripe.confirmSetup({
    elements,
    confirmParams: { return_url: `${location.origin}/profile/payment-methods` },
    redirect: 'if_required',
  })
  if (error) return refuse(error.message)
  if (setupIntent.status === 'succeeded') return setupIntent.id
  showToast({ type: 'error', title: 'Error', message: 'Failed to add payment method' })
  return null
}

function refuse(message: string | undefined): null {
  showToast({
    type: 'error',
    title: 'Payment Method Error',
    message: message ?? 'Failed to add payment method',
  })
  return null
}
