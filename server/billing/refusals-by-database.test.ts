/** The database itself refuses a bug, or a person with SQL access. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { PoolClient } from 'pg'
import { openAccounts } from '../../scripts/prove/ledger/execute.ts'
import { openTestDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { checkLedger } from './check.ts'
import { placeHold } from './hold.ts'
import { creditPurchase } from './ledger.ts'

const now = new Date('2026-01-10T12:00:00Z')
const accountId = randomUUID()
const otherId = randomUUID()
const jobId = randomUUID()
const nextJobId = randomUUID()

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
  await openAccounts(database.db, [accountId, otherId])
  for (const id of [accountId, otherId]) {
    await creditPurchase(database.db, {
      accountId: id,
      checkoutSessionId: `refusals-${id}`,
      packageId: 'pkg-starter-10',
      packageName: 'STARTER',
      priceMicros: 10_000_000,
      bonusMicros: 0,
      bonusPercent: 0,
      now,
    })
  }
  await placeHold(database.db, { accountId, jobId, amountMicros: 4_000_000, now })
})
after(() => database.close())

const simple: Record<string, string> = {
  'an entry is changed': 'update ledger_entries set amount_micros = amount_micros + 1',
  'an entry is deleted': 'delete from ledger_entries',
  'entries are truncated': 'truncate ledger_entries',
  'a transaction is changed': "update ledger_transactions set description = 'x'",
  'a transaction is deleted': 'delete from ledger_transactions',
  'transactions are truncated': 'truncate ledger_transactions cascade',
  'a balance is written by hand': 'update ledger_wallets set available_micros = 1000000000',
  'a wallet is opened with money':
    'insert into ledger_wallets (account_id, available_micros) values (gen_random_uuid(), 5)',
  'a wallet is deleted': 'delete from ledger_wallets',
  'a lot is written by hand': 'update ledger_lots set available_micros = granted_micros',
  'a lot is deleted': 'delete from ledger_lots',
  'a hold is written by hand': 'update ledger_holds set held_micros = 0',
  'a hold is inserted by hand': `insert into ledger_holds values
    (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1)`,
  'a claim of a free grant is deleted': 'delete from ledger_grant_claims',
  'an account with money is deleted': `delete from accounts where id = '${accountId}'`,
}
for (const [what, statement] of Object.entries(simple)) {
  test(`refused: ${what}`, async () => {
    await assert.rejects(database.pool.query(statement), /ledger|violates/)
  })
}

interface Draft {
  kind: string
  key: string
  amount: number
  held: number
  after: number
  job?: string | null
  at?: Date
  lines: [book: string, lot: 'own' | 'other' | null, micros: number][]
}

const balance = 6_000_000
const adjustment = (micros: number, changes: Partial<Draft> = {}): Draft => ({
  kind: 'adjust',
  key: `adjust:${randomUUID()}`,
  amount: micros,
  held: 0,
  after: balance + micros,
  lines: [
    ['adjustment', 'own', -micros],
    ['available', 'own', micros],
  ],
  ...changes,
})

const drafts: Record<string, Draft> = {
  'entries that do not sum to zero': adjustment(5, {
    lines: [
      ['adjustment', 'own', -4],
      ['available', 'own', 5],
    ],
  }),
  'a transaction without entries': adjustment(5, { lines: [] }),
  'a transaction that states another amount': adjustment(5, { amount: 6, after: balance + 6 }),
  'a transaction that states another balance': adjustment(5, { after: balance + 6 }),
  'a lot filled above what was granted': adjustment(5_000_000),
  "another account's lot": adjustment(5, {
    lines: [
      ['adjustment', 'other', -5],
      ['available', 'other', 5],
    ],
  }),
  'a key of another kind': adjustment(5, { key: `purchase:${randomUUID()}` }),
  'a key that was used': adjustment(5, { key: `purchase:refusals-${accountId}`, kind: 'purchase' }),
  'a transaction before its predecessor': adjustment(5, { at: new Date(now.getTime() - 1) }),
  'an unknown kind': adjustment(5, { kind: 'gift', key: `gift:${randomUUID()}` }),
  'an unknown book': adjustment(5, {
    lines: [
      ['pocket', 'own', -5],
      ['available', 'own', 5],
    ],
  }),
  'a hold beyond the balance': {
    ...{ kind: 'hold', job: nextJobId, key: `hold:${nextJobId}` },
    ...{ amount: 0, held: 6_000_001, after: -1 },
    lines: [
      ['available', 'own', -6_000_001],
      ['held', 'own', 6_000_001],
    ],
  },
  'a capture above its hold': {
    ...{ kind: 'capture', job: jobId, key: `capture:${jobId}` },
    ...{ amount: -4_000_001, held: -4_000_001, after: balance },
    lines: [
      ['held', 'own', -4_000_001],
      ['revenue', 'own', 4_000_001],
    ],
  },
  'a capture for a job that holds nothing': {
    ...{ kind: 'capture', job: otherId, key: `capture:${otherId}` },
    ...{ amount: -5, held: -5, after: balance },
    lines: [
      ['held', 'own', -5],
      ['revenue', 'own', 5],
    ],
  },
}
/** Messages of the database. */
const says: Record<string, RegExp> = {
  'entries that do not sum to zero': /do not sum to zero/,
  'a transaction without entries': /has no entries/,
  'a transaction that states another amount': /do not add up/,
  'a transaction that states another balance': /does not follow/,
  'a lot filled above what was granted': /ledger_lots_never_overspent/,
  "another account's lot": /not of this account/,
  'a key of another kind': /key does not name/,
  'a key that was used': /duplicate key/,
  'a transaction before its predecessor': /does not follow/,
  'an unknown kind': /do not fit the kind/,
  'an unknown book': /entries are not/,
  'a hold beyond the balance': /does not follow/,
  'a capture above its hold': /never_over/,
  'a capture for a job that holds nothing': /not of this job/,
}
for (const [what, draft] of Object.entries(drafts)) {
  test(`refused: ${what}`, async () => {
    await assert.rejects(post(draft), says[what] ?? /no reason given/)
  })
}

test('refused: entries added to a transaction that was posted before', async () => {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    const id = await write(
      client,
      adjustment(-5, {
        kind: 'expire',
        key: `expire:${randomUUID()}`,
        lines: [
          ['available', 'own', -5],
          ['lapsed', 'own', 5],
        ],
      }),
    )
    await client.query('set constraints all immediate')
    const more = client.query(
      `insert into ledger_entries select $1, n + 2, book, lot_id, amount_micros
       from ledger_entries join (values (1, 1), (2, 2)) as v (line, n) using (line)
       where transaction_id = $1`,
      [id],
    )
    await assert.rejects(more, /lines 1..n/)
  } finally {
    await client.query('rollback')
    client.release()
  }
})

test('a well-formed transaction by hand is accepted and counted', async () => {
  const lines: Draft['lines'] = [
    ['available', 'own', -5],
    ['lapsed', 'own', 5],
  ]
  const key = `expire:${randomUUID()}`
  await post(adjustment(-5, { kind: 'expire', key, lines }))
  const { rows } = await database.pool.query<{ available_micros: number }>(
    'select available_micros from ledger_wallets where account_id = $1',
    [accountId],
  )
  assert.equal(rows[0]?.available_micros, balance - 5)
})

test('the check of the ledger reports changes made with triggers switched off', async () => {
  const clean = await checkLedger(database.db)
  const strange = 'free credit lapses only when it has expired'
  assert.deepEqual([...new Set(clean.differences.map((difference) => difference.check))], [strange])
  const client = await database.pool.connect()
  try {
    await client.query('alter table ledger_entries disable trigger user')
    await client.query(`update ledger_entries set amount_micros = amount_micros + 1
      where book = 'available' and amount_micros > 0`)
  } finally {
    await client.query('alter table ledger_entries enable trigger user')
    client.release()
  }
  const failed = new Set((await checkLedger(database.db)).differences.map(({ check }) => check))
  assert.ok(failed.has('entries sum to zero'))
  assert.ok(failed.has('wallets are sums of entries'))
  assert.ok(failed.has('lots are sums of entries'))
})

async function post(draft: Draft): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await write(client, draft)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

async function write(client: PoolClient, draft: Draft): Promise<string> {
  const lots = await client.query<{ id: string; account_id: string }>(
    'select id, account_id from ledger_lots',
  )
  const lotOf = { own: accountId, other: otherId }
  const transaction = await client.query<{ id: string }>(
    `insert into ledger_transactions (account_id, kind, key, job_id, amount_micros,
       held_change_micros, balance_after_micros, description, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, 'by hand', $8) returning id`,
    [
      ...[accountId, draft.kind, draft.key, draft.job ?? null, draft.amount, draft.held],
      ...[draft.after, draft.at ?? now],
    ],
  )
  const id = transaction.rows[0]?.id ?? ''
  if (draft.lines.length === 0) return id
  await client.query(
    `insert into ledger_entries select $1, line, book, lot_id, micros
     from unnest($2::text[], $3::uuid[], $4::bigint[])
       with ordinality as e (book, lot_id, micros, line)`,
    [
      id,
      draft.lines.map(([book]) => book),
      draft.lines.map(([, lot]) =>
        lot ? lots.rows.find((row) => row.account_id === lotOf[lot])?.id : null,
      ),
      draft.lines.map(([, , micros]) => micros),
    ],
  )
  return id
}
