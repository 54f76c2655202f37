import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { Stripe } from 'stripe'
import { CallError } from '../../contract/endpoint.ts'
import { captureHold, placeHold } from '../../server/billing/hold.ts'
import { reconcilePayments } from '../../server/payments/reconcile.ts'
import { checkAutoReload, runAutoReload } from '../../server/payments/auto-reload.ts'
import {
  availableUsd,
  chargesOf,
  control,
  enableAutoReload,
  leaveWithUsd,
  power,
  providerOf,
  saveCard,
} from '../support/payments.ts'
import { deliveredTo } from '../support/mail.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

const hourMs = 3_600_000
const server = use(() => startTestServer({ sandbox: true }))
const stripe = use(async () => providerOf(server))
let user: TestUser

beforeEach(async () => {
  user = await server.user()
})

describe('settings', () => {
  it('are refused without a card, consent or a known package, in this order', async () => {
    const enable = (more: object = {}) =>
      user.client.saveAutoReload({ body: { enabled: true, ...power, ...more } })
    await assert.rejects(enable(), says('Please add a payment method first'))
    await saveCard(server, user)
    const denied = enable({ consent_accepted: false })
    await assert.rejects(denied, says('Please accept the authorization agreement'))
    const consent = { consent_accepted: true }
    const noPackage = { ...consent, package_id: null }
    await assert.rejects(enable(noPackage), says('Please select a reload package'))
    const unknown = { ...consent, package_id: 'pkg-none' }
    await assert.rejects(enable(unknown), says('Please select a reload package'))
    await assert.rejects(enable({ ...consent, threshold_usd: 7 }), says(/thresholds/))
    await assert.rejects(enable({ ...consent, amount_usd: 20 }), says(/price/))
    assert.equal((await user.client.getMe()).auto_reload_enabled, false)
  })

  it('are enabled by the body of the specification and nothing more', async () => {
    await saveCard(server, user)
    const body = { enabled: true, threshold_usd: 10, amount_usd: 50, package_id: 'pkg-power-50' }
    const saved = await user.client.saveAutoReload({ body })
    assert.equal(saved.auto_reload_enabled, true)
    assert.ok(saved.auto_reload_consent_accepted_at)
  })

  it('stamp the consent once and keep the choice when switched off', async () => {
    await saveCard(server, user)
    const body = { enabled: true, ...power, consent_accepted: true }
    const first = await user.client.saveAutoReload({ body })
    assert.ok(first.auto_reload_consent_accepted_at)
    server.clock.offsetMs += 5000
    await user.client.saveAutoReload({ body: { ...body, enabled: false } })
    const again = await user.client.saveAutoReload({ body: { enabled: true, ...power } })
    assert.equal(again.auto_reload_consent_accepted_at, first.auto_reload_consent_accepted_at)
    const me = await user.client.getMe()
    assert.equal(me.auto_reload_threshold_usd, 10)
    assert.equal(me.auto_reload_amount_usd, 50)
  })

  it('removing the last card switches auto-reload off and says why', async () => {
    const card = await enable('4242424242424242')
    await user.client.deletePaymentMethod({ params: { id: card } })
    const me = await user.client.getMe()
    assert.equal(me.auto_reload_enabled, false)
    assert.equal(me.auto_reload_off_reason, 'The last saved card was removed.')
  })
})

describe('a charge', () => {
  it('happens below the threshold only, with the bonus and its mark', async () => {
    await enable('4242424242424242')
    await leaveWithUsd(server, user, '10')
    assert.equal(await reload(), 'enough')
    await leaveWithUsd(server, user, '9.999999')
    assert.equal(await reload(), 'credited')
    assert.equal(await availableUsd(user), 62.499999)
    const { transactions } = await user.client.listBillingHistory({ query: { type: 'credit' } })
    assert.equal(JSON.parse(transactions[0]?.metadata ?? '').is_auto_reload, true)
    assert.equal(transactions[0]?.credit_package_bonus_percentage, 5)
    assert.equal(transactions[0]?.amount_usd, 52.5)
    const [mail, ...more] = await deliveredTo(server, user.email)
    assert.equal(more.length, 0)
    assert.equal(mail?.subject, 'Auto-reload added $52.50')
    assert.match(mail.text, /^Card: Visa •••• 4242$/m)
  })

  it('happens once for 100 parallel captures', async () => {
    await enable('4242424242424242')
    await leaveWithUsd(server, user, '20')
    const { ctx } = server
    const jobs = Array.from({ length: 100 }, () => crypto.randomUUID())
    for (const jobId of jobs) {
      await placeHold(ctx.db, {
        accountId: user.accountId,
        jobId,
        amountMicros: 150_000,
        now: ctx.now(),
      })
    }
    const decisions = await Promise.all(
      jobs.map(async (jobId) => {
        await captureHold(ctx.db, {
          jobId,
          amountMicros: 150_000,
          description: 'Metadata',
          seconds: 150,
          now: ctx.now(),
        })
        return runAutoReload(ctx, user.accountId)
      }),
    )
    assert.equal(decisions.filter((decision) => decision === 'credited').length, 1)
    assert.equal((await charges()).length, 1)
    assert.equal(await availableUsd(user), 57.5)
  })

  it('waits 60 seconds after the one before, at most 3 in a day, and makes up for it', async () => {
    await enable('4242424242424242')
    for (let count = 1; count <= 3; count++) {
      await leaveWithUsd(server, user, '1')
      assert.equal(await reload(), 'credited', `reload ${count}`)
      await leaveWithUsd(server, user, '1')
      assert.equal(await reload(), 'too early')
      server.clock.offsetMs += 61_000
    }
    assert.equal(await reload(), 'too early')
    assert.equal((await charges()).length, 3)
    server.clock.offsetMs += 24 * hourMs
    assert.equal(await reload(), 'credited')
    assert.equal((await charges()).length, 4)
  })

  it('counts what is held as spent', async () => {
    await enable('4242424242424242')
    await leaveWithUsd(server, user, '60')
    assert.equal(await reload(), 'enough')
    await placeHold(server.ctx.db, {
      accountId: user.accountId,
      jobId: crypto.randomUUID(),
      amountMicros: 55_000_000,
      now: server.ctx.now(),
    })
    assert.equal(await reload(), 'credited')
  })

  it('is not made while auto-reload is off', async () => {
    await saveCard(server, user)
    assert.equal(await reload(), 'off')
  })

  it('goes to the default card, and is not asked for by making one the default', async () => {
    await enable('4242424242424242')
    const other = await saveCard(server, user, '5555555555554444')
    await leaveWithUsd(server, user, '1')
    const ofUser = `from pgboss.job where singleton_key = $1`
    await server.ctx.pool.query(`delete ${ofUser}`, [user.accountId])
    await user.client.setDefaultPaymentMethod({ params: { id: other } })
    const { rows } = await server.ctx.pool.query(`select 1 ${ofUser}`, [user.accountId])
    assert.equal(rows.length, 0, 'only a hold, a capture and saved settings ask for a check')
    assert.equal(await reload(), 'credited')
    const [charge] = await charges()
    assert.equal(charge?.payment_method_details?.card?.last4, '4444')
  })
})

describe('a decline', () => {
  it('pauses 1 hour, then 6, and the third in a row switches off with a reason', async () => {
    await enable('4000000000000341')
    await leaveWithUsd(server, user, '1')
    assert.equal(await reload(), 'declined')
    await expectPause(hourMs)
    assert.equal(await reload(), 'declined')
    await expectPause(6 * hourMs)
    assert.equal((await user.client.getMe()).auto_reload_enabled, true)
    assert.equal(await reload(), 'declined')
    const me = await user.client.getMe()
    assert.equal(me.auto_reload_enabled, false)
    assert.match(me.auto_reload_off_reason ?? '', /Visa card ending in 0341.*third time/)
    assert.equal(await reload(), 'off')
    assert.ok((await charges()).every((charge) => !charge.paid))
  })

  it('is forgotten after a success, and by another default card', async () => {
    await enable('4000000000000341')
    await leaveWithUsd(server, user, '1')
    assert.equal(await reload(), 'declined')
    server.clock.offsetMs += 61_000
    const good = await saveCard(server, user)
    await user.client.setDefaultPaymentMethod({ params: { id: good } })
    assert.equal(await reload(), 'credited')
    const state = await server.ctx.db
      .selectFrom('auto_reload_states')
      .select('declines_in_a_row')
      .where('account_id', '=', user.accountId)
      .executeTakeFirstOrThrow()
    assert.equal(state.declines_in_a_row, 0)
  })

  const hard: [string, RegExp][] = [
    ['4100000000000019', /blocked/],
    ['4000002760003184', /approve every payment/],
  ]
  for (const [number, reason] of hard) {
    it(`that waiting cannot mend switches off at once (${number})`, async () => {
      await enable(number)
      await leaveWithUsd(server, user, '1')
      assert.equal(await reload(), 'declined')
      const me = await user.client.getMe()
      assert.equal(me.auto_reload_enabled, false)
      assert.match(me.auto_reload_off_reason ?? '', reason)
    })
  }

  it('is told by the settings until they are saved again', async () => {
    await enable('4100000000000019')
    await leaveWithUsd(server, user, '1')
    await reload()
    const saved = await user.client.saveAutoReload({ body: { enabled: false, ...power } })
    assert.equal(saved.auto_reload_off_reason, null)
  })
})

describe('an attempt whose end nobody heard', () => {
  it('is taken up again when the provider answers again', async () => {
    await enable('4242424242424242')
    await leaveWithUsd(server, user, '1')
    await control(server, 'api', { fail_next: 3 })
    assert.equal(await reload(), 'open')
    await control(server, 'api', { fail_next: 0 })
    assert.equal(await reload(), 'in flight')
    server.clock.offsetMs += 121_000
    await reconcilePayments(server.ctx)
    assert.equal(await availableUsd(user), 53.5)
    assert.equal((await charges()).length, 1)
  })

  it('is found again at the provider instead of charged again', async () => {
    await enable('4242424242424242')
    await leaveWithUsd(server, user, '1')
    // As if we had died between the charge and its answer, and no event had come.
    await control(server, 'webhooks', { drop: true })
    await chargeUnheard()
    await control(server, 'webhooks', { drop: false })
    server.clock.offsetMs += 121_000
    await reconcilePayments(server.ctx)
    assert.equal((await charges()).length, 1)
    assert.equal(await availableUsd(user), 53.5)
  })

  it('gives no credit that has gone back in the meantime', async () => {
    await enable('4242424242424242')
    await leaveWithUsd(server, user, '1')
    const before = await availableUsd(user)
    await control(server, 'webhooks', { drop: true })
    const intent = await chargeUnheard()
    await stripe.refunds.create({ payment_intent: intent.id })
    await control(server, 'webhooks', { drop: false })
    server.clock.offsetMs += 121_000
    await reconcilePayments(server.ctx)
    assert.equal(await availableUsd(user), before)
  })

  it('is not sent late: the reason for it may be gone', async () => {
    await enable('4242424242424242')
    await leaveWithUsd(server, user, '1')
    await control(server, 'api', { fail_next: 3 })
    assert.equal(await reload(), 'open')
    await control(server, 'api', { fail_next: 0 })
    server.clock.offsetMs += hourMs
    await forgetChecks()
    await reconcilePayments(server.ctx)
    assert.equal((await charges()).length, 0)
    const me = await user.client.getMe()
    assert.equal(me.auto_reload_enabled, true)
    // No job can be placed with this balance, so nothing else would ask.
    assert.ok(await isCheckQueued(), 'a new check is asked for')
    assert.equal(await reload(), 'credited')
  })
})

describe('a charge that the provider refuses altogether', () => {
  it('keeps auto-reload on where the card is fine, and is made once we may charge again', async () => {
    await enable('4242424242424242')
    await leaveWithUsd(server, user, '1')
    await control(server, 'api', { restricted: true })
    assert.equal(await reload(), 'open')
    await control(server, 'api', { restricted: false })
    assert.equal((await user.client.getMe()).auto_reload_enabled, true)
    server.clock.offsetMs += 121_000
    await reconcilePayments(server.ctx)
    assert.equal(await availableUsd(user), 53.5)
  })

  it('switches auto-reload off where the card is gone there', async () => {
    await enable('4242424242424242')
    await leaveWithUsd(server, user, '1')
    const { payment_method_id: card } = await readCard()
    await stripe.paymentMethods.detach(card)
    assert.equal(await reload(), 'declined')
    const me = await user.client.getMe()
    assert.equal(me.auto_reload_enabled, false)
    assert.match(me.auto_reload_off_reason ?? '', /can no longer be used/)
  })

  it('ends where the provider does not know the customer', async () => {
    await enable('4242424242424242')
    await leaveWithUsd(server, user, '1')
    const pending = await insertPending()
    await server.ctx.db
      .updateTable('reloads')
      .set({ customer_id: 'cus_of_another_account' })
      .where('id', '=', pending.id)
      .execute()
    server.clock.offsetMs += hourMs
    await reconcilePayments(server.ctx)
    const { status } = await server.ctx.db
      .selectFrom('reloads')
      .select('status')
      .where('id', '=', pending.id)
      .executeTakeFirstOrThrow()
    assert.notEqual(status, 'pending')
  })
})

/** Those that lowering the balance has asked for. */
async function forgetChecks(): Promise<void> {
  await server.ctx.pool.query(`delete from pgboss.job where name = 'auto-reload'`)
}

async function isCheckQueued(): Promise<boolean> {
  const { rows } = await server.ctx.pool.query(
    `select from pgboss.job where name = 'auto-reload' and state = 'created'
      and data ->> 'accountId' = $1`,
    [user.accountId],
  )
  return rows.length > 0
}

describe('accounts that are due for another check', () => {
  it('do not wait for those that have switched auto-reload off', async () => {
    await enable('4242424242424242')
    await leaveWithUsd(server, user, '1')
    await server.ctx.pool.query(
      `with others as (
        insert into accounts (email, username)
        select n || '@off.example', 'off' from generate_series(1, 101) as n returning id
      )
      insert into auto_reload_states (account_id, recheck_at)
      select id, '1970-01-01'::timestamptz from others union all select $1::uuid, '1970-01-02'
      on conflict (account_id) do update set recheck_at = excluded.recheck_at`,
      [user.accountId],
    )
    await forgetChecks()
    await reconcilePayments(server.ctx)
    assert.ok(await isCheckQueued())
  })
})

it('a second attempt in flight is refused by the database itself', async () => {
  await enable('4242424242424242')
  await insertPending()
  await assert.rejects(insertPending(), /reloads_one_in_flight/)
})

it('a dispute switches auto-reload off', async () => {
  await enable('4242424242424242')
  await leaveWithUsd(server, user, '1')
  assert.equal(await reload(), 'credited')
  const [charge] = await charges()
  await control(server, 'disputes', { charge: charge?.id })
  await until(
    () => user.client.getMe(),
    (me) => !me.auto_reload_enabled && me.account_balance_usd === 1,
  )
})

it('the queue runs the check that a hold asks for, once', async () => {
  const working = await startTestServer({ sandbox: true, worker: true })
  const editor = await working.user()
  await saveCard(working, editor)
  await editor.client.saveAutoReload({ body: { enabled: true, ...power, consent_accepted: true } })
  // $5 of free credit is below the threshold, so saving alone asks for the first check.
  await until(() => availableUsd(editor), 57.5)
  const { ctx } = working
  await ctx.db.transaction().execute(async (trx) => {
    await placeHold(trx, {
      accountId: editor.accountId,
      jobId: crypto.randomUUID(),
      amountMicros: 55_000_000,
      now: ctx.now(),
    })
    await checkAutoReload(ctx, editor.accountId, trx)
  })
  const state = await until(
    () =>
      ctx.db
        .selectFrom('auto_reload_states')
        .select('recheck_at')
        .where('account_id', '=', editor.accountId)
        .executeTakeFirst(),
    (row) => row?.recheck_at !== undefined && row.recheck_at !== null,
  )
  // Too early after the first: it is made up for when its time has come.
  working.clock.offsetMs += 61_000
  assert.ok(state)
  await reconcilePayments(ctx)
  await until(() => availableUsd(editor), 55)
  await working.stop()
})

function enable(number: string): Promise<string> {
  return enableAutoReload(server, user, number)
}

/** An attempt under way, written by hand. */
async function readCard() {
  return server.ctx.db
    .selectFrom('cards')
    .innerJoin('payment_customers', 'payment_customers.account_id', 'cards.account_id')
    .select(['cards.id', 'payment_method_id', 'customer_id'])
    .where('cards.account_id', '=', user.accountId)
    .executeTakeFirstOrThrow()
}

/** A reload that was charged, of which we know nothing. */
async function chargeUnheard(): Promise<Stripe.PaymentIntent> {
  const pending = await insertPending()
  return stripe.paymentIntents.create({
    amount: 5000,
    currency: 'usd',
    customer: pending.customer_id,
    payment_method: pending.payment_method_id,
    off_session: true,
    confirm: true,
    metadata: { reload_id: pending.id },
  })
}

async function insertPending() {
  const { ctx } = server
  const card = await readCard()
  return ctx.db
    .insertInto('reloads')
    .values({
      account_id: user.accountId,
      package_id: 'pkg-power-50',
      package_name: 'POWER',
      price_micros: 50_000_000,
      bonus_micros: 2_500_000,
      bonus_percent: 5,
      customer_id: card.customer_id,
      card_id: card.id,
      payment_method_id: card.payment_method_id,
      status: 'pending',
      created_at: ctx.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

function reload() {
  return runAutoReload(server.ctx, user.accountId)
}

/** No attempt one second before the pause ends; then the clock stands right after it. */
async function expectPause(pauseMs: number): Promise<void> {
  const before = (await charges()).length
  server.clock.offsetMs += pauseMs - 10_000
  assert.equal(await reload(), 'too early')
  assert.equal((await charges()).length, before)
  server.clock.offsetMs += 11_000
}

function charges(): Promise<Stripe.Charge[]> {
  return chargesOf(server, user)
}

function says(text: string | RegExp) {
  return (error: unknown) =>
    error instanceof CallError &&
    error.status === 422 &&
    (typeof text === 'string' ? error.message === text : text.test(error.message))
}
