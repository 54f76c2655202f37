/** Movements of the merchant's balance: charges, refunds, disputes, with the provider's fees. */
import { createId, nowSeconds } from '../ids.ts'
import type { Call } from './call.ts'
import { listPage, matching, readCreated } from './list.ts'
import type { BalanceTransaction, Provider } from './objects.ts'

const settlesAfterSeconds = 2 * 24 * 3600

const types = {
  charge: 'charge',
  refund: 'refund',
  refund_failure: 'refund_failure',
  dispute: 'adjustment',
  dispute_reversal: 'adjustment',
} as const

/** 2.9 % and 30 cents. */
export function chargeFee(amount: number): number {
  return Math.round(amount * 0.029) + 30
}

export function recordMovement(
  provider: Provider,
  movement: Pick<BalanceTransaction, 'amount' | 'currency' | 'source' | 'reporting_category'> & {
    fee?: number
    description?: string | null
  },
): BalanceTransaction {
  const { amount, currency, source, reporting_category: category, fee = 0 } = movement
  const id = createId('txn_3', 23)
  return provider.store.put('balance_transaction', id, {
    id,
    object: 'balance_transaction',
    amount,
    available_on: nowSeconds() + settlesAfterSeconds,
    balance_type: 'payments',
    created: nowSeconds(),
    currency,
    description: movement.description ?? null,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency,
              description: category === 'charge' ? 'Stripe processing fees' : 'Dispute fee',
              type: 'stripe_fee',
            },
          ],
    net: amount - fee,
    reporting_category: category,
    source,
    status: 'pending',
    type: types[category],
  })
}

export function listBalanceTransactions(provider: Provider, call: Call): object {
  const { params } = call
  const wanted = {
    currency: params.text('currency'),
    source: params.text('source'),
    type: params.text('type'),
  }
  const rows = matching(provider.store.rows('balance_transaction'), wanted).filter(
    readCreated(params),
  )
  return listPage(rows.map(withStatus), params, '/v1/balance_transactions')
}

function withStatus(row: BalanceTransaction): BalanceTransaction {
  return row.available_on <= nowSeconds() ? { ...row, status: 'available' } : row
}
