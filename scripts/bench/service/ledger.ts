/**
 * Throughput of hold + capture through the product's own verbs, as a ratio to the plain insertion
 * of the same rows (transactions, entries, held parts; same columns and indexes, no triggers,
 * checks, locks or sums) by as many connections against the same PostgreSQL. The peer is what a
 * pgbench script does: BEGIN, one INSERT for each table, COMMIT. A second, harder peer packs all
 * inserts of a commit into one statement; it is printed beside it, without a target. Rounds
 * alternate, so that whatever else the machine does weighs on all alike.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { creditPurchase } from '../../../server/billing/ledger.ts'
import { captureHold, placeHold } from '../../../server/billing/hold.ts'
import { startEmbeddedPostgres } from '../../../server/db/embedded.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { openDatabase } from '../../../server/db/open.ts'
import type { Db } from '../../../server/ground/database.ts'
import { median, print } from '../figures.ts'

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
    const opened = openDatabase(postgres.url, { maxConnections: connections })
    const { db, pool } = opened
    try {
      const accounts = await openAccounts(db, pool)
      await createRawTables(pool)
      const contenders = {
        ours: (turn: number) => holdAndCapture(db, accounts, turn),
        raw: () => insertAsPgbench(pool),
        packed: () => insertPacked(pool),
      }
      for (const cycle of Object.values(contenders)) await measure(200, cycle)
      const ratios = { raw: [] as number[], packed: [] as number[] }
      for (let round = 0; round < rounds; round++) {
        const ours = await measure(roundMs, contenders.ours)
        const raw = await measure(roundMs, contenders.raw)
        const packed = await measure(roundMs, contenders.packed)
        ratios.raw.push(ours / raw)
        ratios.packed.push(ours / packed)
        console.log(
          `ledger round ${round + 1}: hold+capture ${ours.toFixed(0)}/s,` +
            ` pgbench-style insertion ${raw.toFixed(0)}/s, packed insertion ${packed.toFixed(0)}/s`,
        )
      }
      print(
        'ledger: hold+capture / pgbench-style insertion of the same rows',
        median(ratios.raw),
        { min: target },
        `/ packed insertion = ${median(ratios.packed).toFixed(2)};` +
          ` ${connections} connections, durable commits`,
      )
    } finally {
      await opened.close()
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

const intoTransactions = `insert into raw_transactions (id, account_id, kind, key, job_id,
  amount_micros, held_change_micros, balance_after_micros, description, metadata, created_at)`
const intoEntries = 'insert into raw_entries (transaction_id, line, book, lot_id, amount_micros)'
const intoHolds = 'insert into raw_holds (job_id, lot_id, account_id, held_micros)'

const holdTransaction = `${intoTransactions} values ($1::uuid, $2::uuid, 'hold', 'hold:' || $3::uuid,
  $3, 0, 900, 99100, 'Held for a job', '{}', $4::timestamptz)`
const closeTransactions = `${intoTransactions} values
  ($1::uuid, $2::uuid, 'capture', 'capture:' || $3::uuid, $3, -600, -600, 99100, 'Shot changes',
    '{"seconds":1}', $4::timestamptz),
  ($5::uuid, $2, 'release', 'release:' || $3, $3, 0, -300, 99400, 'Released from a job', '{}', $4)`

async function insertAsPgbench(pool: Pool): Promise<void> {
  const row = freshIds()
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(holdTransaction, [row.hold, row.account, row.job, new Date()])
    await client.query(
      `${intoEntries} values ($1, 1, 'available', $2, -900), ($1, 2, 'held', $2, 900)`,
      [row.hold, row.lot],
    )
    await client.query(`${intoHolds} values ($1, $2, $3, 900)`, [row.job, row.lot, row.account])
    await client.query('commit')
    await client.query('begin')
    const ids = [row.capture, row.account, row.job, new Date(), row.release]
    await client.query(closeTransactions, ids)
    await client.query(
      `${intoEntries} values ($1, 1, 'held', $2, -600), ($1, 2, 'revenue', $2, 600),
        ($3, 1, 'held', $2, -300), ($3, 2, 'available', $2, 300)`,
      [row.capture, row.lot, row.release],
    )
    await client.query('commit')
  } finally {
    client.release()
  }
}

async function insertPacked(pool: Pool): Promise<void> {
  const row = freshIds()
  await pool.query(
    `with t as (${holdTransaction}), h as (${intoHolds} values ($3, $5::uuid, $2, 900))
    ${intoEntries} values ($1, 1, 'available', $5, -900), ($1, 2, 'held', $5, 900)`,
    [row.hold, row.account, row.job, new Date(), row.lot],
  )
  await pool.query(
    `with t as (${closeTransactions})
    ${intoEntries} values ($1, 1, 'held', $6::uuid, -600), ($1, 2, 'revenue', $6, 600),
      ($5, 1, 'held', $6, -300), ($5, 2, 'available', $6, 300)`,
    [row.capture, row.account, row.job, new Date(), row.release, row.lot],
  )
}

function freshIds(): Record<'account' | 'job' | 'lot' | 'hold' | 'capture' | 'release', string> {
  return {
    account: randomUUID(),
    job: randomUUID(),
    lot: randomUUID(),
    hold: randomUUID(),
    capture: randomUUID(),
    release: randomUUID(),
  }
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
