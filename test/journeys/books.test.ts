/** The operator's view of payments: books against the provider's, and failed events. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Stripe } from 'stripe'
import { settleReversal } from '../../server/billing/ledger.ts'
import { compareWithProvider, watchBooks } from '../../server/payments/compare-books.ts'
import type { BooksComparison } from '../../server/payments/compare-books.ts'
import { listOpenEvents, replayEvents } from '../../server/payments/events.ts'
import type { OpenEvent } from '../../server/payments/events.ts'
import { reconcilePayments } from '../../server/payments/reconcile.ts'
import { settleRefundsAndDisputes } from '../../server/payments/settle-refunds-and-disputes.ts'
import { runOperator } from '../support/operator.ts'
import {
  availableUsd,
  control,
  deliverEvent,
  payOnPage,
  providerOf,
  startCheckout,
  buyPackage,
} from '../support/payments.ts'
import { until } from '../support/until.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { use } from '../support/use.ts'

const server = use(() => startTestServer({ sandbox: true }))
const stripe = use(async () => providerOf(server))

async function buy(user: TestUser): Promise<Stripe.Checkout.Session> {
  const session = await buyPackage(server, user)
  await until(
    () => listOpenEvents(server.ctx),
    (open) => open.length === 0,
  )
  return session
}

describe('the books', () => {
  it("agree with the provider's balance after payments, refunds and disputes", async () => {
    const user = await server.user()
    await buy(user)
    const refunded = await buy(user)
    await stripe.refunds.create({ payment_intent: refunded.payment_intent as string, amount: 1234 })
    const disputed = await buy(user)
    await control(server, 'disputes', { payment_intent: disputed.payment_intent })
    const books = await until(
      () => compareWithProvider(server.ctx),
      ({ ok }) => ok,
    )
    assert.deepEqual(books.differences, [])
    assert.equal(books.ledger_usd, 87.66)
    assert.equal(books.provider_usd, 87.66)
  })

  it('report a difference of one cent, with what to do, exit 1 and a line of level 50', async () => {
    const user = await server.user()
    const session = await buy(user)
    const intent = session.payment_intent as string
    await settleReversal(server.ctx.db, {
      purchaseKey: `purchase:${session.id}`,
      reversedMicros: 10_000,
      description: 'Planted',
      now: server.ctx.now(),
    })
    const checked = await runOperator(server, ['ledger-check', '--provider'])
    assert.equal(checked.code, 1)
    const { provider } = JSON.parse(checked.stdout) as { provider: BooksComparison }
    const [difference, sum] = provider.differences
    assert.deepEqual(
      { payment: difference?.payment, usd: difference?.difference_usd, sum: sum?.difference_usd },
      { payment: intent, usd: -0.01, sum: -0.01 },
    )
    assert.match(difference?.what_to_do ?? '', new RegExp(`operator -- settle ${intent}`))
    const lines = checked.stderr.trim().split('\n')
    const logged = lines.map((line) => JSON.parse(line) as { level: number; payment: string })
    assert.ok(logged.some((line) => line.level === 50 && line.payment === intent))
    assert.deepEqual((await watchBooks(server.ctx)).differences, 2)

    assert.equal((await runOperator(server, ['settle', intent])).code, 0)
    assert.deepEqual((await compareWithProvider(server.ctx)).differences, [])
  })

  it('report a payment that nobody credited, and settling it credits it', async () => {
    const user = await server.user()
    await control(server, 'webhooks', { drop: true })
    const checkout = await startCheckout(server, user)
    await payOnPage(checkout.checkout_url)
    await control(server, 'webhooks', { drop: false })
    const session = await stripe.checkout.sessions.retrieve(checkout.session_id)
    const fresh = await compareWithProvider(server.ctx)
    assert.deepEqual([fresh.differences, fresh.waiting], [[], 1], 'its news may be on their way')
    const { differences } = await compareLater()
    assert.equal(differences[0]?.payment, session.payment_intent)
    assert.match(differences[0]?.what_to_do ?? '', /Paid but not credited/)
    const before = await availableUsd(user)
    await settleRefundsAndDisputes(server.ctx, session.payment_intent as string)
    assert.equal(await availableUsd(user), before + 52.5)
  })

  it('wait for the movement of a new payment, and report one that does not come', async () => {
    await control(server, 'movements', { late: true })
    const session = await buy(await server.user())
    const intent = session.payment_intent as string
    const fresh = await compareWithProvider(server.ctx, { isWhole: false })
    assert.deepEqual([fresh.differences, fresh.waiting], [[], 1])
    const { differences } = await compareLater()
    assert.deepEqual(
      differences.map(({ payment, difference_usd: usd }) => [payment, usd]),
      [
        [intent, 50],
        [null, 50],
      ],
    )
    await control(server, 'movements', { late: false })
    for (const compare of [() => compareWithProvider(server.ctx), compareLater]) {
      const booked = await compare()
      assert.deepEqual([booked.differences, booked.waiting], [[], 0])
      assert.equal(booked.payments, fresh.payments + 1)
    }
  })

  it('follow a refund that waits, and an inquiry that becomes a chargeback', async () => {
    const user = await server.user()
    const { payment_intent: intent } = await buy(user)
    const before = await availableUsd(user)
    const refund = async (pending: true | 'requires_action'): Promise<string> => {
      await control(server, 'refunds', { pending })
      const refund = await stripe.refunds.create({ payment_intent: intent as string, amount: 1000 })
      await control(server, 'refunds', { pending: false })
      assert.deepEqual(
        [refund.status, refund.balance_transaction],
        [pending === true ? 'pending' : pending, null],
      )
      return refund.id
    }
    const leaving = await refund(true)
    const failing = await refund('requires_action')
    await control(server, `refunds/${failing}/fail`, {})
    await untilSettled()
    assert.equal(await availableUsd(user), before, 'nothing has left')
    await control(server, `refunds/${leaving}/succeed`, {})
    await untilSettled()
    assert.equal(await availableUsd(user), before - 10.5, 'with its part of the bonus')
    const inquiry = await control<Stripe.Dispute>(server, 'disputes', {
      ...{ payment_intent: intent, inquiry: true, amount: 1000 },
    })
    await untilSettled()
    assert.equal(await availableUsd(user), before - 10.5, 'an inquiry takes nothing')
    await control(server, `disputes/${inquiry.id}/escalate`, {})
    await untilSettled()
    assert.equal(await availableUsd(user), before - 21)
    assert.deepEqual((await compareLater()).differences, [])
  })
})

/** The same seven hours later, when no payment is new. */
async function compareLater(): Promise<BooksComparison> {
  server.clock.offsetMs = 7 * 3_600_000
  try {
    return await compareWithProvider(server.ctx)
  } finally {
    server.clock.offsetMs = 0
  }
}

/** Every event that the provider has sent was processed. */
async function untilSettled(): Promise<void> {
  await until(async () => {
    const { deliveries } = (await (await fetch(`${server.sandboxUrl}/test/deliveries`)).json()) as {
      deliveries: { status: string }[]
    }
    return deliveries.every(({ status }) => status !== 'pending')
  })
}

describe('the daily comparison', () => {
  const byDay = () => compareWithProvider(server.ctx, { isWhole: false })

  async function keptIds(): Promise<string[]> {
    const { rows } = await server.ctx.pool.query<{ id: string }>(
      'select id from provider_movements order by id',
    )
    return rows.map(({ id }) => id)
  }

  it('knows all that a comparison of everything knows, whatever moved between two of them', async () => {
    const user = await server.user()
    for (const move of [
      () => buy(user),
      async () => {
        const { payment_intent: intent } = await buy(user)
        // An event that came between both comparisons would be a difference.
        await control(server, 'webhooks', { drop: true })
        await stripe.refunds.create({ payment_intent: intent as string, amount: 700 })
      },
      async () => {
        const { payment_intent: intent } = await buy(user)
        await byDay()
        await control(server, 'webhooks', { drop: true })
        await control(server, 'disputes', { payment_intent: intent })
      },
    ]) {
      await move()
      const daily = await byDay()
      const kept = await keptIds()
      assert.deepEqual(daily, await compareWithProvider(server.ctx))
      assert.deepEqual(kept, await keptIds())
      await control(server, 'webhooks', { drop: false })
    }
  })

  it('finds a movement again that showed up late, or that a run which failed did not keep', async () => {
    await buy(await server.user())
    await byDay()
    const kept = await keptIds()
    await server.ctx.pool.query(
      `delete from provider_movements where id in (
         select id from provider_movements order by moved_at desc limit 2 offset 1)`,
    )
    await byDay()
    assert.deepEqual(await keptIds(), kept)
  })

  it('reads the last week only; the first of a month and the operator read everything', async () => {
    await buy(await server.user())
    await byDay()
    const asked: (number | undefined)[] = []
    const provider = await server.ctx.payments()
    const list = provider.balanceTransactions.list.bind(provider.balanceTransactions)
    provider.balanceTransactions.list = (params: Stripe.BalanceTransactionListParams) => {
      const { created } = params
      asked.push(typeof created === 'object' ? created.gte : created)
      return list(params)
    }
    try {
      await byDay()
      const days = (Date.now() / 1000 - (asked[0] ?? 0)) / 86_400
      assert.ok(days > 6.9 && days < 7.1, `${days} days`)
      await compareWithProvider(server.ctx)
      assert.equal(asked[1], undefined)
      const now = new Date()
      const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 12)
      server.clock.offsetMs = first - now.getTime()
      await watchBooks(server.ctx)
      server.clock.offsetMs += 24 * 3_600_000
      await watchBooks(server.ctx)
      assert.equal(asked[2], undefined)
      assert.ok(asked[3])
    } finally {
      server.clock.offsetMs = 0
      provider.balanceTransactions.list = list
    }
  })
})

describe('events that cannot be processed', () => {
  /** A paid checkout whose price no longer matches: a mistake that only a person can put right. */
  async function poison(user: TestUser): Promise<{ event: Stripe.Event; purchaseId: string }> {
    await control(server, 'webhooks', { drop: true })
    const checkout = await startCheckout(server, user)
    await payOnPage(checkout.checkout_url)
    await control(server, 'webhooks', { drop: false })
    const { data } = await stripe.events.list({ type: 'checkout.session.completed', limit: 1 })
    const [event] = data
    assert.ok(event?.type === 'checkout.session.completed')
    const purchaseId = event.data.object.metadata?.['purchase_id'] ?? ''
    await setPrice(purchaseId, 40_000_000)
    return { event, purchaseId }
  }

  function setPrice(purchaseId: string, priceMicros: number): Promise<unknown> {
    const change = 'update purchases set price_micros = $1 where id = $2'
    return server.ctx.pool.query(change, [priceMicros, purchaseId])
  }

  it('are set aside with the reason after eight tries, listed, and replayed', async () => {
    const user = await server.user()
    const { event, purchaseId } = await poison(user)
    const answers: number[] = []
    for (let tries = 0; tries < 9; tries++) answers.push(await deliverEvent(server, event))
    assert.deepEqual(answers, [...Array<number>(8).fill(500), 200])
    const listed = await runOperator(server, ['events'])
    const events = JSON.parse(listed.stdout) as OpenEvent[]
    const dead = events.find((item) => item.event_id === event.id)
    assert.deepEqual(
      { state: dead?.state, tries: dead?.tries, object: dead?.object_id },
      { state: 'dead', tries: 8, object: (event.data.object as { id: string }).id },
    )
    assert.match(dead?.reason ?? '', /does not match its purchase/)

    const failed = await runOperator(server, ['events', 'replay', event.id])
    assert.equal(failed.code, 1)
    await setPrice(purchaseId, 50_000_000)
    const [replay] = await replayEvents(server.ctx, [])
    assert.deepEqual(replay, { event_id: event.id, ok: true, outcome: 'credited' })
    assert.equal(await availableUsd(user), 5 + 52.5)
    assert.deepEqual(await listOpenEvents(server.ctx), [])
  })

  it('never stand before others', async () => {
    const user = await server.user()
    const { event, purchaseId } = await poison(user)
    await setPrice(purchaseId, 50_000_000)
    // More of them than the reconciler takes at once, and all older than the good one.
    const now = server.ctx.now().getTime()
    const failing = Array.from({ length: 120 }, (_, count) => ({
      event_id: `evt_gone_${count}`,
      type: 'charge.refunded',
      tries: 1,
      received_at: new Date(now - 3_600_000),
      next_try_at: new Date(now - 1_800_000),
    }))
    const good = {
      event_id: event.id,
      type: event.type,
      received_at: new Date(now - 180_000),
      next_try_at: new Date(now - 60_000),
    }
    await server.ctx.db
      .insertInto('payment_events')
      .values([...failing, good])
      .execute()
    const { events } = await reconcilePayments(server.ctx)
    assert.equal(events, 1)
    assert.equal(await availableUsd(user), 5 + 52.5)
    const left = await listOpenEvents(server.ctx)
    assert.equal(left.length, 120)
    const tried = left.filter((item) => item.tries === 2)
    assert.equal(tried.length, 99)
    assert.match(tried[0]?.reason ?? '', /resource_missing/)
    assert.ok(tried.every((item) => (item.next_try_at?.getTime() ?? 0) > now))
    await server.ctx.db.deleteFrom('payment_events').where('processed_at', 'is', null).execute()
  })

  it('are not blamed for an outage of the provider', async () => {
    const user = await server.user()
    const { event, purchaseId } = await poison(user)
    await setPrice(purchaseId, 50_000_000)
    const now = server.ctx.now()
    await server.ctx.db
      .insertInto('payment_events')
      .values({ event_id: event.id, type: event.type, received_at: now, next_try_at: now })
      .execute()
    // The client itself asks three times.
    await control(server, 'api', { fail_next: 3 })
    await reconcilePayments(server.ctx)
    const [waiting] = await listOpenEvents(server.ctx)
    assert.deepEqual([waiting?.state, waiting?.tries], ['waiting', 0])
    assert.ok((waiting?.next_try_at?.getTime() ?? 0) > now.getTime(), 'tried again later')
    server.clock.offsetMs += 2 * 60_000
    await reconcilePayments(server.ctx)
    assert.equal(await availableUsd(user), 5 + 52.5)
  })
})
