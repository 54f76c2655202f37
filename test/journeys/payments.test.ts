import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Stripe } from 'stripe'
import { CallError } from '../../contract/endpoint.ts'
import { reconcilePayments } from '../../server/payments/reconcile.ts'
import {
  availableUsd,
  control,
  deliverEvent,
  payOnPage,
  providerOf,
  startCheckout,
  tellOfCheckout,
  signEvent,
  customerOf,
} from '../support/payments.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { isWholeRun } from '../support/slow.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

const free = 5
const server = use(() => startTestServer({ sandbox: true }))
const stripe = use(async () => providerOf(server))

describe('buying a package', () => {
  it('credits price and bonus when the provider says so, and the page only reads', async () => {
    const user = await server.user()
    await control(server, 'webhooks', { drop: true })
    const checkout = await startCheckout(server, user)
    const paid = await payOnPage(checkout.checkout_url)
    await control(server, 'webhooks', { drop: false })
    const back = new URL(paid.headers.get('location') ?? '')
    assert.equal(`${back.origin}${back.pathname}`, `${server.url}/payment/success`)
    assert.deepEqual(Object.fromEntries(back.searchParams), {
      package_type: 'pkg-power-50',
      amount: '50.00',
      session_id: checkout.session_id,
    })
    assert.equal((await readSession(user, checkout.session_id)).status, 'pending')
    assert.equal(await availableUsd(user), free)
    await tellOfCheckout(server)
    const settled = await until(
      () => readSession(user, checkout.session_id),
      (session) => session.status !== 'pending',
    )
    assert.deepEqual(settled, {
      session_id: checkout.session_id,
      status: 'credited',
      credit_package_id: 'pkg-power-50',
      price_usd: 50,
      credits_usd: 52.5,
    })
    assert.equal(await availableUsd(user), free + 52.5)
    const { transactions } = await user.client.listBillingHistory({ query: { type: 'credit' } })
    const purchase = transactions[0]
    assert.equal(purchase?.amount_usd, 52.5)
    assert.equal(purchase?.credit_package_bonus_percentage, 5)
    assert.equal(JSON.parse(purchase?.metadata ?? '').is_auto_reload, undefined)
  })

  it('credits nothing after a decline or a cancel, and says so when it expires', async () => {
    const user = await server.user()
    const checkout = await startCheckout(server, user, 'pkg-starter-10')
    assert.equal((await payOnPage(checkout.checkout_url, '4000000000000002')).status, 402)
    assert.equal((await readSession(user, checkout.session_id)).status, 'pending')
    await stripe.checkout.sessions.expire(checkout.session_id)
    await until(
      () => readSession(user, checkout.session_id),
      (session) => session.status === 'canceled',
    )
    assert.equal(await availableUsd(user), free)
  })

  it('refuses an unknown package and addresses that are not exactly ours', async () => {
    const user = await server.user()
    const good = {
      credit_package_id: 'pkg-power-50',
      success_url: `${server.url}/payment/success`,
      cancel_url: `${server.url}/payment/cancel`,
    }
    const { port } = new URL(server.url)
    const hostile = [
      'https://evil.example/payment/success',
      `http://localhost.evil.example:${port}/`,
      `http://localhost:${port}@evil.example/`,
      `http://user:secret@localhost:${port}/payment/success`,
      `https://localhost:${port}/payment/success`,
      `http://localhost:${Number(port) + 1}/payment/success`,
      `//localhost:${port}/payment/success`,
      'javascript:alert(1)',
      '/\\evil.example/payment/success',
      'payment/success',
      '',
    ]
    const bodies = [
      { ...good, credit_package_id: 'pkg-free-lunch' },
      ...hostile.map((url) => ({ ...good, success_url: url })),
      ...hostile.map((url) => ({ ...good, cancel_url: url })),
    ]
    for (const body of bodies) {
      await assert.rejects(user.client.createCheckout({ body }), refused(422), JSON.stringify(body))
    }
  })

  it('takes a bare path as one of the page’s origin, or of our own (§7)', async () => {
    const user = await server.user()
    const other = new URL(server.url)
    other.hostname = '127.0.0.1'
    const pages = [other.origin, server.url, 'https://evil.example', undefined]
    const origins: string[][] = []
    server.ctx.config.allowedOrigins = new Set([server.url, other.origin])
    for (const origin of pages) {
      const answer = await server.fetch('/v1/payment/checkout', {
        method: 'POST',
        token: user.token,
        headers: { 'content-type': 'application/json', ...(origin ? { origin } : {}) },
        body: JSON.stringify({
          credit_package_id: 'pkg-power-50',
          success_url: '/payment/success',
          cancel_url: '/payment/cancel',
        }),
      })
      assert.equal(answer.status, 201)
      const { session_id: id } = (await answer.json()) as { session_id: string }
      const { success_url: success, cancel_url: cancel } =
        await stripe.checkout.sessions.retrieve(id)
      const [back, away] = [new URL(success ?? ''), new URL(cancel ?? '')]
      assert.deepEqual([back.pathname, away.pathname], ['/payment/success', '/payment/cancel'])
      origins.push([back.origin, away.origin])
    }
    const wanted = [other.origin, server.url, server.url, server.url]
    assert.deepEqual(
      origins,
      wanted.map((origin) => [origin, origin]),
    )
  })

  it('keeps a query and a fragment that the page asked for', async () => {
    const user = await server.user()
    const checkout = await user.client.createCheckout({
      body: {
        credit_package_id: 'pkg-starter-10',
        success_url: `${server.url}/payment/success?from=profile&session_id=mine#top`,
        cancel_url: `${server.url}/payment/cancel`,
      },
    })
    const paid = await payOnPage(checkout.checkout_url)
    const back = new URL(paid.headers.get('location') ?? '')
    assert.equal(back.searchParams.get('from'), 'profile')
    assert.deepEqual(back.searchParams.getAll('session_id'), [checkout.session_id])
    assert.equal(back.hash, '#top')
  })

  it("another account's payment is not there", async () => {
    const [owner, other] = [await server.user(), await server.user()]
    const checkout = await startCheckout(server, owner)
    await assert.rejects(readSession(other, checkout.session_id), refused(404))
  })

  it('a customer that the provider has forgotten is made again', async () => {
    const user = await server.user()
    await startCheckout(server, user)
    await stripe.customers.del(await customerOf(server, user))
    const checkout = await startCheckout(server, user)
    await payOnPage(checkout.checkout_url)
    await until(
      () => readSession(user, checkout.session_id),
      (session) => session.status === 'credited',
    )
  })

  it('checkouts cannot be opened without end', async () => {
    const user = await server.user()
    const statuses = await inParallel(40, 4, () =>
      startCheckout(server, user).then(
        () => 201,
        (error: CallError) => error.status,
      ),
    )
    const opened = statuses.filter((status) => status === 201).length
    assert.ok(opened >= 30 && opened < 40, `${opened} opened`)
    await assert.rejects(startCheckout(server, user), refused(429))
  })

  it('answers 503 and charges nothing while the provider is down', async () => {
    const user = await server.user()
    await control(server, 'api', { fail_next: 6 })
    await assert.rejects(startCheckout(server, user), refused(503))
    await control(server, 'api', { fail_next: 0 })
    assert.ok((await startCheckout(server, user)).checkout_url)
  })
})

describe('a provider that broke while it made the customer', () => {
  it('does not keep the account from buying: it repeats that failure for a day', async () => {
    const user = await server.user()
    await control(server, 'api', { break_next: 1 })
    assert.ok((await startCheckout(server, user)).checkout_url)
    await control(server, 'api', { break_next: 0 })
    const broken = await server.user()
    await control(server, 'api', { break_next: 2 })
    await assert.rejects(startCheckout(server, broken), refused(503))
    server.clock.offsetMs += 60_000
    assert.ok((await startCheckout(server, broken)).checkout_url)
    server.clock.offsetMs = 0
  })
})

describe('a payment is credited once', () => {
  const copies = isWholeRun ? 1000 : 50
  it(`from ${copies} concurrent copies of one event and from a second event`, async () => {
    const user = await server.user()
    const session = await payWithLostWebhook(user)
    const event = eventOf('evt_copy', session)
    const statuses = await inParallel(copies, 100, () => deliverEvent(server, event))
    assert.deepEqual([...new Set(statuses)], [200])
    assert.equal(await deliverEvent(server, { ...event, id: 'evt_second' }), 200)
    assert.equal(await availableUsd(user), free + 52.5)
    assert.equal(await countPurchases(user), 1)
  })

  it('from the event and the reconciler together', async () => {
    const user = await server.user()
    const session = await payWithLostWebhook(user)
    server.clock.offsetMs += 3 * 60_000
    await Promise.all([
      deliverEvent(server, eventOf('evt_race_1', session)),
      reconcilePayments(server.ctx),
      deliverEvent(server, eventOf('evt_race_2', session)),
      reconcilePayments(server.ctx),
    ])
    assert.equal(await availableUsd(user), free + 52.5)
    assert.equal(await countPurchases(user), 1)
  })

  it('by the reconciler alone when the webhook is lost, after two minutes and not before', async () => {
    const user = await server.user()
    const session = await payWithLostWebhook(user)
    await reconcilePayments(server.ctx)
    assert.equal((await readSession(user, session.id)).status, 'pending')
    server.clock.offsetMs += 2 * 60_000 + 1000
    await reconcilePayments(server.ctx)
    assert.equal((await readSession(user, session.id)).status, 'credited')
    assert.equal(await availableUsd(user), free + 52.5)
  })

  it('even when we died before we learnt the session', async () => {
    const user = await server.user()
    const session = await payWithLostWebhook(user)
    await server.ctx.db
      .updateTable('purchases')
      .set({ checkout_session_id: null })
      .where('checkout_session_id', '=', session.id)
      .execute()
    server.clock.offsetMs += 3 * 60_000
    await reconcilePayments(server.ctx)
    assert.equal((await readSession(user, session.id)).status, 'credited')
  })

  it('never for another amount or another account than the purchase was made for', async () => {
    const user = await server.user()
    const session = await payWithLostWebhook(user)
    const cheap = { ...session, amount_total: 100 }
    assert.equal(await deliverEvent(server, eventOf('evt_cheap', cheap)), 500)
    const stolen = { ...session, client_reference_id: (await server.user()).accountId }
    assert.equal(await deliverEvent(server, eventOf('evt_stolen', stolen)), 500)
    assert.equal(await availableUsd(user), free)
    const unpaid = { ...session, payment_status: 'unpaid' as const, status: 'open' as const }
    assert.equal(await deliverEvent(server, eventOf('evt_unpaid', unpaid)), 200)
    assert.equal(await availableUsd(user), free)
  })
})

describe('a payment that takes days', () => {
  /** The page is done, the money is not there yet. */
  async function waitForMoney(user: TestUser, id: string): Promise<Stripe.Checkout.Session> {
    const paid = await payWithLostWebhook(user)
    const unpaid = { ...paid, payment_status: 'unpaid' as const }
    assert.equal(await deliverEvent(server, eventOf(`${id}_completed`, unpaid)), 200)
    assert.equal(await outcomeOf(`${id}_completed`), 'open')
    assert.equal((await readSession(user, paid.id)).status, 'pending')
    return paid
  }

  it('is credited when its money has come', async () => {
    const user = await server.user()
    const paid = await waitForMoney(user, 'evt_slow')
    const event = eventOf('evt_slow_paid', paid, 'checkout.session.async_payment_succeeded')
    assert.equal(await deliverEvent(server, event), 200)
    assert.equal(await outcomeOf('evt_slow_paid'), 'credited')
    assert.equal(await availableUsd(user), free + 52.5)
    assert.equal(await countPurchases(user), 1)
  })

  it('is canceled when its money does not come', async () => {
    const user = await server.user()
    const paid = await waitForMoney(user, 'evt_never')
    const failed = { ...paid, payment_status: 'unpaid' as const }
    const event = eventOf('evt_never_paid', failed, 'checkout.session.async_payment_failed')
    assert.equal(await deliverEvent(server, event), 200)
    assert.equal(await outcomeOf('evt_never_paid'), 'canceled')
    assert.equal((await readSession(user, paid.id)).status, 'canceled')
    assert.equal(await availableUsd(user), free)
  })
})

describe('a reload whose payment was canceled at the provider', () => {
  it('is declined, credits nothing and leaves room for the next one', async () => {
    const user = await server.user()
    const { id } = await server.ctx.db
      .insertInto('reloads')
      .values({
        account_id: user.accountId,
        package_id: 'pkg-power-50',
        package_name: 'Power',
        price_micros: 50_000_000,
        bonus_micros: 2_500_000,
        bonus_percent: 5,
        customer_id: 'cus_reload',
        card_id: crypto.randomUUID(),
        payment_method_id: 'pm_reload',
        status: 'pending',
        created_at: server.ctx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const intent = await stripe.paymentIntents.create({
      amount: 5000,
      currency: 'usd',
      metadata: { reload_id: id },
    })
    const canceled = { ...intent, status: 'canceled' as const }
    const event = eventOf('evt_canceled', canceled, 'payment_intent.canceled')
    assert.equal(await deliverEvent(server, event), 200)
    assert.equal(await outcomeOf('evt_canceled'), 'declined')
    const reload = await server.ctx.db
      .selectFrom('reloads')
      .select(['status', 'payment_intent_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(reload, { status: 'declined', payment_intent_id: intent.id })
    assert.equal(await availableUsd(user), free)
  })
})

describe('the webhook', () => {
  const event = { id: 'evt_x', object: 'event', type: 'customer.created', data: { object: {} } }

  it('accepts a fresh signature and ignores what it does not know', async () => {
    assert.equal(await deliverEvent(server, event), 200)
    const row = await server.ctx.db
      .selectFrom('payment_events')
      .select('outcome')
      .where('event_id', '=', 'evt_x')
      .executeTakeFirstOrThrow()
    assert.equal(row.outcome, 'ignored')
  })

  it('refuses an old, a foreign, a missing and a broken signature', async () => {
    const now = Math.floor(Date.now() / 1000)
    assert.equal(await deliverEvent(server, event, { timestamp: now - 301 }), 400)
    assert.equal(await deliverEvent(server, event, { timestamp: now - 290 }), 200)
    assert.equal(await deliverEvent(server, event, { secret: 'whsec_other' }), 400)
    for (const header of [undefined, '', 't=1', 'v1=abc', `t=${now},v1=${'0'.repeat(64)}`]) {
      const response = await server.fetch('/v1/payment/webhook', {
        method: 'POST',
        body: JSON.stringify(event),
        headers: header === undefined ? {} : { 'stripe-signature': header },
      })
      assert.equal(response.status, 400)
      const body = (await response.json()) as { code: string }
      assert.equal(body.code, 'invalid_signature')
    }
  })

  it('refuses a body that was changed after signing', async () => {
    const payload = JSON.stringify(event)
    const signature = signEvent(payload)
    const response = await server.fetch('/v1/payment/webhook', {
      method: 'POST',
      body: `${payload} `,
      headers: { 'stripe-signature': signature },
    })
    assert.equal(response.status, 400)
  })
})

async function payWithLostWebhook(user: TestUser): Promise<Stripe.Checkout.Session> {
  await control(server, 'webhooks', { drop: true })
  const checkout = await startCheckout(server, user)
  await payOnPage(checkout.checkout_url)
  await control(server, 'webhooks', { drop: false })
  return stripe.checkout.sessions.retrieve(checkout.session_id)
}

function eventOf(
  id: string,
  object: Stripe.Checkout.Session | Stripe.PaymentIntent,
  type = 'checkout.session.completed',
) {
  return { id, object: 'event', type, data: { object } }
}

async function outcomeOf(eventId: string): Promise<string | null> {
  const { outcome } = await server.ctx.db
    .selectFrom('payment_events')
    .select('outcome')
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow()
  return outcome
}

function readSession(user: TestUser, id: string) {
  return user.client.getPaymentSession({ params: { id } })
}

async function countPurchases(user: TestUser): Promise<number> {
  const { transactions } = await user.client.listBillingHistory({
    query: { type: 'credit', limit: 100 },
  })
  return transactions.filter((transaction) => transaction.credit_package_bonus_percentage !== null)
    .length
}

/** Runs `count` calls, `width` of them at any time. */
async function inParallel<T>(count: number, width: number, run: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let started = 0
  const lane = async (): Promise<void> => {
    while (started < count) {
      started += 1
      results.push(await run())
    }
  }
  await Promise.all(Array.from({ length: width }, lane))
  return results
}

function refused(status: number) {
  return (error: unknown) => error instanceof CallError && error.status === status
}
