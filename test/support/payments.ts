/** For journeys about money: the real client at the sandbox, a person at its pages. */
import { Stripe } from 'stripe'
import { placeHold } from '../../server/billing/hold.ts'
import { adjust } from '../../server/billing/ledger.ts'
import { fromUsd } from '../../domain/money/money.ts'
import { testEnvironment } from './app.ts'
import type { TestServer, TestUser } from './app.ts'
import { until } from './until.ts'

export function providerOf(server: TestServer): Stripe {
  const url = new URL(server.sandboxUrl)
  return new Stripe(testEnvironment.STRIPE_SECRET_KEY, {
    host: url.hostname,
    port: url.port,
    protocol: 'http',
    maxNetworkRetries: 0,
  })
}

/** A lever of the sandbox: lose or delay webhooks, fail calls, open a dispute. */
export async function control<T = object>(
  server: TestServer,
  path: string,
  body: object,
): Promise<T> {
  const response = await fetch(`${server.sandboxUrl}/test/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as T
}

export async function startCheckout(
  server: TestServer,
  user: TestUser,
  packageId = 'pkg-power-50',
): Promise<{ checkout_url: string; session_id: string }> {
  return user.client.createCheckout({
    body: {
      credit_package_id: packageId,
      success_url: `${server.url}/payment/success`,
      cancel_url: `${server.url}/payment/cancel`,
    },
  })
}

/** Buys a package with a card that works, and waits for its credit. */
export async function buyPackage(
  server: TestServer,
  user: TestUser,
): Promise<Stripe.Checkout.Session> {
  const checkout = await startCheckout(server, user)
  await payOnPage(checkout.checkout_url)
  await until(
    () => user.client.getPaymentSession({ params: { id: checkout.session_id } }),
    (session) => session.status === 'credited',
  )
  return providerOf(server).checkout.sessions.retrieve(checkout.session_id)
}

export function signEvent(
  payload: string,
  options: { timestamp?: number; secret?: string } = {},
): string {
  return new Stripe(testEnvironment.STRIPE_SECRET_KEY).webhooks.generateTestHeaderString({
    payload,
    secret: options.secret ?? testEnvironment.STRIPE_WEBHOOK_SECRET,
    ...(options.timestamp === undefined ? {} : { timestamp: options.timestamp }),
  })
}

/** Brings an event as the provider does, and answers with the status. */
export async function deliverEvent(
  server: TestServer,
  event: object,
  options: { timestamp?: number; secret?: string } = {},
): Promise<number> {
  const payload = JSON.stringify(event)
  const signature = signEvent(payload, options)
  const response = await server.fetch('/v1/payment/webhook', {
    method: 'POST',
    body: payload,
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
  })
  await response.arrayBuffer()
  return response.status
}

/** Types a card on the provider's hosted page. */
export function payOnPage(checkoutUrl: string, number = '4242424242424242'): Promise<Response> {
  return fetch(checkoutUrl, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      email: 'editor@example.com',
      name: 'Edda Lind',
      number,
      expiry: '12 / 40',
      cvc: '123',
    }),
  })
}

/** Sends the news of a paid checkout that was lost on its way. */
export async function tellOfCheckout(server: TestServer): Promise<void> {
  const { data } = await providerOf(server).events.list({
    type: 'checkout.session.completed',
    limit: 1,
  })
  await control(server, `events/${data[0]?.id}/resend`, {})
}

/** Saves a card as the browser does: the provider's form confirms, then the server hears of it. */
export async function saveCard(
  server: TestServer,
  user: TestUser,
  number = '4242424242424242',
): Promise<string> {
  const { client_secret: secret } = await user.client.createSetupIntent()
  const id = await confirmInBrowser(server, secret, number)
  const { paymentMethod } = await user.client.confirmSetupIntent({ body: { setup_intent_id: id } })
  return paymentMethod.id
}

export async function confirmInBrowser(
  server: TestServer,
  clientSecret: string,
  number: string,
): Promise<string> {
  const [id = ''] = clientSecret.split('_secret_')
  const response = await fetch(`${server.sandboxUrl}/v1/setup_intents/${id}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testEnvironment.STRIPE_PUBLISHABLE_KEY}` },
    body: new URLSearchParams({
      client_secret: clientSecret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': number,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '2040',
      'payment_method_data[card][cvc]': '123',
    }),
  })
  const intent = (await response.json()) as Stripe.SetupIntent
  const bank = intent.next_action?.use_stripe_sdk as { stripe_js: string } | undefined
  if (bank) {
    const answer = new URLSearchParams({ answer: 'complete' })
    await fetch(bank.stripe_js, { method: 'POST', body: answer })
  }
  return id
}

export async function availableUsd(user: TestUser): Promise<number> {
  return (await user.client.getMe()).account_balance_usd
}

/** Leaves an account with so many dollars to spend, whatever it had. */
export async function leaveWithUsd(server: TestServer, user: TestUser, usd: string): Promise<void> {
  const { ctx } = server
  const now = ctx.now()
  const wanted = fromUsd(usd)
  const available = fromUsd(String(await availableUsd(user)))
  if (available < wanted) {
    await adjust(ctx.db, {
      accountId: user.accountId,
      reference: crypto.randomUUID(),
      amountMicros: wanted - available,
      reason: 'test',
      now,
    })
  } else if (available > wanted) {
    await placeHold(ctx.db, {
      accountId: user.accountId,
      jobId: crypto.randomUUID(),
      amountMicros: available - wanted,
      now,
    })
  }
}

/** Chosen by the tests of auto-reload. */
export const power = { threshold_usd: 10, amount_usd: 50, package_id: 'pkg-power-50' }

export async function enableAutoReload(
  server: TestServer,
  user: TestUser,
  number: string,
): Promise<string> {
  // Above the threshold while the settings are saved, so that each test starts its own check.
  await leaveWithUsd(server, user, '15')
  const card = await saveCard(server, user, number)
  await user.client.saveAutoReload({ body: { enabled: true, ...power, consent_accepted: true } })
  return card
}

/** The provider's id of an account. */
export async function customerOf(server: TestServer, user: TestUser): Promise<string> {
  const row = await server.ctx.db
    .selectFrom('payment_customers')
    .select('customer_id')
    .where('account_id', '=', user.accountId)
    .executeTakeFirstOrThrow()
  return row.customer_id
}

/** Charges of an account's cards by the provider, newest first. */
export async function chargesOf(server: TestServer, user: TestUser): Promise<Stripe.Charge[]> {
  const customer = await customerOf(server, user)
  const { data } = await providerOf(server).charges.list({ customer, limit: 100 })
  return data
}
