import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { openAccounts } from '../../scripts/prove/ledger/execute.ts'
import { openTestDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { readBalance } from './balance.ts'
import { checkLedger } from './check.ts'
import { grantFreeCredit } from './grant.ts'
import { captureHold, placeHold, releaseHold } from './hold.ts'
import {
  adjust,
  creditPurchase,
  creditReload,
  expireLots,
  refund,
  settleReversal,
} from './ledger.ts'

const january = new Date('2026-01-10T12:00:00Z')
const february = new Date('2026-02-01T00:00:00Z')

let database: TestDatabase
before(async () => {
  database = await openTestDatabase({ maxConnections: 60 })
})
after(() => database.close())

async function newAccount(): Promise<string> {
  const id = randomUUID()
  await openAccounts(database.db, [id])
  return id
}

function buy(accountId: string, session: string = randomUUID(), now = january) {
  return creditPurchase(database.db, {
    accountId,
    checkoutSessionId: session,
    packageId: 'pkg-power-50',
    packageName: 'POWER',
    priceMicros: 50_000_000,
    bonusMicros: 2_500_000,
    bonusPercent: 5,
    now,
  })
}

function hold(accountId: string, amountMicros: number, now = january) {
  const jobId = randomUUID()
  return { jobId, held: placeHold(database.db, { accountId, jobId, amountMicros, now }) }
}

function capture(jobId: string, amountMicros: number, now = january) {
  return captureHold(database.db, { jobId, amountMicros, description: 'Shots', seconds: 1, now })
}

function reverse(session: string, reversedMicros: number) {
  return settleReversal(database.db, {
    purchaseKey: `purchase:${session}`,
    reversedMicros,
    description: 'Payment disputed',
    now: january,
  })
}

const balanceOf = (accountId: string, now = january) => readBalance(database.db, { accountId, now })

test('200 parallel holds on $5 never hold more than $5', async () => {
  const accountId = await newAccount()
  await grantFreeCredit(database.db, { accountId, now: january })
  const holds = Array.from({ length: 200 }, () => hold(accountId, 130_000).held)
  const placed = (await Promise.all(holds)).filter((result) => result.ok)
  assert.equal(placed.length, 38)
  const balance = await balanceOf(accountId)
  assert.equal(balance.heldMicros, 38 * 130_000)
  assert.equal(balance.availableMicros, 5_000_000 - 38 * 130_000)
})

test('a hold spends free credit, then bonus, then paid, and a release gives each lot its part', async () => {
  const accountId = await newAccount()
  await buy(accountId)
  await grantFreeCredit(database.db, { accountId, now: january })
  const before = await balanceOf(accountId)
  const { jobId, held } = hold(accountId, 10_000_000)
  assert.ok((await held).ok)
  const during = await balanceOf(accountId)
  assert.deepEqual([during.freeMicros, during.bonusMicros, during.paidMicros], [0, 0, 47_500_000])
  await releaseHold(database.db, { jobId, now: january })
  assert.deepEqual(await balanceOf(accountId), before)
})

test('a capture takes at most the hold and releases the rest in the same call', async () => {
  const accountId = await newAccount()
  await buy(accountId)
  const { jobId, held } = hold(accountId, 10_000_000)
  await held
  assert.deepEqual(await capture(jobId, 10_000_001), {
    ok: false,
    reason: 'exceeds_hold',
    heldMicros: 10_000_000,
  })
  const first = await capture(jobId, 4_000_000)
  assert.ok(first.ok)
  assert.equal(first.releasedMicros, 6_000_000)
  assert.equal(first.availableMicros, 48_500_000)
  assert.deepEqual(await capture(jobId, 4_000_000), first)
  assert.deepEqual(await releaseHold(database.db, { jobId, now: january }), {
    ok: false,
    reason: 'captured',
  })
})

test('too little credit is refused with both sums and leaves nothing behind', async () => {
  const accountId = await newAccount()
  await grantFreeCredit(database.db, { accountId, now: january })
  const { jobId, held } = hold(accountId, 5_000_001)
  assert.deepEqual(await held, {
    ok: false,
    reason: 'insufficient',
    requiredMicros: 5_000_001,
    availableMicros: 5_000_000,
  })
  assert.deepEqual(await capture(jobId, 1), { ok: false, reason: 'no_hold' })
})

test('a hold in a transaction that rolls back never was', async () => {
  const accountId = await newAccount()
  await buy(accountId)
  const jobId = randomUUID()
  const rolledBack = database.db.transaction().execute(async (trx) => {
    await placeHold(trx, { accountId, jobId, amountMicros: 1_000_000, now: january })
    throw new Error('the job row failed')
  })
  await assert.rejects(rolledBack, /the job row failed/)
  assert.equal((await balanceOf(accountId)).heldMicros, 0)
})

test('free credit lapses at month end; a hold survives it, and what it releases lapses too', async () => {
  const accountId = await newAccount()
  await grantFreeCredit(database.db, { accountId, now: january })
  const { jobId, held } = hold(accountId, 2_000_000)
  await held
  const last = new Date(february.getTime() - 1)
  assert.equal((await balanceOf(accountId, last)).availableMicros, 3_000_000)
  assert.equal((await balanceOf(accountId, february)).availableMicros, 0)
  assert.equal((await balanceOf(accountId, february)).heldMicros, 2_000_000)
  await expireLots(database.db, { now: february })
  const closed = await capture(jobId, 500_000, february)
  assert.ok(closed.ok)
  assert.deepEqual(
    [closed.capturedMicros, closed.releasedMicros, closed.lapsedMicros, closed.availableMicros],
    [500_000, 0, 1_500_000, 0],
  )
})

test('one free grant for an account and month, whoever asks how often', async () => {
  const accountId = await newAccount()
  const ask = (now: Date) => grantFreeCredit(database.db, { accountId, now })
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(january)))
  assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1)
  assert.equal((await balanceOf(accountId)).freeMicros, 5_000_000)
  await ask(february)
  const balance = await balanceOf(accountId, february)
  assert.equal(balance.freeMicros, 5_000_000)
  assert.deepEqual(balance.freeExpiresAt, new Date('2026-03-01T00:00:00Z'))
})

test('a provider identity earns one grant a month, even through a second account', async () => {
  const [first, second] = [await newAccount(), await newAccount()]
  await grantFreeCredit(database.db, { accountId: first, now: january })
  await sql`update identities set account_id = ${second} where account_id = ${first}`.execute(
    database.db,
  )
  assert.deepEqual(await grantFreeCredit(database.db, { accountId: second, now: january }), {
    ok: false,
    reason: 'identity_used',
  })
  const unverified = await newAccount()
  await sql`update identities set email_verified = false where account_id = ${unverified}`.execute(
    database.db,
  )
  assert.deepEqual(await grantFreeCredit(database.db, { accountId: unverified, now: january }), {
    ok: false,
    reason: 'unverified',
  })
})

test('one checkout session credits once, and other values under its key are refused', async () => {
  const accountId = await newAccount()
  const session = randomUUID()
  const answers = await Promise.all(Array.from({ length: 30 }, () => buy(accountId, session)))
  assert.equal(new Set(answers.map((answer) => answer.transactionId)).size, 1)
  const balance = await balanceOf(accountId)
  assert.deepEqual([balance.paidMicros, balance.bonusMicros], [50_000_000, 2_500_000])
  await assert.rejects(buy(await newAccount(), session), /used before with other values/)
})

test('500 keys sent 5 times in parallel have one effect each', async () => {
  const accounts = await Promise.all(Array.from({ length: 25 }, newAccount))
  const sendFive = (n: number) => {
    const accountId = accounts[n % accounts.length] ?? ''
    const reference = randomUUID()
    const send = () =>
      adjust(database.db, { accountId, reference, amountMicros: n + 1, reason: 'x', now: january })
    return Promise.all([send(), send(), send(), send(), send()])
  }
  // All at once would wait longer for a connection than anybody may on a slow machine.
  const answers: Awaited<ReturnType<typeof sendFive>>[] = []
  for (let first = 0; first < 500; first += 100) {
    const batch = Array.from({ length: 100 }, (_, index) => sendFive(first + index))
    answers.push(...(await Promise.all(batch)))
  }
  assert.ok(
    answers.every((five) => new Set(five.map((answer) => JSON.stringify(answer))).size === 1),
  )
  const sums = await Promise.all(accounts.map((accountId) => balanceOf(accountId)))
  const total = sums.reduce((sum, balance) => sum + balance.availableMicros, 0)
  assert.equal(total, (500 * 501) / 2)
})

test('a chargeback takes what is left, then becomes a debt that stops jobs until it is paid', async () => {
  const accountId = await newAccount()
  const session = randomUUID()
  await buy(accountId, session)
  const spent = hold(accountId, 12_500_000)
  await spent.held
  await capture(spent.jobId, 12_500_000)
  const back = await reverse(session, 50_000_000)
  assert.ok(back.ok)
  assert.equal(back.availableMicros, -10_000_000)
  const refused = await hold(accountId, 0).held
  assert.deepEqual(refused, {
    ok: false,
    reason: 'insufficient',
    requiredMicros: 0,
    availableMicros: -10_000_000,
  })
  const reload = await creditReload(database.db, {
    accountId,
    reloadId: randomUUID(),
    packageId: 'pkg-power-50',
    packageName: 'POWER',
    priceMicros: 50_000_000,
    bonusMicros: 2_500_000,
    bonusPercent: 5,
    now: january,
  })
  assert.equal(reload.availableMicros, 42_500_000)
  assert.equal((await balanceOf(accountId)).debtMicros, 0)
})

test('money that returns pays the debt, and is credit with its bonus again', async () => {
  const accountId = await newAccount()
  const session = randomUUID()
  await buy(accountId, session)
  const spent = hold(accountId, 12_500_000)
  await spent.held
  await capture(spent.jobId, 12_500_000)
  const balances: number[] = []
  // Half, all, a refund beside a dispute, and step by step back; twice each changes nothing.
  for (const reversedMicros of [25_000_000, 50_000_000, 60_000_000, 20_000_000, 0]) {
    const first = await reverse(session, reversedMicros)
    const second = await reverse(session, reversedMicros)
    assert.ok(first.ok && second.ok)
    assert.equal(second.transactionId, null)
    assert.equal(second.availableMicros, first.availableMicros)
    balances.push(first.availableMicros)
  }
  assert.deepEqual(balances, [15_000_000, -10_000_000, -20_000_000, 20_000_000, 40_000_000])
  // The job's charge goes back to the lots that paid it, and they have room for it.
  const refunded = await refund(database.db, {
    ...{ jobId: spent.jobId, reference: randomUUID(), reason: 'bad result', now: january },
  })
  assert.ok(refunded.ok)
  assert.equal(refunded.availableMicros, 52_500_000)
  const { rows } = await sql<{ charged: number }>`
    select charged_micros as charged from ledger_wallets where account_id = ${accountId}`.execute(
    database.db,
  )
  assert.equal(rows[0]?.charged, 50_000_000)
})

test('a dispute that an earlier version returned as support credit is not returned twice', async () => {
  const accountId = await newAccount()
  const session = randomUUID()
  await buy(accountId, session)
  await reverse(session, 50_000_000)
  await adjust(database.db, {
    ...{ accountId, reference: `dispute-won:purchase:${session}:1`, amountMicros: 52_500_000 },
    ...{ reason: 'A dispute was decided for the purchase.', now: january },
  })
  const settled = await reverse(session, 0)
  assert.ok(settled.ok)
  assert.equal(settled.availableMicros, 52_500_000)
  const refunded = await reverse(session, 50_000_000)
  assert.ok(refunded.ok)
  assert.equal(refunded.availableMicros, 2_500_000)
})

test('a refund returns at most the charge, to the lots that paid', async () => {
  const accountId = await newAccount()
  await buy(accountId)
  const { jobId, held } = hold(accountId, 5_000_000)
  await held
  await capture(jobId, 5_000_000)
  const give = (amountMicros?: number) =>
    refund(database.db, {
      jobId,
      reference: randomUUID(),
      amountMicros,
      reason: 'bad result',
      now: january,
    })
  assert.deepEqual(await give(5_000_001), {
    ok: false,
    reason: 'exceeds_charge',
    refundableMicros: 5_000_000,
  })
  await give(3_000_000)
  const partly = await balanceOf(accountId)
  assert.deepEqual([partly.paidMicros, partly.bonusMicros], [50_000_000, 500_000])
  await give()
  const wholly = await balanceOf(accountId)
  assert.deepEqual([wholly.paidMicros, wholly.bonusMicros], [50_000_000, 2_500_000])
  assert.equal((await give()).ok, false)
})

test('the books of all of these tests recompute to the last micro-dollar', async () => {
  const check = await checkLedger(database.db)
  assert.deepEqual(check.differences, [])
  assert.ok(check.transactions > 500)
})
