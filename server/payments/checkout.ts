/**
 * Buying a package: pending → credited, by the provider's word alone (settle-purchase.ts), or
 * → canceled when its session expires. The purchase is written before the provider is asked, so
 * that a payment always finds the price and the bonus that it was made for.
 */
import type { Stripe } from 'stripe'
import { bonusPercent, creditPackages } from '../../domain/money/catalogue.ts'
import type { CreditPackage } from '../../domain/money/catalogue.ts'
import { formatUsd, toUsd, toUsdText } from '../../domain/money/money.ts'
import type { Context } from '../ground/context.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import { withCustomer } from './customer.ts'
import { askProvider, toCents } from './provider.ts'
import type { Verb } from '../ground/verb.ts'

const maxOpenInAnHour = 30

export const createCheckout: Verb<'createCheckout'> = async (
  ctx,
  actor,
  { body },
  { pageOrigin },
) => {
  const chosen = findPackage(body.credit_package_id)
  const page = pageOrigin ?? ctx.config.publicUrl
  const successUrl = allowedUrl(ctx, 'success_url', { given: body.success_url, page })
  const cancelUrl = allowedUrl(ctx, 'cancel_url', { given: body.cancel_url, page })
  await refuseFlood(ctx, actor.accountId)
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
  const session = await withCustomer(ctx, actor.accountId, (customerId) =>
    openSession(ctx, {
      purchaseId: purchase.id,
      accountId: actor.accountId,
      customerId,
      chosen,
      successUrl: returnUrl(successUrl, chosen),
      cancelUrl: cancelUrl.href,
    }),
  )
  if (!session.url) throw new Error('A hosted checkout session has no address.')
  await ctx.db
    .updateTable('purchases')
    .set({ checkout_session_id: session.id })
    .where('id', '=', purchase.id)
    .execute()
  return { checkout_url: session.url, session_id: session.id }
}

/** Polled by the success page until the credit is there. It reads and never credits. */
export const getPaymentSession: Verb<'getPaymentSession'> = async (ctx, actor, { params }) => {
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

export const getPaymentConfig: Verb<'getPaymentConfig'> = async (ctx) => {
  const { publishableKey, scriptUrl } = ctx.config.stripe
  return { publishable_key: publishableKey, script_url: scriptUrl }
}

function openSession(
  ctx: Context,
  input: {
    purchaseId: string
    accountId: string
    customerId: string
    chosen: CreditPackage
    successUrl: string
    cancelUrl: string
  },
): Promise<Stripe.Checkout.Session> {
  const references = { purchase_id: input.purchaseId, account_id: input.accountId }
  const name = `${input.chosen.name}: ${formatUsd(input.chosen.creditsMicros)} of credit`
  return askProvider(ctx, (provider) =>
    provider.checkout.sessions.create(
      {
        mode: 'payment',
        allowed_payment_method_types: ['card'],
        customer: input.customerId,
        client_reference_id: input.accountId,
        metadata: references,
        payment_intent_data: { metadata: references, description: name },
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: 'usd',
              unit_amount: toCents(input.chosen.priceMicros),
              product_data: { name },
            },
          },
        ],
        success_url: input.successUrl,
        cancel_url: input.cancelUrl,
      },
      { idempotencyKey: `checkout:${input.purchaseId}:${input.customerId}` },
    ),
  )
}

/** Each open checkout is asked after for a day, so nobody may open them without end. */
async function refuseFlood(ctx: Context, accountId: string): Promise<void> {
  const { open } = await ctx.db
    .selectFrom('purchases')
    .select((select) => select.fn.countAll<number>().as('open'))
    .where('account_id', '=', accountId)
    .where('status', '=', 'pending')
    .where('created_at', '>', new Date(ctx.now().getTime() - 3_600_000))
    .executeTakeFirstOrThrow()
  if (open < maxOpenInAnHour) return
  throw new Refusal(
    'rate_limited',
    'Too many checkouts were started. Please finish one of them, or try again later.',
    { retryAfterSeconds: 600 },
  )
}

function findPackage(id: string): CreditPackage {
  const chosen = creditPackages.find((item) => item.id === id)
  if (chosen) return chosen
  throw new Refusal('invalid', 'There is no such credit package.', { field: 'credit_package_id' })
}

/** Exactly an allowed origin, however it is spelt; a bare path is on the page's own. */
function allowedUrl(
  ctx: Context,
  field: string,
  { given, page }: { given: string; page: string },
): URL {
  const isPath = /^\/(?![/\\])/.test(given)
  const url = URL.parse(given, isPath ? page : undefined)
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
