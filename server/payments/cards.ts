/**
 * Saved cards. The number goes from the browser to the provider alone; here live its id and what a
 * person recognises it by. An account with cards has exactly one default card.
 */
import type { Transaction } from 'kysely'
import type { Stripe } from 'stripe'
import type { PaymentMethod } from '../../contract/account/payments.ts'
import type { Context } from '../ground/context.ts'
import { lockAccount } from '../accounts/lock-account.ts'
import type { Db } from '../ground/database.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import { findCustomer, withCustomer } from './customer.ts'
import { askProvider, idOf, isMissing, providerOf } from './provider.ts'
import { switchAutoReloadOff } from './settle-reload.ts'
import type { Verb } from '../ground/verb.ts'
import { refuseFull } from '../db/refuse-full.ts'

export const detachCardQueue = 'detach-card'

const maxCards = 20

export const createSetupIntent: Verb<'createSetupIntent'> = async (ctx, actor) => {
  await refuseTooMany(ctx.db, actor.accountId)
  const intent = await withCustomer(ctx, actor.accountId, (customer) =>
    askProvider(ctx, (provider) =>
      provider.setupIntents.create({
        customer,
        usage: 'off_session',
        allowed_payment_method_types: ['card'],
        metadata: { account_id: actor.accountId },
      }),
    ),
  )
  if (!intent.client_secret) throw new Error('A setup intent has no secret.')
  return { client_secret: intent.client_secret }
}

/** The browser says that a card was confirmed; only the provider is believed. */
export const confirmSetupIntent: Verb<'confirmSetupIntent'> = async (ctx, actor, { body }) => {
  const customer = await findCustomer(ctx, actor.accountId)
  const intent = await findSetupIntent(ctx, body.setup_intent_id)
  if (!customer || !intent || idOf(intent.customer) !== customer) throw notFound('This card setup')
  const method = intent.payment_method
  if (intent.status !== 'succeeded' || method === null || typeof method === 'string') {
    throw new Refusal('invalid', 'This card has not been confirmed. Please try again.')
  }
  // Detached at the provider: it was removed or replaced here since, and can no longer be charged.
  if (idOf(method.customer) !== customer) {
    throw new Refusal('invalid', 'This card has since been removed. Please add it again.')
  }
  const { card } = method
  if (!card) throw new Refusal('invalid', 'Only cards can be saved.')
  const saved = await ctx.db.transaction().execute(async (trx) => {
    await lockAccount(trx, actor.accountId)
    const fingerprint = card.fingerprint ?? method.id
    const earlier = await trx
      .selectFrom('cards')
      .select('payment_method_id')
      .where('account_id', '=', actor.accountId)
      .where('fingerprint', '=', fingerprint)
      .executeTakeFirst()
    if (earlier && earlier.payment_method_id !== method.id) {
      await detachLater(ctx, trx, earlier.payment_method_id)
    }
    if (!earlier) await refuseTooMany(trx, actor.accountId)
    const isFirst = (await findDefault(trx, actor.accountId)) === undefined
    const seen = {
      payment_method_id: method.id,
      brand: card.brand,
      last4: card.last4,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
    }
    return trx
      .insertInto('cards')
      .values({
        ...seen,
        account_id: actor.accountId,
        fingerprint,
        is_default: isFirst,
        created_at: ctx.now(),
      })
      .onConflict((conflict) => conflict.columns(['account_id', 'fingerprint']).doUpdateSet(seen))
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  return { paymentMethod: present(saved) }
}

export const listPaymentMethods: Verb<'listPaymentMethods'> = async (ctx, actor) => {
  const cards = await ctx.db
    .selectFrom('cards')
    .selectAll()
    .where('account_id', '=', actor.accountId)
    .orderBy('is_default', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return { paymentMethods: cards.map(present) }
}

export const setDefaultPaymentMethod: Verb<'setDefaultPaymentMethod'> = async (
  ctx,
  actor,
  { params },
) => {
  const card = await ctx.db.transaction().execute(async (trx) => {
    await lockAccount(trx, actor.accountId)
    await trx
      .updateTable('cards')
      .set({ is_default: false })
      .where('account_id', '=', actor.accountId)
      .where('is_default', '=', true)
      .execute()
    const chosen = await trx
      .updateTable('cards')
      .set({ is_default: true })
      .where('account_id', '=', actor.accountId)
      .where('id', '=', params.id)
      .returningAll()
      .executeTakeFirst()
    // Thrown inside the transaction, so that the earlier default stays.
    if (!chosen) throw notFound('This card')
    return chosen
  })
  return { paymentMethod: present(card) }
}

export const deletePaymentMethod: Verb<'deletePaymentMethod'> = async (ctx, actor, { params }) => {
  await ctx.db.transaction().execute(async (trx) => {
    await lockAccount(trx, actor.accountId)
    const removed = await trx
      .deleteFrom('cards')
      .where('account_id', '=', actor.accountId)
      .where('id', '=', params.id)
      .returning(['payment_method_id', 'is_default'])
      .executeTakeFirst()
    if (!removed) throw notFound('This card')
    if (removed.is_default) await promoteNext(trx, actor.accountId)
    await detachLater(ctx, trx, removed.payment_method_id)
  })
  return { ok: true }
}

/** Task of the queue: makes the provider forget a card that the product has forgotten. */
export async function detachCard(ctx: Context, paymentMethodId: string): Promise<void> {
  const isKept = await ctx.db
    .selectFrom('cards')
    .select('id')
    .where('payment_method_id', '=', paymentMethodId)
    .executeTakeFirst()
  if (isKept) return
  try {
    const provider = await providerOf(ctx)
    await provider.paymentMethods.detach(paymentMethodId)
  } catch (error) {
    const { code } = error as { code?: string }
    if (isMissing(error) || code === 'payment_method_not_attached') return
    throw error
  }
}

/** The most recently added card follows; without any, auto-reload has nothing to charge. */
async function promoteNext(trx: Transaction<Tables>, accountId: string): Promise<void> {
  const next = await trx
    .selectFrom('cards')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .executeTakeFirst()
  if (next) {
    await trx.updateTable('cards').set({ is_default: true }).where('id', '=', next.id).execute()
  } else {
    await switchAutoReloadOff(trx, accountId, 'The last saved card was removed.')
  }
}

async function findSetupIntent(ctx: Context, id: string): Promise<Stripe.SetupIntent | undefined> {
  if (!/^seti_\w{1,190}$/.test(id)) return undefined
  try {
    return await askProvider(ctx, (provider) =>
      provider.setupIntents.retrieve(id, { expand: ['payment_method'] }),
    )
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function refuseTooMany(db: Db, accountId: string): Promise<void> {
  const cards = db.selectFrom('cards').where('account_id', '=', accountId)
  const sentence = `An account keeps at most ${maxCards} cards. Remove one first.`
  return refuseFull(cards, maxCards, sentence)
}

async function findDefault(
  trx: Transaction<Tables>,
  accountId: string,
): Promise<{ id: string } | undefined> {
  return trx
    .selectFrom('cards')
    .select('id')
    .where('account_id', '=', accountId)
    .where('is_default', '=', true)
    .executeTakeFirst()
}

async function detachLater(
  ctx: Context,
  trx: Transaction<Tables>,
  paymentMethodId: string,
): Promise<void> {
  await ctx.queue.send(detachCardQueue, { paymentMethodId }, { trx })
}

function present(card: {
  id: string
  brand: string
  last4: string
  exp_month: number
  exp_year: number
  is_default: boolean
}): PaymentMethod {
  return {
    id: card.id,
    card_brand: card.brand,
    card_last4: card.last4,
    card_exp_month: card.exp_month,
    card_exp_year: card.exp_year,
    is_default: card.is_default,
  }
}
