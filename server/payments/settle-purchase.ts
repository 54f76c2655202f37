/**
 * The only place where a checkout becomes credit. The caller has the provider's word: a verified
 * event, or a session that the provider was asked for. One transaction locks the purchase, writes
 * the ledger and marks the purchase, so whatever arrives how often and in what order credits once;
 * the ledger's key `purchase:{session}` says the same a second time.
 */
import type { Stripe } from 'stripe'
import { brandName } from '../../domain/money/card-brand.ts'
import { microsPerCent, toUsd } from '../../domain/money/money.ts'
import { creditPurchase } from '../billing/ledger.ts'
import type { Context } from '../ground/context.ts'
import { notify } from '../db/notify.ts'
import { receiptMail } from '../mail/messages.ts'
import { queueMail } from '../mail/queue.ts'
import { issueInvoice } from '../invoices/issue.ts'
import { findChargedCard } from './charged-card.ts'
import { idOf, toCents } from './provider.ts'
import { emitEvent } from '../webhooks/emit.ts'

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
      const credited = await creditPurchase(trx, {
        accountId: purchase.account_id,
        checkoutSessionId: session.id,
        packageId: purchase.package_id,
        packageName: purchase.package_name,
        priceMicros: purchase.price_micros,
        bonusMicros: purchase.bonus_micros,
        bonusPercent: purchase.bonus_percent,
        metadata: { checkout_session_id: session.id, payment_intent_id: paymentIntentId },
        now,
      })
      await notify(trx, 'account_changed', { accountId: purchase.account_id, balance: true })
      await emitEvent(ctx, trx, {
        accountId: purchase.account_id,
        type: 'payment.succeeded',
        objectId: purchase.id,
        data: paymentOf(purchase, { isAutoReload: false }),
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
      const tax = session.total_details?.amount_tax
      const number = await issueInvoice(ctx, trx, {
        accountId: purchase.account_id,
        transactionId: credited.transactionId,
        packageName: purchase.package_name,
        priceMicros: purchase.price_micros,
        bonusMicros: purchase.bonus_micros,
        taxMicros: tax ? tax * microsPerCent : null,
        card,
        isAutoReload: false,
        reference: session.id,
      })
      await queueMail(ctx, trx, {
        accountId: purchase.account_id,
        kind: 'receipt',
        cause: `purchase:${purchase.id}`,
        content: receiptMail({
          packageName: purchase.package_name,
          priceMicros: purchase.price_micros,
          bonusMicros: purchase.bonus_micros,
          card: card && `${brandName(card.brand)} •••• ${card.last4}`,
          number,
          paidAt: now,
          availableMicros: credited.availableMicros,
          receiptPath: `/receipts/${credited.transactionId}`,
        }),
      })
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

/** A payment as webhooks report it. */
export function paymentOf(
  paid: { id: string; package_id: string; price_micros: number; bonus_micros: number },
  { isAutoReload }: { isAutoReload: boolean },
): Record<string, unknown> {
  return {
    id: paid.id,
    package_id: paid.package_id,
    price_usd: toUsd(paid.price_micros),
    credits_usd: toUsd(paid.price_micros + paid.bonus_micros),
    is_auto_reload: isAutoReload,
  }
}

/** What was paid must be what was pinned. Anything else is a mistake that a person looks at. */
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
