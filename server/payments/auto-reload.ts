/**
 * Auto-reload: when available credit is below the threshold after a hold or a capture, the default
 * card is charged for the chosen package, off-session and in the background.
 *
 * INVARIANTS
 *  1. One attempt in flight for an account: the partial unique index reloads_one_in_flight. The
 *     account's lock makes the decision and the attempt one step.
 *  2. An attempt charges once: its id is the provider's idempotency key, and its ledger key.
 *  3. At least 60 s between attempts, at most 3 in 24 h; after declines 1 h, then 6 h; the third in
 *     a row, or one that waiting cannot solve, switches auto-reload off with a reason.
 *  4. Credit follows the provider's word only (settle-reload.ts).
 *
 * A check that comes too early leaves `recheck_at`, and the reconciler makes up for it then.
 * Nothing else is rechecked, so that credit which merely lapses never charges a card.
 */
import type { Transaction } from 'kysely'
import { bonusPercent, creditPackages } from '../../domain/money/catalogue.ts'
import { readBalance } from '../billing/balance.ts'
import { grantFreeCredit } from '../billing/grant.ts'
import { findLowBalance } from '../billing/low-balance.ts'
import { balanceLowMail } from '../mail/messages.ts'
import { queueMail } from '../mail/queue.ts'
import type { Context } from '../ground/context.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { ensureCustomer } from './customer.ts'
import { readDecline } from './declines.ts'
import {
  idOf,
  isMissing,
  isProviderError,
  isProviderErrorOf,
  providerOf,
  toCents,
} from './provider.ts'
import { abandonReload, declineReload, settleReload } from './settle-reload.ts'
import { settleRefundsAndDisputes } from './settle-refunds-and-disputes.ts'

export const autoReloadQueue = 'auto-reload'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const maxInADay = 3
/** A charge that was never sent is not sent later than this: the reason for it may be gone. */
const sendWithinMs = 10 * minuteMs

/**
 * Call it after each hold and capture, inside their transaction or after it. Where auto-reload is
 * off, a low balance is reported; where it is on, a check is enqueued.
 */
export async function checkAutoReload(
  ctx: Context,
  accountId: string,
  trx?: Transaction<Tables>,
): Promise<void> {
  const account = await (trx ?? ctx.db)
    .selectFrom('accounts')
    .select('auto_reload_enabled')
    .where('id', '=', accountId)
    .executeTakeFirst()
  if (!account) return
  if (!account.auto_reload_enabled) {
    if (trx) await reportLowBalance(ctx, trx, accountId)
    return
  }
  await ctx.queue.send(autoReloadQueue, { accountId }, { singletonKey: accountId, trx })
}

/** One message for each credit that runs out. */
async function reportLowBalance(
  ctx: Context,
  trx: Transaction<Tables>,
  accountId: string,
): Promise<void> {
  if (!ctx.config.mail) return
  const low = await findLowBalance(trx, { accountId, now: ctx.now() })
  if (!low) return
  await queueMail(ctx, trx, {
    accountId,
    kind: 'balance_low',
    cause: `credit:${low.creditId}`,
    content: balanceLowMail(low),
  })
}

export type Decision =
  | 'off'
  | 'enough'
  | 'no card'
  | 'in flight'
  | 'too early'
  | 'credited'
  | 'declined'
  | 'open'

/** Runs the queue's task. */
export async function runAutoReload(ctx: Context, accountId: string): Promise<Decision> {
  const account = await ctx.db
    .selectFrom('accounts')
    .select('auto_reload_enabled')
    .where('id', '=', accountId)
    .executeTakeFirst()
  if (!account?.auto_reload_enabled) return 'off'
  // The month's free credit counts before a card is charged.
  await grantFreeCredit(ctx.db, { accountId, now: ctx.now() })
  const customerId = await ensureCustomer(ctx, accountId)
  const decided = await ctx.db
    .transaction()
    .execute((trx) => openReload(ctx, trx, { accountId, customerId }))
  return typeof decided === 'string' ? decided : chargeReload(ctx, decided)
}

/** Takes up an attempt whose end was never heard of. */
export async function resumeReload(ctx: Context, reload: Reload): Promise<Decision> {
  const provider = await providerOf(ctx)
  const customer = reload.customer_id
  const intents = await provider.paymentIntents
    .list({ customer, limit: 100 })
    .then(({ data }) => data)
    .catch((error: unknown) => {
      // Keys of another provider account were set: nothing was charged with these.
      if (isMissing(error)) return []
      throw error
    })
  const known = intents.find((intent) => intent.metadata['reload_id'] === reload.id)
  if (known) {
    const outcome = await settleReload(ctx, known)
    // It may have gone back in the meantime.
    if (outcome === 'credited') await settleRefundsAndDisputes(ctx, known.id)
    return decisionOf(outcome)
  }
  if (ctx.now().getTime() - reload.created_at.getTime() < sendWithinMs) {
    return chargeReload(ctx, reload)
  }
  await abandonReload(ctx, reload.id)
  // With too little credit for any job, nothing else would ask for a check again.
  await checkAutoReload(ctx, reload.account_id)
  return 'declined'
}

export interface Reload {
  id: string
  account_id: string
  customer_id: string
  payment_method_id: string
  package_name: string
  price_micros: number
  created_at: Date
}

/** Decides under the account's lock and writes the attempt, or says why there is none. */
async function openReload(
  ctx: Context,
  trx: Transaction<Tables>,
  { accountId, customerId }: { accountId: string; customerId: string },
): Promise<Reload | Decision> {
  const account = await trx
    .selectFrom('accounts')
    .select([
      'auto_reload_enabled',
      'auto_reload_threshold_micros',
      'auto_reload_package_id',
      'auto_reload_consent_accepted_at',
    ])
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const chosen = creditPackages.find((item) => item.id === account.auto_reload_package_id)
  const threshold = account.auto_reload_threshold_micros
  const isOn = account.auto_reload_enabled && account.auto_reload_consent_accepted_at
  if (!isOn || !chosen || threshold === null) return 'off'
  // Asked before the balance is read: an attempt that is not in flight any more has been credited
  // by now, and no other can begin while this transaction holds the account.
  const inFlight = await trx
    .selectFrom('reloads')
    .select('id')
    .where('account_id', '=', accountId)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  if (inFlight) return 'in flight'
  const now = ctx.now()
  await setRecheck(trx, accountId, null)
  const { availableMicros } = await readBalance(trx, { accountId, now })
  if (availableMicros >= threshold) return 'enough'
  const card = await trx
    .selectFrom('cards')
    .select(['id', 'payment_method_id'])
    .where('account_id', '=', accountId)
    .where('is_default', '=', true)
    .executeTakeFirst()
  if (!card) return 'no card'
  const allowedAt = await findAllowedTime(trx, { accountId, cardId: card.id, now })
  if (allowedAt > now) {
    await setRecheck(trx, accountId, allowedAt)
    return 'too early'
  }
  return trx
    .insertInto('reloads')
    .values({
      account_id: accountId,
      package_id: chosen.id,
      package_name: chosen.name,
      price_micros: chosen.priceMicros,
      bonus_micros: chosen.bonusMicros,
      bonus_percent: bonusPercent(chosen),
      customer_id: customerId,
      card_id: card.id,
      payment_method_id: card.payment_method_id,
      status: 'pending',
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The earliest moment at which the next attempt may start. */
async function findAllowedTime(
  trx: Transaction<Tables>,
  input: { accountId: string; cardId: string; now: Date },
): Promise<Date> {
  const recent = await trx
    .selectFrom('reloads')
    .select('created_at')
    .where('account_id', '=', input.accountId)
    .where('created_at', '>', new Date(input.now.getTime() - dayMs))
    .orderBy('created_at', 'desc')
    .limit(maxInADay)
    .execute()
  const state = await trx
    .selectFrom('auto_reload_states')
    .select(['not_before', 'declined_card_id'])
    .where('account_id', '=', input.accountId)
    .executeTakeFirst()
  const times = [0]
  const last = recent[0]
  if (last) times.push(last.created_at.getTime() + minuteMs)
  const third = recent[maxInADay - 1]
  if (third) times.push(third.created_at.getTime() + dayMs)
  if (state?.not_before && state.declined_card_id === input.cardId) {
    times.push(state.not_before.getTime())
  }
  return new Date(Math.max(...times))
}

async function chargeReload(ctx: Context, reload: Reload): Promise<Decision> {
  try {
    const provider = await providerOf(ctx)
    const intent = await provider.paymentIntents.create(
      {
        amount: toCents(reload.price_micros),
        currency: 'usd',
        customer: reload.customer_id,
        payment_method: reload.payment_method_id,
        allowed_payment_method_types: ['card'],
        off_session: true,
        confirm: true,
        description: `${reload.package_name} (auto-reload)`,
        metadata: { reload_id: reload.id, account_id: reload.account_id },
      },
      { idempotencyKey: `reload:${reload.id}` },
    )
    return decisionOf(await settleReload(ctx, intent))
  } catch (error) {
    if (isProviderErrorOf(error, 'StripeCardError')) {
      if (error.payment_intent) return decisionOf(await settleReload(ctx, error.payment_intent))
      return decisionOf(await declineReload(ctx, reload.id, readDecline(error)))
    }
    if (!isProviderError(error)) throw error
    const { type, code, requestId } = error
    if (isProviderErrorOf(error, 'StripeInvalidRequestError')) {
      if (!(await isCardUsable(ctx, reload))) {
        const unusable = readDecline({ decline_code: 'card_unusable' })
        return decisionOf(await declineReload(ctx, reload.id, unusable))
      }
      // No fault of the customer: the provider refuses us, or what we sent.
      ctx.log.error({ reloadId: reload.id, code, requestId }, 'the provider refuses reloads')
      return 'open'
    }
    // Nobody knows whether it was charged. It stays in flight until the provider can be asked.
    ctx.log.warn({ reloadId: reload.id, type }, 'reload not answered')
    return 'open'
  }
}

/** True if the provider still has the card and its customer. */
async function isCardUsable(ctx: Context, reload: Reload): Promise<boolean> {
  const provider = await providerOf(ctx)
  try {
    const card = await provider.paymentMethods.retrieve(reload.payment_method_id)
    return idOf(card.customer) === reload.customer_id
  } catch (error) {
    if (!isProviderError(error)) throw error
    return !isMissing(error)
  }
}

function decisionOf(outcome: Awaited<ReturnType<typeof settleReload>>): Decision {
  if (outcome === 'not ours') throw new Error('A payment of this product names no reload.')
  return outcome
}

async function setRecheck(
  trx: Transaction<Tables>,
  accountId: string,
  recheckAt: Date | null,
): Promise<void> {
  if (recheckAt === null) {
    await trx
      .updateTable('auto_reload_states')
      .set({ recheck_at: null })
      .where('account_id', '=', accountId)
      .where('recheck_at', 'is not', null)
      .execute()
    return
  }
  await trx
    .insertInto('auto_reload_states')
    .values({ account_id: accountId, recheck_at: recheckAt })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ recheck_at: recheckAt }))
    .execute()
}
