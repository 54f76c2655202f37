/** Money that goes back: refunds asked by the merchant, disputes opened by a card holder. */
import { createId, nowSeconds } from '../ids.ts'
import { chargeFee, recordMovement } from './balance-transactions.ts'
import type { Call } from './call.ts'
import { invalidRequest, missingResource } from './errors.ts'
import type { BalanceTransaction, Charge, Dispute, Provider, Refund } from './objects.ts'
import { unusedFields } from './unused-fields.ts'

/** The provider's price of a dispute, in cents; a won one gives it back. */
const disputeFee = 1500

export function createRefund(provider: Provider, call: Call): Refund {
  const { params } = call
  const charge = findPaidCharge(provider, params.text('charge'), params.text('payment_intent'))
  const left = charge.amount - charge.amount_refunded
  const amount = params.integer('amount') ?? left
  const reason = params.text('reason') ?? null
  const metadata = params.metadata('metadata') ?? {}
  params.refuseRest()
  if (isUnderDispute(provider, charge)) {
    throw invalidRequest('This charge has been charged back; cannot issue a refund.', {
      code: 'charge_disputed',
    })
  }
  if (left === 0) {
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    })
  }
  if (amount < 1 || amount > left) {
    throw invalidRequest(`Refund amount is greater than unrefunded amount on charge (${left})`, {
      param: 'amount',
    })
  }
  const id = createId('re_3', 23)
  const status = provider.levers.refundStatus
  const hasLeft = status === 'succeeded'
  const refund = provider.store.put('refund', id, {
    ...unusedFields.refund,
    id,
    object: 'refund',
    amount,
    charge: charge.id,
    created: nowSeconds(),
    currency: charge.currency,
    customer: charge.customer,
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    status,
    balance_transaction: hasLeft
      ? move(provider, charge, { amount: -amount, source: id }, 'refund').id
      : null,
  })
  const changed = withRefunded(provider, charge, charge.amount_refunded + amount)
  provider.emit('refund.created', refund)
  provider.emit('charge.refunded', changed)
  return refund
}

/** A refund that waited for the merchant's balance or for the card holder leaves. */
export function succeedRefund(provider: Provider, id: string): Refund {
  const refund = provider.store.get('refund', id)
  if (refund === undefined) throw missingResource('refund', id)
  if (!isWaiting(refund)) throw invalidRequest('This refund does not wait.')
  const charge = findPaidCharge(provider, refund.charge)
  const left = { amount: -refund.amount, source: id }
  const succeeded = provider.store.put('refund', id, {
    ...refund,
    status: 'succeeded',
    balance_transaction: move(provider, charge, left, 'refund').id,
  })
  provider.emit('refund.updated', succeeded)
  return succeeded
}

function isWaiting({ status }: Refund): boolean {
  return status === 'pending' || status === 'requires_action'
}

/** The card holder's bank sends a refund back: the money, where it had left, returns. */
export function failRefund(provider: Provider, id: string): Refund {
  const refund = provider.store.get('refund', id)
  if (refund === undefined) throw missingResource('refund', id)
  if (refund.status === 'failed') throw invalidRequest('This refund has failed already.')
  const charge = findPaidCharge(provider, refund.charge)
  const back = { amount: refund.amount, source: id }
  const failed = provider.store.put('refund', id, {
    ...refund,
    status: 'failed',
    ...(isWaiting(refund)
      ? {}
      : { failure_balance_transaction: move(provider, charge, back, 'refund_failure').id }),
    failure_reason: 'lost_or_stolen_card',
  })
  withRefunded(provider, charge, charge.amount_refunded - refund.amount)
  provider.emit('refund.updated', failed)
  provider.emit('refund.failed', failed)
  return failed
}

function withRefunded(provider: Provider, charge: Charge, refunded: number): Charge {
  return provider.store.put('charge', charge.id, {
    ...charge,
    amount_refunded: refunded,
    refunded: refunded === charge.amount,
  })
}

function move(
  provider: Provider,
  charge: Charge,
  moved: { amount: number; source: string; fee?: number },
  category: BalanceTransaction['reporting_category'],
): BalanceTransaction {
  return recordMovement(provider, {
    ...moved,
    currency: charge.currency,
    reporting_category: category,
  })
}

/** Books the charges whose movement was kept back, as the provider does after a while. */
export function bookLateMovements(provider: Provider): number {
  const unbooked = provider.store
    .rows('charge')
    .filter((charge) => charge.paid && charge.balance_transaction === null)
  for (const charge of unbooked) {
    const paid = { amount: charge.amount, source: charge.id, fee: chargeFee(charge.amount) }
    const movement = move(provider, charge, paid, 'charge')
    const booked = { ...charge, balance_transaction: movement.id }
    provider.emit('charge.updated', provider.store.put('charge', charge.id, booked))
  }
  return unbooked.length
}

/** Money can be returned while nobody disputes it, and again once a dispute was won. */
function isUnderDispute(provider: Provider, charge: Charge): boolean {
  const over = ['won', 'warning_closed']
  return provider.store
    .rows('dispute')
    .some((dispute) => dispute.charge === charge.id && !over.includes(dispute.status))
}

/** Takes the money back and asks later, as a bank does. An inquiry only asks and moves no money. */
export function openDispute(
  provider: Provider,
  input: {
    charge?: string
    paymentIntent?: string
    reason?: string
    isInquiry?: boolean
    /** Absent: all that was not refunded. A bank may dispute a part, and even what was refunded. */
    amount?: number
  },
): Dispute {
  const charge = findPaidCharge(provider, input.charge, input.paymentIntent)
  if (isUnderDispute(provider, charge)) throw invalidRequest('This charge is already disputed.')
  const id = createId('du_1', 23)
  const amount = input.amount ?? charge.amount - charge.amount_refunded
  if (amount < 0 || amount > charge.amount) throw invalidRequest('This is more than was charged.')
  const dispute = provider.store.put('dispute', id, {
    ...unusedFields.dispute,
    id,
    object: 'dispute',
    amount,
    balance_transactions: input.isInquiry
      ? []
      : [move(provider, charge, { amount: -amount, source: id, fee: disputeFee }, 'dispute')],
    charge: charge.id,
    created: nowSeconds(),
    currency: charge.currency,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: input.reason ?? 'fraudulent',
    status: input.isInquiry ? 'warning_needs_response' : 'needs_response',
  })
  provider.store.put('charge', charge.id, { ...charge, disputed: true })
  provider.emit('charge.dispute.created', dispute)
  if (!input.isInquiry) provider.emit('charge.dispute.funds_withdrawn', dispute)
  return dispute
}

/** The bank makes a chargeback of an inquiry: now it takes the money. */
export function escalateDispute(provider: Provider, id: string): Dispute {
  const dispute = provider.store.get('dispute', id)
  if (dispute === undefined) throw missingResource('dispute', id)
  if (dispute.status !== 'warning_needs_response') throw invalidRequest('This is no open inquiry.')
  const charge = findPaidCharge(provider, dispute.charge)
  const taken = { amount: -dispute.amount, source: id, fee: disputeFee }
  const escalated = provider.store.put('dispute', id, {
    ...dispute,
    status: 'needs_response',
    balance_transactions: [move(provider, charge, taken, 'dispute')],
  })
  provider.emit('charge.dispute.updated', escalated)
  provider.emit('charge.dispute.funds_withdrawn', escalated)
  return escalated
}

export function closeDispute(provider: Provider, id: string, isWon: boolean): Dispute {
  const dispute = provider.store.get('dispute', id)
  if (dispute === undefined) throw missingResource('dispute', id)
  if (!dispute.status.endsWith('needs_response')) throw invalidRequest('This dispute is closed.')
  const isInquiry = dispute.status === 'warning_needs_response'
  const status = isInquiry ? 'warning_closed' : isWon ? 'won' : 'lost'
  const isBack = isWon && !isInquiry
  const charge = findPaidCharge(provider, dispute.charge)
  const back = { amount: dispute.amount, source: id, fee: -disputeFee }
  const closed: Dispute = {
    ...dispute,
    status,
    balance_transactions: isBack
      ? [...dispute.balance_transactions, move(provider, charge, back, 'dispute_reversal')]
      : dispute.balance_transactions,
  }
  provider.store.put('dispute', id, closed)
  if (isBack) provider.emit('charge.dispute.funds_reinstated', closed)
  provider.emit('charge.dispute.closed', closed)
  return closed
}

function findPaidCharge(provider: Provider, chargeId?: string, intentId?: string): Charge {
  if (chargeId === undefined && intentId === undefined) {
    throw invalidRequest(
      'One of the following params should be provided: payment_intent or charge.',
    )
  }
  const id =
    chargeId ?? provider.store.get('payment_intent', intentId ?? '')?.latest_charge ?? undefined
  const charge = id === undefined ? undefined : provider.store.get('charge', id)
  if (charge === undefined) throw missingResource('charge', id ?? intentId ?? '', 'charge')
  if (!charge.paid) throw invalidRequest(`Charge ${charge.id} did not succeed.`)
  return charge
}
