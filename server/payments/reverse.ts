/** Money that went back to a card: by a refund at the provider, or by a dispute. */
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { Stripe } from 'stripe'
import { adjust, chargeback } from '../billing/ledger.ts'
import type { Context } from '../process/context.ts'
import type { Tables } from '../db/tables.ts'
import { idOf, isMissing, microsPerCent, providerOf } from './provider.ts'
import { switchAutoReloadOff } from './settle-reload.ts'

type Outcome = 'noted' | 'reversed' | 'already reversed' | 'reinstated' | 'not ours'

/** A charge tells how much of it was refunded in all, so events may come in any order. */
export async function reverseRefund(ctx: Context, charge: Stripe.Charge): Promise<Outcome> {
  return withPayment(ctx, idOf(charge.payment_intent), async (trx, payment) => {
    const totalMicros = charge.amount_refunded * microsPerCent
    const amountMicros = totalMicros - payment.refundedMicros
    if (amountMicros <= 0) return 'already reversed'
    const outcome = await reverse(ctx, trx, payment, {
      reference: `${charge.id}:${charge.amount_refunded}`,
      amountMicros,
      cause: 'card_refund',
    })
    await trx
      .updateTable(payment.table)
      .set({ refunded_micros: totalMicros })
      .where('id', '=', payment.id)
      .execute()
    return outcome
  })
}

/**
 * A dispute is open. It may be an inquiry, which takes no money and so no credit; but such an account
 * is not charged by itself any more.
 */
export async function noteDispute(ctx: Context, dispute: Stripe.Dispute): Promise<Outcome> {
  return withPayment(ctx, idOf(dispute.payment_intent), async (trx, payment) => {
    await switchAutoReloadOff(trx, payment.accountId, 'A payment was disputed at your bank.')
    return 'noted'
  })
}

/** The bank has taken the money back. */
export async function reverseDispute(ctx: Context, dispute: Stripe.Dispute): Promise<Outcome> {
  return withPayment(ctx, idOf(dispute.payment_intent), async (trx, payment) => {
    return reverse(ctx, trx, payment, {
      reference: dispute.id,
      amountMicros: dispute.amount * microsPerCent,
      cause: 'dispute',
    })
  })
}

/** The dispute was decided for the purchase: what it took comes back, bonus included. */
export async function reinstateDispute(ctx: Context, dispute: Stripe.Dispute): Promise<Outcome> {
  return withPayment(ctx, idOf(dispute.payment_intent), async (trx, payment) => {
    // Asked again under its reference, the ledger tells what the dispute took.
    const taken = await chargeback(trx, {
      purchaseKey: payment.key,
      reference: dispute.id,
      cause: 'dispute',
      now: ctx.now(),
    })
    if (!taken.ok) return 'already reversed'
    await adjust(trx, {
      accountId: payment.accountId,
      reference: `dispute-won:${dispute.id}`,
      amountMicros: taken.reversedMicros + taken.revokedBonusMicros,
      reason: 'A dispute was decided for the purchase.',
      now: ctx.now(),
    })
    return 'reinstated'
  })
}

interface Payment {
  table: 'purchases' | 'reloads'
  id: string
  key: string
  accountId: string
  refundedMicros: number
}

async function reverse(
  ctx: Context,
  trx: Transaction<Tables>,
  payment: Payment,
  input: { reference: string; amountMicros: number; cause: 'dispute' | 'card_refund' },
): Promise<Outcome> {
  const request = { ...input, purchaseKey: payment.key, now: ctx.now() }
  const result = await chargeback(trx, request)
  if (result.ok) return 'reversed'
  if (result.reason === 'no_purchase') throw new Error(`${payment.key} is not in the ledger.`)
  if (result.reversibleMicros === 0) return 'already reversed'
  // Part of it went back before; the rest goes now.
  await chargeback(trx, { ...request, amountMicros: result.reversibleMicros })
  return 'reversed'
}

/** Finds and locks what a payment bought, and runs the step in one transaction with it. */
async function withPayment(
  ctx: Context,
  paymentIntentId: string | null,
  step: (trx: Transaction<Tables>, payment: Payment) => Promise<Outcome>,
): Promise<Outcome> {
  if (!paymentIntentId) return 'not ours'
  const outcome = await ctx.db.transaction().execute(async (trx) => {
    const payment =
      (await lockPayment(trx, 'purchases', paymentIntentId)) ??
      (await lockPayment(trx, 'reloads', paymentIntentId))
    return payment ? step(trx, payment) : null
  })
  if (outcome !== null) return outcome
  // Ours but not credited yet: the event must come again, after the credit.
  if (await isOurs(ctx, paymentIntentId)) {
    throw new Error(`The payment ${paymentIntentId} went back before it was credited.`)
  }
  return 'not ours'
}

async function lockPayment(
  trx: Transaction<Tables>,
  table: Payment['table'],
  paymentIntentId: string,
): Promise<Payment | undefined> {
  const isPurchase = table === 'purchases'
  return trx
    .selectFrom(table)
    .select([
      sql<Payment['table']>`${table}`.as('table'),
      'id',
      // The ledger's key of the credit.
      sql<string>`${isPurchase ? 'purchase:' : 'reload:'} ||
        ${isPurchase ? sql.ref('checkout_session_id') : sql.ref('id')}`.as('key'),
      'account_id as accountId',
      'refunded_micros as refundedMicros',
    ])
    .where('payment_intent_id', '=', paymentIntentId)
    .where('status', '=', 'credited')
    .forUpdate()
    .executeTakeFirst()
}

async function isOurs(ctx: Context, paymentIntentId: string): Promise<boolean> {
  try {
    const { metadata } = await providerOf(ctx).paymentIntents.retrieve(paymentIntentId)
    return metadata['purchase_id'] !== undefined || metadata['reload_id'] !== undefined
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
