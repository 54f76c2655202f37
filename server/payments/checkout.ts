/**
 * Buying a package: pending → credited, by the provider's word alone (settle-purchase.ts), or
 * → canceled when its session expires. The purchase is written before the provider is asked, so
 * that a payment always finds the price and the bonus that it was made for.
 */
import type { Api } from '../../contract/api.ts'
import { bonusPercent, creditPackages } from '../../contract/catalogue.ts'
import type { CreditPackage } from '../../contract/catalogue.ts'
import type { Input, Reply } from '../../contract/endpoint.ts'
import { formatUsd, toUsd, toUsdText } from '../../contract/money.ts'
import type { SessionActor } from '../actor.ts'
import type { Context } from '../context.ts'
import { notFound, Refusal } from '../refusal.ts'
import { ensureCustomer } from './customer.ts'
import { askProvider, toCents } from './provider.ts'

export async function createCheckout(
  ctx: Context,
  actor: SessionActor,
  { body }: Input<Api['createCheckout']>,
): Promise<Reply<Api['createCheckout']>> {
  const chosen = findPackage(body.credit_package_id)
  const successUrl = allowedUrl(ctx, 'success_url', body.success_url)
  const cancelUrl = allowedUrl(ctx, 'cancel_url', body.cancel_url)
  const customerId = await ensureCustomer(ctx, actor.accountId)
  const purchase = await ctx.db
    .insertInto('purchases')
    .values({
      account_id: actor.accountId,
      package_id: chosen.id,
      package_name: chosen.name,
      price_micros: chosen.priceMicros,
      bonus_micros: chosen.bonusMicros,
      bonus_percent: bonusPercent(chosen),
      status: 'pending',
      created_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const references = { purchase_id: purchase.id, account_id: actor.accountId }
  const session = await askProvider(ctx, (provider) =>
    provider.checkout.sessions.create(
      {
        mode: 'payment',
        allowed_payment_method_types: ['card'],
        customer: customerId,
        client_reference_id: actor.accountId,
        metadata: references,
        payment_intent_data: { metadata: references, description: describe(chosen) },
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: 'usd',
              unit_amount: toCents(chosen.priceMicros),
              product_data: { name: describe(chosen) },
            },
          },
        ],
        success_url: returnUrl(successUrl, chosen),
        cancel_url: cancelUrl.href,
      },
      { idempotencyKey: `checkout:${purchase.id}` },
    ),
  )
  if (!session.url) throw new Error('A hosted checkout session has no address.')
  await ctx.db
    .updateTable('purchases')
    .set({ checkout_session_id: session.id })
    .where('id', '=', purchase.id)
    .execute()
  return { checkout_url: session.url, session_id: session.id }
}

/** What the success page asks until the credit is there. It reads and never credits. */
export async function getPaymentSession(
  ctx: Context,
  actor: SessionActor,
  { params }: Input<Api['getPaymentSession']>,
): Promise<Reply<Api['getPaymentSession']>> {
  const purchase = await ctx.db
    .selectFrom('purchases')
    .select(['status', 'package_id', 'price_micros', 'bonus_micros'])
    .where('checkout_session_id', '=', params.id)
    .where('account_id', '=', actor.accountId)
    .executeTakeFirst()
  if (!purchase) throw notFound('This payment')
  return {
    session_id: params.id,
    status: purchase.status,
    credit_package_id: purchase.package_id,
    price_usd: toUsd(purchase.price_micros),
    credits_usd: toUsd(purchase.price_micros + purchase.bonus_micros),
  }
}

export async function getPaymentConfig(ctx: Context): Promise<Reply<Api['getPaymentConfig']>> {
  const { publishableKey, scriptUrl } = ctx.config.stripe
  return { publishable_key: publishableKey, script_url: scriptUrl }
}

function findPackage(id: string): CreditPackage {
  const found = creditPackages.find((item) => item.id === id)
  if (found) return found
  throw new Refusal('invalid', 'There is no such credit package.', { field: 'credit_package_id' })
}

/** Exactly an allowed origin, however the address is spelt. */
function allowedUrl(ctx: Context, field: string, given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : null
  const isAllowed = url && ctx.config.allowedOrigins.has(url.origin)
  if (isAllowed && url.username === '' && url.password === '') return url
  throw new Refusal('invalid', `The ${field} is not on an allowed origin.`, { field })
}

/** The provider puts the session's id in place of the braces, which therefore stay unescaped. */
function returnUrl(base: URL, chosen: CreditPackage): string {
  const url = new URL(base)
  url.searchParams.delete('session_id')
  url.searchParams.set('package_type', chosen.id)
  url.searchParams.set('amount', toUsdText(chosen.priceMicros))
  const { hash } = url
  url.hash = ''
  return `${url.href}&session_id={CHECKOUT_SESSION_ID}${hash}`
}

function describe(chosen: CreditPackage): string {
  return `${chosen.name}: ${formatUsd(chosen.creditsMicros)} of credit`
}
