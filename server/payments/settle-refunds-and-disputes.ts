/**
 * Money that went back to a card: by refunds, or by disputes.
 *
 * An event only says that something happened to a payment. The booking follows from the
 * provider's present objects: all refunds and all disputes of the payment with the money that they
 * moved. So events may arrive in any order, twice, or not at all as long as one arrives after the
 * last change.
 *
 * Two machines may look at the provider at once, and the one that looked earlier may be the one
 * that writes later. Therefore each look carries the time at which it began, by the database's
 * clock, and is dropped where one that began no earlier has been written: that one saw all that
 * this one saw.
 */
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { Stripe } from 'stripe'
import { microsPerCent } from '../../domain/money/money.ts'
import { settleReversal } from '../billing/ledger.ts'
import type { Context } from '../ground/context.ts'
import { notify } from '../db/notify.ts'
import type { Db } from '../ground/database.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { isMissing, providerOf } from './provider.ts'
import { issueCreditNote } from '../invoices/issue.ts'
import { settlePurchase } from './settle-purchase.ts'
import { settleReload, switchAutoReloadOff } from './settle-reload.ts'

export type ReversalOutcome = 'settled' | 'unchanged' | 'not ours'

export async function settleRefundsAndDisputes(
  ctx: Context,
  paymentIntentId: string | null,
  options: { isNewDispute?: boolean } = {},
): Promise<ReversalOutcome> {
  if (!paymentIntentId) return 'not ours'
  let payment = await findCredited(ctx.db, paymentIntentId)
  if (!payment && (await creditFirst(ctx, paymentIntentId))) {
    payment = await findCredited(ctx.db, paymentIntentId)
  }
  if (!payment) return 'not ours'
  const { accountId } = payment
  // Even an inquiry, which takes no money: such an account is not charged by itself any more.
  if (options.isNewDispute) {
    await switchAutoReloadOff(ctx.db, accountId, 'A payment was disputed at your bank.')
  }
  const began = await sql<{ at: string }>`select clock_timestamp()::text as at`.execute(ctx.db)
  const seen = await lookAtReversals(ctx, paymentIntentId)
  return ctx.db
    .transaction()
    .execute((trx) => write(ctx, trx, payment, { ...seen, beganAt: began.rows[0]?.at ?? '' }))
}

interface Payment {
  table: 'purchases' | 'reloads'
  id: string
  /** The ledger's key of the credit. */
  key: string
  accountId: string
}

interface Reversals {
  refundedMicros: number
  disputedMicros: number
}

/** The provider's present word on everything that it took back of a payment. */
async function lookAtReversals(ctx: Context, paymentIntentId: string): Promise<Reversals> {
  const provider = await providerOf(ctx)
  const ofPayment = { payment_intent: paymentIntentId, limit: 100 }
  const seen: Reversals = { refundedMicros: 0, disputedMicros: 0 }
  for await (const refund of provider.refunds.list(ofPayment)) {
    requireUsd(refund)
    // A refund that has not left yet, or that came back, has taken nothing.
    const hasLeft = refund.balance_transaction !== null && !refund.failure_balance_transaction
    if (hasLeft) seen.refundedMicros += refund.amount * microsPerCent
  }
  for await (const dispute of provider.disputes.list(ofPayment)) {
    // An inquiry has none, an open or lost dispute one, a won dispute a second that returns it.
    for (const moved of dispute.balance_transactions) {
      requireUsd(moved)
      seen.disputedMicros -= moved.amount * microsPerCent
    }
  }
  return seen
}

function requireUsd({ id, currency }: { id: string; currency: string }): void {
  if (currency !== 'usd') throw new Error(`${id} is in ${currency}; only US dollars are booked.`)
}

async function write(
  ctx: Context,
  trx: Transaction<Tables>,
  payment: Payment,
  seen: Reversals & { beganAt: string },
): Promise<ReversalOutcome> {
  const before = await trx
    .selectFrom(payment.table)
    .select('refunded_micros')
    .where('id', '=', payment.id)
    .where('reversals_seen_at', '<', sql<Date>`${seen.beganAt}::timestamptz`)
    .forUpdate()
    .executeTakeFirst()
  if (!before) return 'unchanged'
  await trx
    .updateTable(payment.table)
    .set({
      refunded_micros: seen.refundedMicros,
      disputed_micros: seen.disputedMicros,
      reversals_seen_at: sql`${seen.beganAt}::timestamptz`,
    })
    .where('id', '=', payment.id)
    .execute()
  // Disputes first, then refunds: the history says which of them took or returned what.
  const byDispute = before.refunded_micros + seen.disputedMicros
  const changes = [
    await book(ctx, trx, payment, byDispute, 'dispute'),
    await book(ctx, trx, payment, seen.refundedMicros + seen.disputedMicros, 'card_refund'),
  ]
  await issueCreditNote(ctx, trx, {
    reference: payment.key.replace(/^\w+:/, ''),
    returnedMicros: seen.refundedMicros - before.refunded_micros,
  })
  if (!changes.includes(true)) return 'unchanged'
  await notify(trx, 'account_changed', { accountId: payment.accountId, balance: true })
  return 'settled'
}

const descriptions = { dispute: 'Payment disputed', card_refund: 'Payment returned to card' }

/** False: the ledger says so already. */
async function book(
  ctx: Context,
  trx: Transaction<Tables>,
  payment: Payment,
  reversedMicros: number,
  cause: keyof typeof descriptions,
): Promise<boolean> {
  const settled = await settleReversal(trx, {
    purchaseKey: payment.key,
    // A dispute that returned more than it took would be the provider's mistake, not our credit.
    reversedMicros: Math.max(0, reversedMicros),
    description: descriptions[cause],
    metadata: { cause },
    now: ctx.now(),
  })
  if (!settled.ok) throw new Error(`${payment.key} is not in the ledger.`)
  return settled.transactionId !== null
}

async function findCredited(db: Db, paymentIntentId: string): Promise<Payment | undefined> {
  return (
    (await findCreditedIn(db, 'purchases', paymentIntentId)) ??
    (await findCreditedIn(db, 'reloads', paymentIntentId))
  )
}

function findCreditedIn(
  db: Db,
  table: Payment['table'],
  paymentIntentId: string,
): Promise<Payment | undefined> {
  const isPurchase = table === 'purchases'
  return db
    .selectFrom(table)
    .select([
      sql<Payment['table']>`${table}`.as('table'),
      'id',
      sql<string>`${isPurchase ? 'purchase:' : 'reload:'} ||
        ${isPurchase ? sql.ref('checkout_session_id') : sql.ref('id')}`.as('key'),
      'account_id as accountId',
    ])
    .where('payment_intent_id', '=', paymentIntentId)
    .where('status', '=', 'credited')
    .executeTakeFirst()
}

/**
 * The news that a payment went back may arrive before the news that it was made. Then the provider
 * is asked about the payment too. False: the payment is none of ours, or has not succeeded.
 */
async function creditFirst(ctx: Context, paymentIntentId: string): Promise<boolean> {
  const provider = await providerOf(ctx)
  let intent: Stripe.PaymentIntent
  try {
    intent = await provider.paymentIntents.retrieve(paymentIntentId)
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
  if (intent.metadata['reload_id']) return (await settleReload(ctx, intent)) === 'credited'
  if (!intent.metadata['purchase_id']) return false
  const { data } = await provider.checkout.sessions.list({ payment_intent: intent.id, limit: 1 })
  const session = data[0]
  if (!session) return false
  const outcome = await settlePurchase(ctx, session)
  return outcome === 'credited' || outcome === 'already settled'
}
