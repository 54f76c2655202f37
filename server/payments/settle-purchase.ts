/**
 * The only place where a checkout becomes credit. The caller has the provider's word: a verified
 * event, or a session that the provider was asked for. One transaction locks the purchase, writes
 * the ledger and marks the purchase, so whatever arrives how often and in what order credits once;
 * the ledger's key `purchase:{session}` says the same a second time.
 */
import type { Stripe } from 'stripe'
import { microsPerCent } from '../../domain/money/money.ts'
import type { Context } from '../ground/context.ts'
import { findChargedCard } from './charged-card.ts'
import { creditPayment } from './credit-payment.ts'
import { idOf, toCents } from './provider.ts'

export type PurchaseOutcome = 'credited' | 'already settled' | 'canceled' | 'open' | 'not ours'

export async function settlePurchase(
  ctx: Context,
  session: Stripe.Checkout.Session,
): Promise<PurchaseOutcome> {
  const purchaseId = session.metadata?.['purchase_id']
  if (!purchaseId || !/^[0-9a-f-]{36}$/.test(purchaseId)) return 'not ours'
  const isPaid = session.payment_status === 'paid'
  // Asked before the transaction, which must not wait for the provider.
  const card = isPaid ? await findChargedCard(ctx, idOf(session.payment_intent)) : null
  return ctx.db.transaction().execute(async (trx) => {
    const purchase = await trx
      .selectFrom('purchases')
      .selectAll()
      .where('id', '=', purchaseId)
      .forUpdate()
      .executeTakeFirst()
    if (!purchase) return 'not ours'
    if (purchase.status === 'credited') return 'already settled'
    const mine = trx.updateTable('purchases').where('id', '=', purchase.id)
    const now = ctx.now()
    if (isPaid) {
      assertSame(session, purchase)
      const paymentIntentId = idOf(session.payment_intent)
      const tax = session.total_details?.amount_tax
      await creditPayment(ctx, trx, purchase, {
        checkoutSessionId: session.id,
        metadata: { checkout_session_id: session.id, payment_intent_id: paymentIntentId },
        card,
        taxMicros: tax ? tax * microsPerCent : null,
      })
      await mine
        .set({
          status: 'credited',
          checkout_session_id: session.id,
          payment_intent_id: paymentIntentId,
          settled_at: now,
          checked_at: now,
        })
        .execute()
      return 'credited'
    }
    if (purchase.status === 'canceled') return 'already settled'
    if (session.status === 'expired') {
      await mine
        .set({
          status: 'canceled',
          checkout_session_id: session.id,
          settled_at: now,
          checked_at: now,
        })
        .execute()
      return 'canceled'
    }
    await mine.set({ checkout_session_id: session.id, checked_at: now }).execute()
    return 'open'
  })
}

/** Refuses a payment that is not the pinned one: a mistake that a person looks at. */
function assertSame(
  session: Stripe.Checkout.Session,
  purchase: { account_id: string; price_micros: number },
): void {
  const isSame =
    session.amount_total === toCents(purchase.price_micros) &&
    session.currency === 'usd' &&
    session.client_reference_id === purchase.account_id
  if (!isSame) throw new Error(`The payment of ${session.id} does not match its purchase.`)
}
