/**
 * How an attempt of auto-reload ends: pending → credited | declined, in one transaction with the
 * ledger and with what the next attempt must know. The worker that charged, the provider's event
 * and the reconciler all come here; the first one settles it.
 */
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { Stripe } from 'stripe'
import type { Context } from '../ground/context.ts'
import type { Db } from '../ground/database.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { reloadDeclinedMail } from '../mail/messages.ts'
import { queueMail } from '../mail/queue.ts'
import { readDecline } from './declines.ts'
import type { Decline } from './declines.ts'
import { brandName } from '../../domain/money/card-brand.ts'
import { toUsd } from '../../domain/money/money.ts'
import { emitEvent } from '../webhooks/emit.ts'
import { creditPayment } from './credit-payment.ts'
import { toCents } from './provider.ts'

/** The state of an attempt after it is settled, by whichever caller. */
export type ReloadOutcome = 'credited' | 'declined' | 'open' | 'not ours'

/** After the first and the second decline; the third switches auto-reload off. */
const pausesMs = [1, 6, 24].map((hours) => hours * 3_600_000)

export async function settleReload(
  ctx: Context,
  intent: Stripe.PaymentIntent,
): Promise<ReloadOutcome> {
  const reloadId = intent.metadata['reload_id']
  if (!reloadId || !/^[0-9a-f-]{36}$/.test(reloadId)) return 'not ours'
  return ctx.db.transaction().execute(async (trx) => {
    const reload = await lockReload(trx, reloadId)
    if (!reload) return 'not ours'
    if (reload.status === 'credited') return 'credited'
    if (intent.status === 'succeeded') {
      await credit(ctx, trx, reload, intent)
      return 'credited'
    }
    if (reload.status === 'declined') return 'declined'
    const isOver = intent.status === 'requires_payment_method' || intent.status === 'canceled'
    if (!isOver) return 'open'
    await decline(ctx, trx, reload, readDecline(intent.last_payment_error), intent.id)
    return 'declined'
  })
}

/** A charge that the provider refused without making a payment of it. */
export async function declineReload(
  ctx: Context,
  reloadId: string,
  given: Decline,
): Promise<ReloadOutcome> {
  return ctx.db.transaction().execute(async (trx) => {
    const reload = await lockReload(trx, reloadId)
    if (!reload) return 'not ours'
    if (reload.status !== 'pending') return reload.status
    await decline(ctx, trx, reload, given, null)
    return 'declined'
  })
}

/** An attempt that never reached the provider. It says nothing about the card. */
export async function abandonReload(ctx: Context, reloadId: string): Promise<void> {
  await ctx.db
    .updateTable('reloads')
    .set({ status: 'declined', decline_code: 'not_sent', settled_at: ctx.now() })
    .where('id', '=', reloadId)
    .where('status', '=', 'pending')
    .execute()
}

export async function switchAutoReloadOff(
  trx: Db,
  accountId: string,
  reason: string,
): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ auto_reload_enabled: false, auto_reload_off_reason: reason })
    .where('id', '=', accountId)
    .where('auto_reload_enabled', '=', true)
    .execute()
}

type Reload = NonNullable<Awaited<ReturnType<typeof lockReload>>>

async function lockReload(trx: Transaction<Tables>, id: string) {
  return trx.selectFrom('reloads').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

async function credit(
  ctx: Context,
  trx: Transaction<Tables>,
  reload: Reload,
  intent: Stripe.PaymentIntent,
): Promise<void> {
  const isSame =
    intent.amount_received === toCents(reload.price_micros) && intent.currency === 'usd'
  if (!isSame) throw new Error(`The payment ${intent.id} does not match its reload.`)
  const now = ctx.now()
  await creditPayment(ctx, trx, reload, {
    checkoutSessionId: null,
    metadata: { payment_intent_id: intent.id },
    card: (await findCard(trx, reload.card_id)) ?? null,
    taxMicros: null,
  })
  await trx
    .updateTable('reloads')
    .set({
      status: 'credited',
      payment_intent_id: intent.id,
      decline_code: null,
      settled_at: now,
    })
    .where('id', '=', reload.id)
    .execute()
  await trx
    .updateTable('auto_reload_states')
    .set({ declines_in_a_row: 0, declined_card_id: null, not_before: null })
    .where('account_id', '=', reload.account_id)
    .execute()
}

async function decline(
  ctx: Context,
  trx: Transaction<Tables>,
  reload: Reload,
  given: Decline,
  paymentIntentId: string | null,
): Promise<void> {
  const now = ctx.now()
  await trx
    .updateTable('reloads')
    .set({
      status: 'declined',
      payment_intent_id: paymentIntentId,
      decline_code: given.code,
      settled_at: now,
    })
    .where('id', '=', reload.id)
    .execute()
  const declines = await countDecline(trx, reload)
  const pauseMs = pausesMs[Math.min(declines, pausesMs.length) - 1] ?? 0
  const isOff = given.isHard || declines >= pausesMs.length
  const notBefore = new Date(now.getTime() + pauseMs)
  await emitEvent(ctx, trx, {
    accountId: reload.account_id,
    type: 'auto_reload.failed',
    objectId: reload.id,
    data: {
      id: reload.id,
      package_id: reload.package_id,
      price_usd: toUsd(reload.price_micros),
      decline_code: given.code,
      switched_off: isOff,
      next_try_at: isOff ? null : notBefore.toISOString(),
    },
  })
  await trx
    .updateTable('auto_reload_states')
    .set({ not_before: notBefore, recheck_at: isOff ? null : notBefore })
    .where('account_id', '=', reload.account_id)
    .execute()
  const card = await findCard(trx, reload.card_id)
  const name = card ? `the ${brandName(card.brand)} card ending in ${card.last4}` : 'your card'
  const sentence = given.explain(name)
  const often =
    given.isHard || declines < 2 ? '' : ` It was the ${ordinal(declines)} time in a row.`
  const reason = `${sentence[0]?.toUpperCase() ?? ''}${sentence.slice(1)}${often}`
  if (isOff) await switchAutoReloadOff(trx, reload.account_id, reason)
  await queueMail(ctx, trx, {
    accountId: reload.account_id,
    kind: 'auto_reload',
    cause: `reload-declined:${reload.id}`,
    content: reloadDeclinedMail({
      packageName: reload.package_name,
      priceMicros: reload.price_micros,
      reason,
      nextTryAt: isOff ? null : notBefore,
    }),
  })
}

function findCard(trx: Transaction<Tables>, id: string) {
  return trx.selectFrom('cards').select(['brand', 'last4']).where('id', '=', id).executeTakeFirst()
}

/** Declines in a row with the same card; another card starts at one. */
async function countDecline(trx: Transaction<Tables>, reload: Reload): Promise<number> {
  const state = await trx
    .insertInto('auto_reload_states')
    .values({
      account_id: reload.account_id,
      declines_in_a_row: 1,
      declined_card_id: reload.card_id,
    })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({
        declines_in_a_row: sql`case when auto_reload_states.declined_card_id = ${reload.card_id}
          then auto_reload_states.declines_in_a_row + 1 else 1 end`,
        declined_card_id: reload.card_id,
      }),
    )
    .returning('declines_in_a_row')
    .executeTakeFirstOrThrow()
  return state.declines_in_a_row
}

function ordinal(count: number): string {
  return ['first', 'second', 'third'][count - 1] ?? `${count}th`
}
