import type { Stripe } from 'stripe'
import type { Context } from '../process/context.ts'
import { settleReload } from './settle-reload.ts'
import { noteDispute, reinstateDispute, reverseDispute, reverseRefund } from './reverse.ts'
import { settlePurchase } from './settle-purchase.ts'

/** Does what an event asks for, once. Each step below may also run twice without harm. */
export async function processEvent(ctx: Context, event: Stripe.Event): Promise<void> {
  const stored = await ctx.db
    .selectFrom('payment_events')
    .select('processed_at')
    .where('event_id', '=', event.id)
    .executeTakeFirst()
  if (stored?.processed_at) return
  const outcome = await act(ctx, event)
  await ctx.db
    .updateTable('payment_events')
    .set({ processed_at: ctx.now(), outcome })
    .where('event_id', '=', event.id)
    .where('processed_at', 'is', null)
    .execute()
  ctx.log.info({ eventId: event.id, type: event.type, outcome }, 'payment event processed')
}

async function act(ctx: Context, event: Stripe.Event): Promise<string> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.expired':
      return settlePurchase(ctx, event.data.object)
    case 'checkout.session.async_payment_failed':
      // The session is complete but its money will not come.
      return settlePurchase(ctx, { ...event.data.object, status: 'expired' })
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
      return settleReload(ctx, event.data.object)
    case 'charge.refunded':
      return reverseRefund(ctx, event.data.object)
    case 'charge.dispute.created':
      return noteDispute(ctx, event.data.object)
    case 'charge.dispute.funds_withdrawn':
      return reverseDispute(ctx, event.data.object)
    case 'charge.dispute.funds_reinstated':
      return reinstateDispute(ctx, event.data.object)
    default:
      return 'ignored'
  }
}
