/**
 * Processes the provider's events one by one: open → processed, or → dead after too many tries.
 *
 * An event that fails is tried again when the provider sends it again and by the reconciler, each
 * time after a longer pause, so that it never stands before others. After maxTries it is set aside
 * with its reason: `operator events` lists it and replays it. A provider or database that cannot be
 * reached is no fault of the event and is not counted.
 */
import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import type { Context } from '../ground/context.ts'
import { idOf, isProviderError, isProviderErrorOf, providerOf } from './provider.ts'
import { settlePurchase } from './settle-purchase.ts'
import { settleReload } from './settle-reload.ts'
import { settleRefundsAndDisputes } from './settle-refunds-and-disputes.ts'

const maxTries = 8
const firstPauseMs = 60_000
const longestPauseMs = 6 * 3_600_000

/** Does what an event asks for, once. Each step below may also run twice without harm. */
export async function processEvent(ctx: Context, event: Stripe.Event): Promise<void> {
  const stored = await ctx.db
    .selectFrom('payment_events')
    .select(['processed_at', 'dead_at'])
    .where('event_id', '=', event.id)
    .executeTakeFirst()
  if (stored?.processed_at || stored?.dead_at) return
  await tryEvent(ctx, event.id, () => act(ctx, event))
}

/** Runs one try of an event and keeps how it ended. A failure is thrown on. */
async function tryEvent(
  ctx: Context,
  eventId: string,
  run: () => Promise<string>,
): Promise<string> {
  try {
    const outcome = await run()
    await ctx.db
      .updateTable('payment_events')
      .set({ processed_at: ctx.now(), outcome, dead_at: null, next_try_at: null })
      .where('event_id', '=', eventId)
      .where('processed_at', 'is', null)
      .execute()
    ctx.log.info({ eventId, outcome }, 'payment event processed')
    return outcome
  } catch (error) {
    await keepFailure(ctx, eventId, error).catch((cause: unknown) => {
      ctx.log.error({ err: cause, eventId }, 'the failure of a payment event was not kept')
    })
    throw error
  }
}

/** Fetches the event from the provider, who keeps it, and processes it. */
export async function processStoredEvent(ctx: Context, eventId: string): Promise<string> {
  return tryEvent(ctx, eventId, async () => {
    const provider = await providerOf(ctx)
    return act(ctx, await provider.events.retrieve(eventId))
  })
}

async function keepFailure(ctx: Context, eventId: string, error: unknown): Promise<void> {
  const isCounted = !isOutage(error)
  const failed = await ctx.db
    .updateTable('payment_events')
    .set((row) => ({
      tries: sql`tries + ${isCounted ? 1 : 0}`,
      last_error: reasonOf(error),
      next_try_at: sql`${ctx.now()}::timestamptz + least(${longestPauseMs},
        ${firstPauseMs} * power(2, least(tries, 20))) * interval '1 millisecond'`,
      dead_at: row
        .case()
        .when(sql<boolean>`${isCounted} and tries + 1 >= ${maxTries}`)
        .then(ctx.now())
        .else(row.ref('dead_at'))
        .end(),
    }))
    .where('event_id', '=', eventId)
    .where('processed_at', 'is', null)
    .returning(['tries', 'dead_at', 'last_error'])
    .executeTakeFirst()
  if (!failed?.dead_at) return
  const { tries, last_error: reason } = failed
  ctx.log.error({ eventId, tries, reason }, 'payment event set aside: see `operator events`')
}

/** Nobody answered, or nobody who may: the next try may succeed with the same event. */
function isOutage(error: unknown): boolean {
  if (isProviderError(error)) {
    const types = [
      'StripeConnectionError',
      'StripeAPIError',
      'StripeRateLimitError',
      'StripeAuthenticationError',
      'StripePermissionError',
    ] as const
    return types.some((type) => isProviderErrorOf(error, type))
  }
  const { code = '' } = error as { code?: string }
  return /^(08|53|57P|40)|^E[A-Z]+$/.test(code)
}

/** For the operator's eyes: ids and kinds, nothing that a person typed. */
function reasonOf(error: unknown): string {
  if (isProviderError(error)) {
    return [error.type, error.code, error.requestId].filter(Boolean).join(' ')
  }
  const { message, severity, code, constraint } = error as DatabaseError
  const isForeign = severity !== undefined && !message.startsWith('ledger:')
  const text = isForeign ? ['database', code, constraint].filter(Boolean).join(' ') : message
  return text.slice(0, 500)
}

interface DatabaseError {
  message: string
  severity?: string
  code?: string
  constraint?: string
}

async function act(ctx: Context, event: Stripe.Event): Promise<string> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.expired':
      return settleSession(ctx, event.data.object)
    case 'checkout.session.async_payment_failed':
      // The session is complete but its money will not come.
      return settleSession(ctx, { ...event.data.object, status: 'expired' })
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
      return settleIntent(ctx, event.data.object)
    case 'charge.refunded':
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return settleRefundsAndDisputes(ctx, idOf(event.data.object.payment_intent))
    case 'charge.dispute.created':
      return settleRefundsAndDisputes(ctx, idOf(event.data.object.payment_intent), {
        isNewDispute: true,
      })
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
    case 'charge.dispute.closed':
      return settleRefundsAndDisputes(ctx, idOf(event.data.object.payment_intent))
    default:
      return 'ignored'
  }
}

// A payment whose news is late may have gone back in the meantime.

async function settleIntent(ctx: Context, intent: Stripe.PaymentIntent): Promise<string> {
  const outcome = await settleReload(ctx, intent)
  if (outcome === 'credited') await settleRefundsAndDisputes(ctx, intent.id)
  return outcome
}

export async function settleSession(
  ctx: Context,
  session: Stripe.Checkout.Session,
): Promise<string> {
  const outcome = await settlePurchase(ctx, session)
  // A process that died after the credit has not looked.
  const isPaid = outcome === 'credited' || outcome === 'already settled'
  if (isPaid && session.payment_intent)
    await settleRefundsAndDisputes(ctx, idOf(session.payment_intent))
  return outcome
}
