/** Money that goes back to a card: what it takes of the credit, and what brings it back. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Stripe } from 'stripe'
import { placeHold } from '../../server/billing/hold.ts'
import {
  availableUsd,
  control,
  deliverEvent,
  leaveWithUsd,
  payOnPage,
  providerOf,
  startCheckout,
  tellOfCheckout,
  buyPackage,
} from '../support/payments.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

const free = 5
const server = use(() => startTestServer({ sandbox: true }))
const stripe = use(async () => providerOf(server))
const buy = (user: TestUser) => buyPackage(server, user)

it('a dispute takes credit and bonus, and winning it restores both', async () => {
  const user = await server.user()
  const session = await buy(user)
  const intent = session.payment_intent as string
  const dispute = await control<Stripe.Dispute>(server, 'disputes', { payment_intent: intent })
  await until(() => availableUsd(user), free)
  await control(server, `disputes/${dispute.id}/close`, { won: true })
  await until(() => availableUsd(user), free + 52.5)
  const charges = await stripe.events.list({ type: 'charge.dispute.created', limit: 1 })
  await control(server, `events/${charges.data[0]?.id}/resend`, {})
  assert.equal(await availableUsd(user), free + 52.5)
})

it("a bank's inquiry, which takes no money, takes no credit", async () => {
  const user = await server.user()
  const session = await buy(user)
  const intent = session.payment_intent as string
  const inquiry = await control<Stripe.Dispute>(server, 'disputes', {
    payment_intent: intent,
    inquiry: true,
  })
  assert.equal(inquiry.status, 'warning_needs_response')
  const [created] = (await stripe.events.list({ type: 'charge.dispute.created', limit: 1 })).data
  assert.equal(await deliverEvent(server, { ...created, id: 'evt_inquiry' }), 200)
  await control(server, `disputes/${inquiry.id}/close`, {})
  assert.equal(await availableUsd(user), free + 52.5)
})

it('a dispute about spent credit leaves a debt that blocks jobs until it is paid', async () => {
  const user = await server.user()
  const session = await buy(user)
  await leaveWithUsd(server, user, '0')
  await control(server, 'disputes', { payment_intent: session.payment_intent })
  await until(() => availableUsd(user), -50)
  const held = await placeHold(server.ctx.db, {
    accountId: user.accountId,
    jobId: crypto.randomUUID(),
    amountMicros: 1,
    now: server.ctx.now(),
  })
  assert.equal(held.ok, false)
  await buy(user)
  assert.equal(await availableUsd(user), 2.5)
})

it('refunds at the provider are taken once, in whatever order their events come', async () => {
  const user = await server.user()
  const session = await buy(user)
  const intent = session.payment_intent as string
  await control(server, 'webhooks', { drop: ['charge.refunded'] })
  await stripe.refunds.create({ payment_intent: intent, amount: 1000 })
  await stripe.refunds.create({ payment_intent: intent, amount: 4000 })
  await control(server, 'webhooks', { drop: false })
  const events = await stripe.events.list({ type: 'charge.refunded', limit: 2 })
  const [second, first] = events.data
  assert.equal(await deliverEvent(server, { ...second, id: 'evt_refund_2' }), 200)
  assert.equal(await availableUsd(user), free)
  assert.equal(await deliverEvent(server, { ...first, id: 'evt_refund_1' }), 200)
  assert.equal(await deliverEvent(server, { ...second, id: 'evt_refund_3' }), 200)
  assert.equal(await availableUsd(user), free)
})

it('a refund that is heard of before its payment credits the payment and takes it back', async () => {
  const user = await server.user()
  await control(server, 'webhooks', { drop: true })
  const checkout = await startCheckout(server, user)
  await payOnPage(checkout.checkout_url)
  const session = await stripe.checkout.sessions.retrieve(checkout.session_id)
  await stripe.refunds.create({ payment_intent: session.payment_intent as string })
  await control(server, 'webhooks', { drop: false })
  const [refunded] = (await stripe.events.list({ type: 'charge.refunded', limit: 1 })).data
  assert.equal(await deliverEvent(server, refunded ?? {}), 200)
  assert.equal(await availableUsd(user), free)
  await tellOfCheckout(server)
  const { transactions } = await user.client.listBillingHistory({ query: {} })
  assert.deepEqual(
    transactions.map((row) => row.amount_usd),
    [free, -52.5, 52.5],
  )
})

it('money that a dispute returned before it was heard of as taken changes nothing else', async () => {
  const user = await server.user()
  const intent = (await buy(user)).payment_intent as string
  await control(server, 'webhooks', { drop: true })
  const dispute = await control<Stripe.Dispute>(server, 'disputes', {
    ...{ payment_intent: intent, amount: 2000 },
  })
  await control(server, `disputes/${dispute.id}/close`, { won: true })
  const [reinstated] = (
    await stripe.events.list({ type: 'charge.dispute.funds_reinstated', limit: 1 })
  ).data
  const [withdrawn] = (
    await stripe.events.list({ type: 'charge.dispute.funds_withdrawn', limit: 1 })
  ).data
  assert.equal(await deliverEvent(server, reinstated ?? {}), 200)
  assert.equal(await availableUsd(user), free + 52.5)
  assert.equal(await deliverEvent(server, withdrawn ?? {}), 200)
  assert.equal(await availableUsd(user), free + 52.5)
  await stripe.refunds.create({ payment_intent: intent, amount: 3000 })
  const [refunded] = (await stripe.events.list({ type: 'charge.refunded', limit: 1 })).data
  await control(server, 'webhooks', { drop: false })
  assert.equal(await deliverEvent(server, refunded ?? {}), 200)
  assert.equal(await availableUsd(user), free + 21)
})

it('a payment that is refunded after its dispute was won is taken back whole', async () => {
  const user = await server.user()
  const intent = (await buy(user)).payment_intent as string
  const dispute = await control<Stripe.Dispute>(server, 'disputes', { payment_intent: intent })
  await until(() => availableUsd(user), free)
  await control(server, `disputes/${dispute.id}/close`, { won: true })
  await until(() => availableUsd(user), free + 52.5)
  assert.equal((await user.client.getBillingStats()).total_spent_usd, 50)
  await stripe.refunds.create({ payment_intent: intent })
  await until(() => availableUsd(user), free)
  assert.equal((await user.client.getBillingStats()).total_spent_usd, 0)
})

it('a dispute about nothing, and a refund that its bank sends back, leave the credit', async () => {
  const user = await server.user()
  const intent = (await buy(user)).payment_intent as string
  await control(server, 'webhooks', { drop: true })
  const refund = await stripe.refunds.create({ payment_intent: intent })
  await control(server, 'disputes', { payment_intent: intent })
  const { data } = await stripe.events.list({
    ...{ types: ['charge.refunded', 'charge.dispute.funds_withdrawn'], limit: 2 },
  })
  for (const event of data) assert.equal(await deliverEvent(server, event), 200)
  assert.equal(await availableUsd(user), free)
  await control(server, `refunds/${refund.id}/fail`, {})
  const [failed] = (await stripe.events.list({ type: 'refund.failed', limit: 1 })).data
  await control(server, 'webhooks', { drop: false })
  assert.equal(await deliverEvent(server, failed ?? {}), 200)
  assert.equal(await availableUsd(user), free + 52.5)
})

it('a look at the provider that began before another was written is dropped', async () => {
  const user = await server.user()
  const session = await buy(user)
  const seen = (at: string) =>
    server.ctx.pool.query(
      'update purchases set reversals_seen_at = $1::timestamptz where checkout_session_id = $2',
      [at, session.id],
    )
  await until(
    () => server.ctx.pool.query('select 1 from payment_events where processed_at is null'),
    ({ rowCount }) => rowCount === 0,
  )
  await control(server, 'webhooks', { drop: true })
  await stripe.refunds.create({ payment_intent: session.payment_intent as string, amount: 1000 })
  const [refunded] = (await stripe.events.list({ type: 'charge.refunded', limit: 1 })).data
  await control(server, 'webhooks', { drop: false })
  await seen('infinity')
  assert.equal(await deliverEvent(server, { ...refunded, id: 'evt_stale' }), 200)
  assert.equal(await availableUsd(user), free + 52.5)
  await seen('-infinity')
  assert.equal(await deliverEvent(server, { ...refunded, id: 'evt_fresh' }), 200)
  assert.equal(await availableUsd(user), free + 42)
})
