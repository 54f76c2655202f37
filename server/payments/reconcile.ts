/**
 * Asks the provider about everything whose end was not heard of: checkouts and reloads older than
 * two minutes, events that were stored but not processed. It also makes up for auto-reload checks
 * that came too early. Every step may run on several machines at once.
 */
import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import type { Context } from '../ground/context.ts'
import { processStoredEvent, settleSession } from './process-event.ts'
import { isMissing, isProviderErrorOf, providerOf } from './provider.ts'
import { checkAutoReload, resumeReload } from './auto-reload.ts'

const quietMs = 2 * 60_000
/** A session that the provider never made will not be made any more. */
const neverMadeMs = 15 * 60_000
const batch = 100

export async function reconcilePayments(ctx: Context): Promise<Record<string, number>> {
  return {
    purchases: await reconcilePurchases(ctx),
    reloads: await reconcileReloads(ctx),
    events: await reprocessEvents(ctx),
    rechecks: await recheckAccounts(ctx),
  }
}

/** Asks often at first and then ever more rarely: again after a quarter of the purchase's age. */
async function reconcilePurchases(ctx: Context): Promise<number> {
  const now = ctx.now()
  const due = await ctx.db
    .selectFrom('purchases')
    .innerJoin('payment_customers', 'payment_customers.account_id', 'purchases.account_id')
    .select([
      'purchases.id',
      'purchases.checkout_session_id',
      'purchases.created_at',
      'payment_customers.customer_id',
    ])
    .where('status', '=', 'pending')
    .where('purchases.created_at', '<', new Date(now.getTime() - quietMs))
    .where(
      sql<boolean>`(checked_at is null
        or ${now} - checked_at > greatest(interval '1 minute', (${now} - purchases.created_at) / 4))`,
    )
    // Those that were never asked after come first.
    .orderBy(sql`checked_at asc nulls first`)
    .limit(batch)
    .execute()
  return each(ctx, due, async (purchase) => {
    const session = await findSession(ctx, purchase)
    if (session) {
      await settleSession(ctx, session)
      return
    }
    const isLost = now.getTime() - purchase.created_at.getTime() > neverMadeMs
    await ctx.db
      .updateTable('purchases')
      .set({ checked_at: now, ...(isLost ? { status: 'canceled', settled_at: now } : {}) })
      .where('id', '=', purchase.id)
      .where('status', '=', 'pending')
      .execute()
  })
}

async function findSession(
  ctx: Context,
  purchase: { id: string; checkout_session_id: string | null; customer_id: string },
): Promise<Stripe.Checkout.Session | undefined> {
  const { checkout } = await providerOf(ctx)
  const { sessions } = checkout
  try {
    if (purchase.checkout_session_id) return await sessions.retrieve(purchase.checkout_session_id)
    // We died between the provider's answer and our row; the session carries the purchase's id.
    const list = await sessions.list({ customer: purchase.customer_id, limit: 100 })
    return list.data.find((session) => session.metadata?.['purchase_id'] === purchase.id)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

async function reconcileReloads(ctx: Context): Promise<number> {
  const due = await ctx.db
    .selectFrom('reloads')
    .selectAll()
    .where('status', '=', 'pending')
    .where('created_at', '<', new Date(ctx.now().getTime() - quietMs))
    .orderBy('created_at')
    .limit(batch)
    .execute()
  return each(ctx, due, async (reload) => {
    await resumeReload(ctx, reload)
  })
}

async function reprocessEvents(ctx: Context): Promise<number> {
  const due = await ctx.db
    .selectFrom('payment_events')
    .select('event_id')
    .where('processed_at', 'is', null)
    .where('dead_at', 'is', null)
    .where('next_try_at', '<=', ctx.now())
    // Those that were never tried come first: the others may fail again.
    .orderBy('tries')
    .orderBy('next_try_at')
    .limit(batch)
    .execute()
  return each(ctx, due, async ({ event_id: eventId }) => {
    await processStoredEvent(ctx, eventId)
  })
}

async function recheckAccounts(ctx: Context): Promise<number> {
  const due = await ctx.db
    .selectFrom('auto_reload_states')
    .innerJoin('accounts', 'accounts.id', 'auto_reload_states.account_id')
    .select('account_id')
    .where('recheck_at', '<=', ctx.now())
    // Others would stay due and keep these from their turn.
    .where('auto_reload_enabled', '=', true)
    .orderBy('recheck_at')
    .limit(batch)
    .execute()
  return each(ctx, due, ({ account_id: accountId }) => checkAutoReload(ctx, accountId))
}

/** One that fails is logged and does not keep the others from their turn. */
async function each<T extends object>(
  ctx: Context,
  items: T[],
  run: (item: T) => Promise<void>,
): Promise<number> {
  let done = 0
  for (const item of items) {
    try {
      await run(item)
      done += 1
    } catch (error) {
      ctx.log.error({ err: error }, 'reconciling a payment failed')
      // Nobody there: the others would only wait for the same.
      if (isProviderErrorOf(error, 'StripeConnectionError')) return done
    }
  }
  return done
}
