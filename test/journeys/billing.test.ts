import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { captureHold, placeHold, releaseHold } from '../../server/billing/hold.ts'
import { adjust, creditPurchase, creditReload } from '../../server/billing/ledger.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { use } from '../support/use.ts'

const server = use(startTestServer)

const pro = {
  packageId: 'pkg-pro-100',
  packageName: 'PRO',
  priceMicros: 100_000_000,
  bonusMicros: 15_000_000,
  bonusPercent: 15,
}

async function charge(user: TestUser, heldMicros: number, amountMicros: number): Promise<string> {
  const { db, now } = server.ctx
  const jobId = randomUUID()
  await placeHold(db, {
    accountId: user.accountId,
    jobId,
    amountMicros: heldMicros,
    now: now(),
  })
  const usage = { jobId, amountMicros, seconds: 12, now: now() }
  await captureHold(db, { ...usage, description: '=SUM(A1), "Shots"' })
  return jobId
}

test('the balance, the totals and the history tell the same story (§3)', async () => {
  const user = await server.user()
  const { db, now } = server.ctx
  const { accountId, client } = user
  assert.equal((await client.getMe()).account_balance_usd, 5)
  const bought = { ...pro, accountId, now: now() }
  await creditPurchase(db, { ...bought, checkoutSessionId: 'cs_story' })
  await creditReload(db, { ...bought, reloadId: 'reload-story' })
  const jobId = await charge(user, 1_000_000, 123_457)
  const open = randomUUID()
  await placeHold(db, { accountId, jobId: open, amountMicros: 2_000_000, now: now() })

  const me = await client.getMe()
  assert.equal(me.account_balance_usd, 5 + 230 - 0.123457 - 2)
  assert.equal(me.balance.held_usd, 2)
  await releaseHold(db, { jobId: open, now: now() })

  const stats = await client.getBillingStats()
  assert.deepEqual(stats, {
    total_spent_usd: 200,
    total_bonus_credits_usd: 30,
    total_credits_purchased_usd: 230,
    month_usage_usd: 0.123457,
    // The one whose hold was released cost nothing.
    month_jobs: 2,
    month_seconds: 12,
  })

  const credits = await client.listBillingHistory({ query: { type: 'credit' } })
  assert.deepEqual(
    credits.transactions.map((row) => [row.amount_usd, row.credit_package_bonus_percentage]),
    [
      [115, 15],
      [115, 15],
      [5, null],
    ],
  )
  const [reload, purchase] = credits.transactions
  assert.equal(JSON.parse(reload?.metadata ?? '{}').is_auto_reload, true)
  assert.equal(JSON.parse(purchase?.metadata ?? '{}').is_auto_reload, undefined)

  const charges = await client.listBillingHistory({ query: { type: 'charge' } })
  assert.deepEqual(
    charges.transactions.map((row) => [row.amount_usd, row.job_id]),
    [[-0.123457, jobId]],
  )
})

test('pages follow each other without a gap or a repeat', async () => {
  const user = await server.user()
  const { db, now } = server.ctx
  // The month's free credit comes first, and so stands at the end.
  await user.client.getMe()
  const at = now()
  for (let n = 1; n <= 25; n++) {
    await adjust(db, {
      accountId: user.accountId,
      reference: randomUUID(),
      amountMicros: n,
      reason: 'page',
      now: at,
    })
  }
  const amounts: number[] = []
  let cursor: string | undefined
  do {
    const page = await user.client.listBillingHistory({ query: { limit: 10, cursor } })
    assert.ok(page.transactions.length <= 10)
    amounts.push(...page.transactions.map((row) => Math.round(row.amount_usd * 1e6)))
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  assert.deepEqual(amounts, [...Array.from({ length: 25 }, (_, n) => 25 - n), 5_000_000])
})

test('a wrong cursor, limit or type is refused with a sentence', async () => {
  const user = await server.user()
  for (const query of [
    'cursor=abc',
    'cursor=99999999999999999-1',
    'limit=0',
    'limit=101',
    'type=x',
  ]) {
    const answer = await server.fetch(`/v1/user/billing-history?${query}`, { token: user.token })
    assert.equal(answer.status, 422, query)
    assert.ok(((await answer.json()) as { message: string }).message)
  }
})

test('the CSV holds every transaction in full precision and no formula', async () => {
  const user = await server.user()
  await user.client.getMe()
  const jobId = await charge(user, 1_000_000, 123_457)
  const answer = await server.fetch('/v1/user/billing-history.csv', { token: user.token })
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/)
  assert.match(answer.headers.get('content-disposition') ?? '', /^attachment/)
  const lines = (await answer.text()).trimEnd().split('\r\n')
  assert.equal(lines.length, 3)
  assert.match(lines[1] ?? '', new RegExp(`"'=SUM\\(A1\\), ""Shots""",-0.123457,${jobId}`))
  assert.match(lines[2] ?? '', /,grant,Free monthly credit,5\.00,/)
})

test('a receipt is for its buyer alone', async () => {
  const user = await server.user()
  const { db, now } = server.ctx
  const credited = await creditPurchase(db, {
    ...{ ...pro, accountId: user.accountId, now: now() },
    checkoutSessionId: 'cs_receipt',
  })
  const { receipt } = await user.client.getReceipt({ params: { id: credited.transactionId } })
  assert.equal(receipt.package_name, 'PRO')
  assert.deepEqual([receipt.price_usd, receipt.bonus_usd, receipt.credits_usd], [100, 15, 115])
  assert.equal(receipt.payment_reference, 'cs_receipt')
  assert.equal(receipt.is_auto_reload, false)
  const stranger = await server.user()
  const path = `/v1/user/receipts/${credited.transactionId}`
  const refused = await server.fetch(path, { token: stranger.token })
  const missing = await server.fetch(`/v1/user/receipts/${randomUUID()}`, { token: stranger.token })
  assert.deepEqual([refused.status, missing.status], [404, 404])
})

test('free credit is gone in the next month, and a new grant stands in its place (§9)', async () => {
  const user = await server.user()
  await charge(user, 1, 1)
  const before = await user.client.getMe()
  assert.equal(before.balance.free_usd, 5)
  await charge(user, 3_000_000, 3_000_000)
  server.clock.offsetMs = 32 * 86_400_000
  try {
    // The session of last month has ended, so the same person signs in again.
    const later = await server.user(user.email)
    const next = await later.client.getMe()
    assert.equal(next.account_balance_usd, 5)
    const { month_usage_usd, month_jobs, month_seconds } = await later.client.getBillingStats()
    assert.deepEqual([month_usage_usd, month_jobs, month_seconds], [0, 0, 0])
    const history = await later.client.listBillingHistory({ query: {} })
    assert.deepEqual(
      history.transactions.map((row) => [row.description, row.amount_usd]).slice(0, 2),
      [
        ['Free monthly credit', 5],
        ['Free credit expired', -2],
      ],
    )
  } finally {
    server.clock.offsetMs = 0
  }
})
