import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CreditCard, Plus, Trash2 } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { brandName } from '../../../domain/money/card-brand.ts'
import type { PaymentMethod } from '../../../contract/account/payments.ts'
import { api } from '../../app/api.ts'
import { part } from '../../app/later.tsx'
import { keys } from '../../app/queries.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useKeptFocus } from '../../dom/kept-focus.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'
import { cardsQuery, useCards } from './cards.ts'
import { settleReturn } from './keep-card.ts'

const AddCardDialog = part(() => import('./add-card-dialog.tsx'), 'AddCardDialog')

/** Payment Methods: saved cards, which one is charged, and adding or removing one. */
export function PaymentMethodsSection({ onSetUpAutoReload }: { onSetUpAutoReload: () => void }) {
  const { cards, isPending, isError, retry } = useCards()
  const [adding, setAdding] = useState(false)
  const [doomed, setDoomed] = useState<PaymentMethod | null>(null)
  const { makeDefault, remove } = useCardChanges()
  const panel = useRef<HTMLElement>(null)
  useKeptFocus(panel, 'li')
  useReturnFromBank()
  const add = (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Plus size={14} aria-hidden /> Add Payment Method
    </Button>
  )
  return (
    <Panel ref={panel} title="Payment Methods" actions={(cards.length > 0 || isError) && add}>
      {isPending ? (
        <Skeleton className="h-14" />
      ) : isError ? (
        <LoadFailure onRetry={retry} />
      ) : cards.length === 0 ? (
        <EmptyState title="No payment methods" action={add}>
          A saved card is what auto-reload charges.
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-2">
          {cards.map((card) => (
            <CardRow
              key={card.id}
              card={card}
              busy={makeDefault.isPending && makeDefault.variables === card.id}
              onDefault={() => makeDefault.mutate(card.id)}
              onRemove={() => setDoomed(card)}
            />
          ))}
        </ul>
      )}
      <AlertDialog
        open={doomed !== null}
        onClose={() => setDoomed(null)}
        title="Remove payment method"
        question={
          doomed?.is_default
            ? 'Remove this default payment method? The next card will be set as default.'
            : 'Remove this payment method?'
        }
        note={
          cards.length === 1
            ? 'There is no other card: auto-reload stays off until you add one.'
            : undefined
        }
        confirmLabel="Remove"
        busy={remove.isPending}
        onConfirm={() => doomed && remove.mutate(doomed.id, { onSettled: () => setDoomed(null) })}
      />
      {adding && (
        <Suspense fallback={null}>
          <AddCardDialog
            onClose={() => setAdding(false)}
            onAdded={(forAutoReload) => {
              setAdding(false)
              if (forAutoReload) onSetUpAutoReload()
            }}
          />
        </Suspense>
      )}
    </Panel>
  )
}

function CardRow({
  card,
  busy,
  onDefault,
  onRemove,
}: {
  card: PaymentMethod
  busy: boolean
  onDefault: () => void
  onRemove: () => void
}) {
  const expiry = `${String(card.card_exp_month).padStart(2, '0')}/${card.card_exp_year}`
  const name = `${brandName(card.card_brand)} ending in ${card.card_last4}`
  return (
    <li className="group relative flex items-center rounded-lg border border-line bg-raised transition-colors duration-120 hover:border-line-strong">
      <button
        type="button"
        onClick={() => !card.is_default && !busy && onDefault()}
        aria-disabled={card.is_default || busy}
        aria-label={
          card.is_default
            ? `${name}, default, expires ${expiry}`
            : `Make ${name} the default, expires ${expiry}`
        }
        className="flex grow items-center gap-3 py-3 pl-4 text-left after:absolute after:inset-0 after:rounded-lg"
      >
        <CreditCard size={18} aria-hidden className="shrink-0 text-ink-3" />
        <span className="grow">
          <span className="block font-medium">
            {brandName(card.card_brand)} <span className="figures">•••• {card.card_last4}</span>
          </span>
          <span className="text-xs text-ink-3">Expires {expiry}</span>
        </span>
      </button>
      <IconButton
        label={`Remove ${name}`}
        onClick={onRemove}
        className="z-1 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
      >
        <Trash2 size={14} aria-hidden />
      </IconButton>
      <span className="mr-4 ml-2">
        {card.is_default ? (
          <Badge tone="good">Default</Badge>
        ) : (
          <span className="text-xs text-ink-3">Set as default</span>
        )}
      </span>
    </li>
  )
}

function useCardChanges() {
  const queries = useQueryClient()
  const reload = async () => {
    await queries.invalidateQueries({ queryKey: cardsQuery })
    await queries.invalidateQueries({ queryKey: keys.me })
  }
  const say = (message: string) => showToast({ type: 'success', title: 'Success', message })
  const makeDefault = useMutation({
    mutationFn: (id: string) => api.setDefaultPaymentMethod({ params: { id } }),
    onSuccess: () => say('Default payment method updated'),
    meta: { failure: { fallback: 'Failed to set default payment method', isFixed: true } },
    onSettled: reload,
  })
  const remove = useMutation({
    mutationFn: (id: string) => api.deletePaymentMethod({ params: { id } }),
    onSuccess: () => say('Payment method removed'),
    meta: { failure: { fallback: 'Failed to remove payment method', isFixed: true } },
    onSettled: reload,
  })
  return { makeDefault, remove }
}

/** A card that a bank confirmed on its own page is kept when the person comes back. */
function useReturnFromBank(): void {
  const queries = useQueryClient()
  useEffect(() => {
    void settleReturn().then(async (isChanged) => {
      if (isChanged) await queries.invalidateQueries({ queryKey: cardsQuery })
      return undefined
    })
  }, [queries])
}
