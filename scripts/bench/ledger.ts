/**
 * Throughput of hold + capture through the product's own verbs, as a ratio to the plain insertion of
 * the same rows (transactions, entries, held parts; same columns and indexes, no triggers, checks,
 * locks or sums) in as many commits, by as many connections, against the same PostgreSQL.
 * Rounds of both alternate, so that whatever else the machine does weighs on both alike.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { creditPurchase } from '../../server/billing/ledger.ts'
import { captureHold, placeHold } from '../../server/billing/hold.ts'
import { startEmbeddedPostgres } from '../../server/db/embedded.ts'
import { migrate } from '../../server/db/migrate.ts'
import { openDatabase } from '../../server/db/open.ts'
import type { Db } from '../../server/db/open.ts'

const connections = 16
const accountsCount = 200
const rounds = 5
const target = 0.5

export async function run(args: string[] = []): Promise<void> {
  const roundMs = Number(args[0] ?? 3) * 1000
  const dir = await mkdtemp(join(tmpdir(), 'cutindex-bench-'))
  const postgres = await startEmbeddedPostgres({ dir })
  try {
    await migrate(postgres.url)
    const { db, pool, close } = openDatabase(postgres.url, { maxConnections: connections })
    try {
      const accounts = await openAccounts(db, pool)
      await createRawTables(pool)
      await measure(200, (turn) => holdAndCapture(db, accounts, turn))
      await measure(200, () => insertSameRows(pool))
      const ratios: number[] = []
      for (let round = 0; round < rounds; round++) {
        const ours = await measure(roundMs, (turn) => holdAndCapture(db, accounts, turn))
        const raw = await measure(roundMs, () => insertSameRows(pool))
        ratios.push(ours / raw)
        console.log(
          `ledger round ${round + 1}: hold+capture ${ours.toFixed(0)}/s,` +
            ` raw insertion ${raw.toFixed(0)}/s, ratio ${(ours / raw).toFixed(2)}`,
        )
      }
      const median = ratios.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
      console.log(
        `ledger: hold+capture / raw insertion = ${median.toFixed(2)} (target ≥ ${target},` +
          ` ${connections} connections, durable commits) ${median >= target ? 'met' : 'MISSED'}`,
      )
    } finally {
      await close()
    }
  } finally {
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

async function openAccounts(db: Db, pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into accounts (email, username)
     select 'bench' || n || '@example.test', 'bench' from generate_series(1, $1) n returning id`,
    [accountsCount],
  )
  for (const { id } of rows) {
    await creditPurchase(db, {
      accountId: id,
      checkoutSessionId: `bench-${id}`,
      packageId: 'pkg-enterprise-500',
      packageName: 'ENTERPRISE',
      priceMicros: 500_000_000,
      bonusMicros: 100_000_000,
      bonusPercent: 20,
      now: new Date(),
    })
  }
  return rows.map((row) => row.id)
}

async function createRawTables(pool: Pool): Promise<void> {
  for (const name of ['transactions', 'entries', 'holds']) {
    await pool.query(
      `create table raw_${name} (like ledger_${name} including indexes including identity)`,
    )
  }
}

async function holdAndCapture(db: Db, accounts: string[], turn: number): Promise<void> {
  const accountId = accounts[turn % accounts.length] ?? ''
  const jobId = randomUUID()
  const held = await placeHold(db, { accountId, jobId, amountMicros: 900, now: new Date() })
  const done = await captureHold(db, {
    jobId,
    amountMicros: 600,
    description: 'Shot changes',
    seconds: 1,
    now: new Date(),
  })
  if (!held.ok || !done.ok) throw new Error('The bench ran out of credit.')
}

const rawTransactions = `insert into raw_transactions (id, account_id, kind, key, job_id,
  amount_micros, held_change_micros, balance_after_micros, description, metadata, created_at)`
const rawEntries = 'insert into raw_entries (transaction_id, line, book, lot_id, amount_micros)'

export async function insertSameRows(pool: Pool): Promise<void> {
  const [job, account, lot] = [randomUUID(), randomUUID(), randomUUID()]
  const [hold, capture, release] = [randomUUID(), randomUUID(), randomUUID()]
  await pool.query(
    `with t as (${rawTransactions} values ($1, $2, 'hold', 'hold:' || $3::uuid, $3, 0, 900, 99100,
        'Held for a job', '{}', $5)),
      h as (insert into raw_holds (job_id, lot_id, account_id, held_micros)
        values ($3, $4, $2, 900))
    ${rawEntries} values ($1, 1, 'available', $4, -900), ($1, 2, 'held', $4, 900)`,
    [hold, account, job, lot, new Date()],
  )
  await pool.query(
    `with t as (${rawTransactions} values
        ($1, $2, 'capture', 'capture:' || $3::uuid, $3, -600, -600, 99100, 'Shot changes',
          '{"seconds":1}', $5),
        ($6, $2, 'release', 'release:' || $3::uuid, $3, 0, -300, 99400, 'Released from a job',
          '{}', $5))
    ${rawEntries} values ($1, 1, 'held', $4, -600), ($1, 2, 'revenue', $4, 600),
      ($6, 1, 'held', $4, -300), ($6, 2, 'available', $4, 300)`,
    [capture, account, job, lot, new Date(), release],
  )
}

/** Cycles per second of `cycle`, run by as many loops as there are connections. */
async function measure(
  durationMs: number,
  cycle: (turn: number) => Promise<void>,
): Promise<number> {
  const start = performance.now()
  let turn = 0
  const loop = async (): Promise<void> => {
    while (performance.now() - start < durationMs) await cycle(turn++)
  }
  await Promise.all(Array.from({ length: connections }, loop))
  return turn / ((performance.now() - start) / 1000)
}
