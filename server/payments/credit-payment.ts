import type { Transaction } from 'kysely'
import { brandName } from '../../domain/money/card-brand.ts'
import { toUsd } from '../../domain/money/money.ts'
import { creditPurchase, creditReload } from '../billing/ledger.ts'
import { notify } from '../db/notify.ts'
import type { Context } from '../ground/context.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { issueInvoice } from '../invoices/issue.ts'
import { receiptMail, reloadDoneMail } from '../mail/messages.ts'
import { queueMail } from '../mail/queue.ts'
import { emitEvent } from '../webhooks/emit.ts'

interface Payment {
  id: string
  account_id: string
  package_id: string
  package_name: string
  price_micros: number
  bonus_micros: number
  bonus_percent: number
}

/** Credits a payment and reports it in the caller's transaction: by event, invoice and e-mail. */
export async function creditPayment(
  ctx: Context,
  trx: Transaction<Tables>,
  payment: Payment,
  details: {
    /** Null: a reload. */
    checkoutSessionId: string | null
    metadata: Record<string, unknown>
    card: { brand: string; last4: string } | null
    taxMicros: number | null
  },
): Promise<void> {
  const { checkoutSessionId, metadata, card, taxMicros } = details
  const { account_id: accountId } = payment
  const isAutoReload = checkoutSessionId === null
  const now = ctx.now()
  const charge = {
    packageName: payment.package_name,
    priceMicros: payment.price_micros,
    bonusMicros: payment.bonus_micros,
  }
  const { package_id: packageId, bonus_percent: bonusPercent } = payment
  const credit = { ...charge, accountId, packageId, bonusPercent, metadata, now }
  const credited = isAutoReload
    ? await creditReload(trx, { ...credit, reloadId: payment.id })
    : await creditPurchase(trx, { ...credit, checkoutSessionId })
  await notify(trx, 'account_changed', { accountId, balance: true })
  await emitEvent(ctx, trx, {
    accountId,
    type: 'payment.succeeded',
    objectId: payment.id,
    data: {
      id: payment.id,
      package_id: packageId,
      price_usd: toUsd(payment.price_micros),
      credits_usd: toUsd(payment.price_micros + payment.bonus_micros),
      is_auto_reload: isAutoReload,
    },
  })
  const number = await issueInvoice(ctx, trx, {
    ...charge,
    accountId,
    transactionId: credited.transactionId,
    taxMicros,
    card,
    isAutoReload,
    reference: checkoutSessionId ?? payment.id,
  })
  const content = (isAutoReload ? reloadDoneMail : receiptMail)({
    ...charge,
    card: card && `${brandName(card.brand)} •••• ${card.last4}`,
    number,
    paidAt: now,
    availableMicros: credited.availableMicros,
    receiptPath: `/receipts/${credited.transactionId}`,
  })
  await queueMail(ctx, trx, {
    accountId,
    kind: isAutoReload ? 'auto_reload' : 'receipt',
    cause: `${isAutoReload ? 'reload' : 'purchase'}:${payment.id}`,
    content,
  })
}
