/** The real `stripe` client in conversation with the sandbox. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Stripe } from 'stripe'
import type { Sandbox } from './sandbox.ts'
import {
  connect,
  control,
  publishableKey,
  secret,
  startReceiver,
  startTestSandbox,
} from './start-for-test.ts'
import type { Receiver } from './start-for-test.ts'

let receiver: Receiver
let sandbox: Sandbox
let stripe: Stripe
let customer: Stripe.Customer

before(async () => {
  receiver = await startReceiver()
  sandbox = await startTestSandbox({ webhook: { url: receiver.url, secret } })
  stripe = connect(sandbox)
})
after(async () => {
  await sandbox.stop()
  await receiver.stop()
})
beforeEach(async () => {
  receiver.events.length = 0
  customer = await stripe.customers.create({
    email: 'edda@example.com',
    metadata: { account: 'a1' },
  })
})

describe('checkout', () => {
  it('is paid on the hosted page and reported by a signed webhook', async () => {
    const session = await createSession()
    assert.equal(session.status, 'open')
    assert.equal(session.amount_total, 5000)
    const page = await fetch(session.url ?? '')
    const text = await page.text()
    assert.match(text, /\$50\.00/)
    assert.match(text, /Sandbox:/)
    const paid = await pay(session, '4242 4242 4242 4242')
    assert.equal(paid.status, 303)
    assert.equal(
      paid.headers.get('location'),
      `http://localhost:3000/payment/success?session_id=${session.id}`,
    )
    const event = await receiver.until('checkout.session.completed')
    const completed = event.data.object as Stripe.Checkout.Session
    assert.equal(completed.id, session.id)
    assert.equal(completed.payment_status, 'paid')
    assert.equal(completed.client_reference_id, 'a1')
    assert.deepEqual(completed.metadata, { purchase: 'p1' })
    const read = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['payment_intent.latest_charge', 'line_items'],
    })
    const intent = read.payment_intent as Stripe.PaymentIntent
    assert.equal(intent.status, 'succeeded')
    assert.equal((intent.latest_charge as Stripe.Charge).amount, 5000)
    assert.equal(read.line_items?.data[0]?.description, 'POWER')
  })

  it('stays open after a decline and can then be paid with another card', async () => {
    const session = await createSession()
    const declined = await pay(session, '4000 0000 0000 9995')
    assert.equal(declined.status, 402)
    assert.match(await declined.text(), /insufficient funds/)
    const open = await stripe.checkout.sessions.retrieve(session.id)
    assert.equal(open.status, 'open')
    assert.equal(open.payment_status, 'unpaid')
    assert.equal((await pay(session, '5555 5555 5555 4444')).status, 303)
    assert.equal((await stripe.checkout.sessions.retrieve(session.id)).status, 'complete')
  })

  it('offers the way back and charges nothing when canceled', async () => {
    const session = await createSession()
    const text = await (await fetch(session.url ?? '')).text()
    assert.match(text, /href="http:\/\/localhost:3000\/payment\/cancel"/)
    const read = await stripe.checkout.sessions.retrieve(session.id)
    assert.equal(read.payment_intent, null)
  })

  it('cannot be paid once expired', async () => {
    const session = await createSession()
    const expired = await stripe.checkout.sessions.expire(session.id)
    assert.equal(expired.status, 'expired')
    assert.equal(expired.url, null)
    assert.equal((await pay(session, '4242424242424242')).status, 410)
    await receiver.until('checkout.session.expired')
    await assert.rejects(stripe.checkout.sessions.expire(session.id), /status of expired/)
  })

  it('asks the bank first when the card demands it', async () => {
    const session = await createSession()
    const asked = await pay(session, '4000 0027 6000 3184')
    const bank = new URL(asked.headers.get('location') ?? '', sandbox.url)
    assert.match(bank.pathname, /^\/authenticate\/pi_/)
    const failed = await submit(bank.href, { answer: 'fail' })
    assert.match(await failed.text(), /unable to authenticate/)
    const again = await pay(session, '4000 0027 6000 3184')
    const second = new URL(again.headers.get('location') ?? '', sandbox.url)
    const passed = await submit(second.href, { answer: 'complete' })
    assert.match(passed.headers.get('location') ?? '', /payment\/success/)
    assert.equal((await stripe.checkout.sessions.retrieve(session.id)).payment_status, 'paid')
  })

  it('refuses a card that is not a test card, a wrong number and a past date', async () => {
    const session = await createSession()
    assert.match(await (await pay(session, '4012888888881881')).text(), /non test card/)
    assert.match(await (await pay(session, '4242424242424241')).text(), /number is incorrect/)
    assert.match(
      await (await pay(session, '4242424242424242', '01 / 20')).text(),
      /year is invalid/,
    )
  })
})

describe('cards', () => {
  it('are saved by a setup intent that the browser confirms', async () => {
    const intent = await stripe.setupIntents.create({ customer: customer.id, usage: 'off_session' })
    const confirmed = await confirmInBrowser(intent, '4242424242424242')
    assert.equal(confirmed.status, 200)
    const read = await stripe.setupIntents.retrieve(intent.id)
    assert.equal(read.status, 'succeeded')
    const methods = await stripe.paymentMethods.list({ customer: customer.id, type: 'card' })
    assert.deepEqual(
      methods.data.map((method) => [method.id, method.card?.brand, method.card?.last4]),
      [[read.payment_method, 'visa', '4242']],
    )
    await stripe.paymentMethods.detach(methods.data[0]?.id ?? '')
    assert.equal((await stripe.paymentMethods.list({ customer: customer.id })).data.length, 0)
  })

  it('are not saved when the bank declines or the secret is wrong', async () => {
    const intent = await stripe.setupIntents.create({ customer: customer.id })
    const declined = await confirmInBrowser(intent, '4000000000000002')
    assert.equal(declined.status, 402)
    const body = (await declined.json()) as { error: { code: string; decline_code: string } }
    assert.equal(body.error.code, 'card_declined')
    assert.equal(body.error.decline_code, 'generic_decline')
    const stolen = { ...intent, client_secret: `${intent.id}_secret_guess` }
    assert.equal((await confirmInBrowser(stolen, '4242424242424242')).status, 404)
    assert.equal((await stripe.paymentMethods.list({ customer: customer.id })).data.length, 0)
  })
})

describe('off-session charges', () => {
  it('succeed with a saved card and can be refunded', async () => {
    const method = await stripe.paymentMethods.attach('pm_card_mastercard', {
      customer: customer.id,
    })
    const intent = await charge(method.id)
    assert.equal(intent.status, 'succeeded')
    assert.equal(intent.amount_received, 2000)
    await receiver.until('payment_intent.succeeded')
    const refund = await stripe.refunds.create({ payment_intent: intent.id, amount: 500 })
    assert.equal(refund.status, 'succeeded')
    const { data } = await stripe.charges.list({ payment_intent: intent.id })
    assert.deepEqual(
      data.map((read) => [read.amount_refunded, read.refunded]),
      [[500, false]],
    )
    await assert.rejects(
      stripe.refunds.create({ payment_intent: intent.id, amount: 1501 }),
      Stripe.errors.StripeInvalidRequestError,
    )
  })

  const declines: [string, string, string, string | undefined][] = [
    ['pm_card_chargeCustomerFail', 'card_declined', 'generic_decline', 'try_again_later'],
    ['pm_card_radarBlock', 'card_declined', 'fraudulent', 'do_not_try_again'],
  ]
  for (const [token, code, declineCode, advice] of declines) {
    it(`decline with ${declineCode}`, async () => {
      const method = await stripe.paymentMethods.attach(token, { customer: customer.id })
      const error = await charge(method.id).catch((thrown: unknown) => thrown)
      assert.ok(error instanceof Stripe.errors.StripeCardError)
      assert.equal(error.statusCode, 402)
      assert.equal(error.code, code)
      assert.equal(error.decline_code, declineCode)
      assert.equal(error.advice_code, advice)
      assert.equal(error.payment_intent?.status, 'requires_payment_method')
      await receiver.until('payment_intent.payment_failed')
    })
  }

  it('are refused when the card wants its holder', async () => {
    const intent = await stripe.setupIntents.create({ customer: customer.id })
    const asked = await confirmInBrowser(intent, '4000002760003184')
    const waiting = (await asked.json()) as Stripe.SetupIntent
    assert.equal(waiting.status, 'requires_action')
    const bank = waiting.next_action?.use_stripe_sdk as { stripe_js: string }
    await submit(bank.stripe_js, { answer: 'complete' })
    const saved = await stripe.setupIntents.retrieve(intent.id)
    assert.equal(saved.status, 'succeeded')
    await assert.rejects(charge(saved.payment_method as string), {
      type: 'StripeCardError',
      code: 'authentication_required',
    })
  })

  it("never use another customer's card", async () => {
    const other = await stripe.customers.create({})
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: other.id })
    await assert.rejects(charge(method.id), /does not belong to the Customer/)
  })
})

describe('idempotency keys', () => {
  const params = { amount: 2000, currency: 'usd' }

  it('replay the same request and refuse another', async () => {
    const first = await stripe.paymentIntents.create(params, { idempotencyKey: 'k-1' })
    const second = await stripe.paymentIntents.create(params, { idempotencyKey: 'k-1' })
    assert.equal(second.id, first.id)
    assert.equal(second.lastResponse.headers['idempotent-replayed'], 'true')
    await assert.rejects(
      stripe.paymentIntents.create({ ...params, amount: 2100 }, { idempotencyKey: 'k-1' }),
      Stripe.errors.StripeIdempotencyError,
    )
  })

  it('replay a decline without charging again', async () => {
    const method = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
      customer: customer.id,
    })
    const first = await charge(method.id, 'k-2').catch((error: unknown) => error)
    const second = await charge(method.id, 'k-2').catch((error: unknown) => error)
    assert.ok(first instanceof Stripe.errors.StripeCardError)
    assert.ok(second instanceof Stripe.errors.StripeCardError)
    assert.equal(second.payment_intent?.id, first.payment_intent?.id)
    const charges = await stripe.charges.list({ customer: customer.id })
    assert.equal(charges.data.length, 1)
  })

  it('answer 409 while the first request runs', async () => {
    await control(sandbox, 'api', { delay_ms: 300 })
    const results = await Promise.allSettled([
      stripe.paymentIntents.create(params, { idempotencyKey: 'k-3' }),
      stripe.paymentIntents.create(params, { idempotencyKey: 'k-3' }),
    ])
    await control(sandbox, 'api', { delay_ms: 0 })
    const refused = results.filter((result) => result.status === 'rejected')
    assert.equal(refused.length, 1)
    const reason: unknown = refused[0]?.reason
    assert.ok(reason instanceof Stripe.errors.StripeError)
    assert.equal(reason.statusCode, 409)
  })
})

describe('the door', () => {
  it('wants the secret key', async () => {
    const { hostname, port } = new URL(sandbox.url)
    const config = { host: hostname, port, protocol: 'http' as const }
    const wrong = new Stripe('sk_test_wrong', config)
    await assert.rejects(wrong.events.list(), Stripe.errors.StripeAuthenticationError)
    const browser = new Stripe(publishableKey, config)
    await assert.rejects(browser.events.list(), Stripe.errors.StripeAuthenticationError)
    assert.equal((await fetch(`${sandbox.url}/v1/events`)).status, 401)
  })

  it('refuses unknown parameters and missing objects as the provider does', async () => {
    const odd = { customer: customer.id, colour: 'red' } as Stripe.SetupIntentCreateParams
    await assert.rejects(stripe.setupIntents.create(odd), { code: 'parameter_unknown' })
    await assert.rejects(stripe.customers.retrieve('cus_none'), { code: 'resource_missing' })
    await assert.rejects(stripe.paymentIntents.create({ amount: 10, currency: 'usd' }), {
      code: 'amount_too_small',
    })
  })

  it('gives lists page by page, newest first', async () => {
    const newestFirst: string[] = []
    for (let index = 0; index < 5; index++) {
      const intent = await stripe.paymentIntents.create({
        amount: 2000,
        currency: 'usd',
        customer: customer.id,
      })
      newestFirst.unshift(intent.id)
    }
    const first = await stripe.paymentIntents.list({ customer: customer.id, limit: 2 })
    assert.equal(first.has_more, true)
    const seen: string[] = []
    for await (const intent of stripe.paymentIntents.list({ customer: customer.id, limit: 2 })) {
      seen.push(intent.id)
    }
    assert.deepEqual(seen, newestFirst)
    const events = await stripe.events.list({ type: 'payment_intent.created', limit: 1 })
    const newest = events.data[0]?.data.object as Stripe.PaymentIntent | undefined
    assert.equal(newest?.id, newestFirst[0])
  })
})

it('a dispute takes the money back and can be won', async () => {
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  const intent = await charge(method.id)
  const dispute = (await control(sandbox, 'disputes', {
    payment_intent: intent.id,
  })) as Stripe.Dispute
  const event = await receiver.until('charge.dispute.created')
  assert.equal((event.data.object as Stripe.Dispute).amount, 2000)
  await control(sandbox, `disputes/${dispute.id}/close`, { won: true })
  await receiver.until('charge.dispute.funds_reinstated')
  const { data } = await stripe.disputes.list({ payment_intent: intent.id })
  assert.deepEqual(
    data.map(({ id, status }) => [id, status]),
    [[dispute.id, 'won']],
  )
})

function createSession(): Promise<Stripe.Checkout.Session> {
  return stripe.checkout.sessions.create({
    mode: 'payment',
    customer: customer.id,
    client_reference_id: 'a1',
    metadata: { purchase: 'p1' },
    line_items: [
      {
        quantity: 1,
        price_data: { currency: 'usd', unit_amount: 5000, product_data: { name: 'POWER' } },
      },
    ],
    success_url: 'http://localhost:3000/payment/success?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://localhost:3000/payment/cancel',
  })
}

function pay(session: Stripe.Checkout.Session, number: string, expiry = '12 / 40') {
  const fields = { email: 'edda@example.com', name: 'Edda', number, expiry, cvc: '123' }
  return submit(`${sandbox.url}/c/pay/${session.id}`, fields)
}

function submit(url: string, fields: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
}

function confirmInBrowser(
  intent: { id: string; client_secret: string | null },
  number: string,
): Promise<Response> {
  return fetch(`${sandbox.url}/v1/setup_intents/${intent.id}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${publishableKey}` },
    body: new URLSearchParams({
      client_secret: intent.client_secret ?? '',
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': number,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '2040',
      'payment_method_data[card][cvc]': '123',
    }),
  })
}

function charge(method: string, idempotencyKey?: string): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.create(
    {
      amount: 2000,
      currency: 'usd',
      customer: customer.id,
      payment_method: method,
      off_session: true,
      confirm: true,
    },
    idempotencyKey === undefined ? {} : { idempotencyKey },
  )
}
