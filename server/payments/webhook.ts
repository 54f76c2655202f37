/**
 * The provider's events: verify the signature over the exact bytes, store the event's id, then
 * process it (process-event.ts). An event is processed once; one whose processing failed answers
 * 500, so that the provider sends it again, until it is set aside.
 */
import type { Readable } from 'node:stream'
import type { Stripe } from 'stripe'
import type { Context } from '../ground/context.ts'
import type { Verb } from '../ground/verb.ts'
import { Refusal } from '../ground/refusal.ts'
import { processEvent } from './process-event.ts'
import { isProviderErrorOf, providerOf } from './provider.ts'

const toleranceSeconds = 300
/** The reconciler leaves a new event alone for so long. */
const quietMs = 2 * 60_000
const maxBytes = 1024 * 1024

export const receivePaymentWebhook: Verb<'receivePaymentWebhook'> = async (
  ctx,
  _actor,
  _input,
  { request },
) => {
  const payload = await readAll(request.raw)
  const signature = request.headers['stripe-signature']
  const event = await verify(ctx, payload, typeof signature === 'string' ? signature : '')
  await ctx.db
    .insertInto('payment_events')
    .values({
      event_id: event.id,
      type: event.type,
      object_id: objectIdOf(event),
      received_at: ctx.now(),
      next_try_at: new Date(ctx.now().getTime() + quietMs),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await processEvent(ctx, event)
  return { received: true }
}

/** For the operator, who looks it up at the provider. */
function objectIdOf(event: Stripe.Event): string | null {
  const { id } = event.data.object as { id?: unknown }
  return typeof id === 'string' ? id.slice(0, 255) : null
}

async function verify(ctx: Context, payload: Buffer, signature: string): Promise<Stripe.Event> {
  const provider = await providerOf(ctx)
  try {
    return provider.webhooks.constructEvent(
      payload,
      signature,
      ctx.config.stripe.webhookSecret,
      toleranceSeconds,
    )
  } catch (error) {
    if (isProviderErrorOf(error, 'StripeSignatureVerificationError')) {
      throw new Refusal('invalid_signature', 'The signature of this event is not valid.')
    }
    throw new Refusal('malformed', 'This event could not be read.')
  }
}

async function readAll(request: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  // Leaving the loop early must not end the line, or nobody would read the refusal.
  const body = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  try {
    for await (const chunk of body) {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) throw new Refusal('too_large', 'This event is too large.')
      chunks.push(chunk)
    }
  } finally {
    // Unread bytes would stand before the next request of the same connection.
    request.resume()
  }
  return Buffer.concat(chunks)
}
