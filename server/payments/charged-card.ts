import type { Context } from '../ground/context.ts'
import { providerOf } from './provider.ts'

/** Brand and digits that a card's owner recognises. Credit does not wait for them. */
export async function findChargedCard(
  ctx: Context,
  paymentIntentId: string | null,
): Promise<{ brand: string; last4: string } | null> {
  if (!paymentIntentId) return null
  try {
    const provider = await providerOf(ctx)
    const intent = await provider.paymentIntents.retrieve(paymentIntentId, {
      expand: ['latest_charge'],
    })
    const charge = intent.latest_charge
    if (charge === null || typeof charge === 'string') return null
    const card = charge.payment_method_details?.card
    return card?.brand && card.last4 ? { brand: card.brand, last4: card.last4 } : null
  } catch (error) {
    ctx.log.warn({ paymentIntentId, failure: (error as Error).name }, 'card not known')
    return null
  }
}
