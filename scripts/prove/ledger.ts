/**
 * `npm run prove:ledger`: the promises about money in full. Random operations against an
 * independent model; the same operations under kill -9 end in the same state; planted bugs are
 * caught; a year of months; parallel holds and parallel copies of one request; refunds and disputes
 * at the provider, reported in random order. `npm run prove:ledger -- operations=10000 kills=30
 * sequences=200` makes it shorter, `only=crashes` (or planted, parallel, calendar, reversals) runs
 * one part.
 */
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { readBalance } from '../../server/billing/balance.ts'
import { startEmbeddedPostgres } from '../../server/db/embedded.ts'
import { migrate } from '../../server/db/migrate.ts'
import { openDatabase } from '../../server/db/open.ts'
import type { Db } from '../../server/ground/database.ts'
import { ensureSystemPackages, toTest } from '../system-packages.ts'
import { runCalendar } from './ledger/calendar.ts'
import { runStream } from './ledger/crash.ts'
import { execute, openAccounts } from './ledger/execute.ts'
import { catchBug, plantBug, plantedBugs, plantedInReversals } from './ledger/planted.ts'
import { proveReversals } from './ledger/reversals.ts'
import { mkdtempDisposable } from 'node:fs/promises'

const settings = {
  operations: 100_000,
  kills: 252,
  days: 400,
  accounts: 1000,
  lanes: 8,
  sequences: 5000,
}
/** The provider's stand-in keeps everything in memory, so many small houses are faster than one. */
const sequencesInAHouse = 100
const sequencesWithABug = 40
let only = ''
for (const argument of process.argv.slice(2)) {
  const [name = '', value = ''] = argument.split('=')
  if (name === 'only') only = value
  else if (name in settings) settings[name as keyof typeof settings] = Number(value)
  else throw new Error(`Unknown setting: ${name}`)
}
let failed = 0
let scratches = 0

ensureSystemPackages(toTest)
await using scratch = await mkdtempDisposable(join(tmpdir(), 'cutindex-prove-'))
const root = scratch.path
const started = performance.now()
const postgres = await startEmbeddedPostgres({
  dir: join(root, 'scratch'),
  durable: false,
  mayCreateDatabases: true,
})
const parts = {
  planted: () => provePlantedBugs(postgres.url),
  parallel: () => proveParallel(postgres.url),
  calendar: () => proveCalendar(postgres.url),
  crashes: proveCrashes,
  reversals: () => proveAllReversals(postgres.url),
}
for (const [name, prove] of Object.entries(parts)) if (!only || only === name) await prove()
await postgres.stop()
const minutes = ((performance.now() - started) / 60_000).toFixed(1)
console.log(failed === 0 ? `All held, in ${minutes} min.` : `${failed} FAILED, in ${minutes} min.`)
process.exitCode = failed === 0 ? 0 : 1

function report(held: boolean, text: string): void {
  if (!held) failed += 1
  console.log(`${held ? 'held' : 'FAILED'}: ${text}`)
}

async function provePlantedBugs(url: string): Promise<void> {
  const clean = await inScratch(url, (db) => catchBug(db, {}))
  report(clean === null, `no bug planted: nothing is caught${clean ? `, but ${clean}` : ''}`)
  const calm = await inScratch(url, (db) => catchBug(db, { parallel: true }))
  report(calm === null, `no bug planted, in parallel: nothing is caught${calm ? ` (${calm})` : ''}`)
  for (const planted of plantedBugs) {
    const caught = await inScratch(url, async (db) => {
      await plantBug(db, planted)
      return catchBug(db, planted)
    })
    const words = caught ? `caught by ${caught.slice(0, 160)}` : 'NOT CAUGHT'
    report(caught !== null, `planted: ${planted.bug}: ${words}`)
  }
}

async function proveParallel(url: string): Promise<void> {
  await inScratch(url, async (db) => {
    const at = Date.UTC(2026, 0, 10)
    const account = randomUUID()
    await openAccounts(db, [account])
    await execute(db, { op: 'grant', account, at })
    const holds = Array.from({ length: 200 }, () =>
      execute(db, { op: 'hold', account, job: randomUUID(), amount: 130_000, at }),
    )
    const placed = (await Promise.all(holds)).filter((outcome) => outcome.ok).length
    const { heldMicros } = await readBalance(db, { accountId: account, now: new Date(at) })
    const text = `200 parallel holds of $0.13 on $5: ${placed} placed, $${heldMicros / 1e6} held`
    report(placed === 38 && heldMicros === 38 * 130_000, text)

    const accounts = Array.from({ length: 25 }, randomUUID)
    await openAccounts(db, accounts)
    const requests = Array.from({ length: 500 }, (_, n) => {
      const to = accounts[n % accounts.length] ?? ''
      const send = () =>
        execute(db, { op: 'adjust', account: to, ref: `key-${n}`, amount: 1_000 + n, at })
      return Promise.all([send(), send(), send(), send(), send()])
    })
    const answers = await Promise.all(requests)
    const same = answers.filter((five) => new Set(five.map((a) => JSON.stringify(a))).size === 1)
    const sums = await Promise.all(
      accounts.map((accountId) => readBalance(db, { accountId, now: new Date(at) })),
    )
    const total = sums.reduce((sum, balance) => sum + balance.availableMicros, 0)
    const expected = 500 * 1_000 + (499 * 500) / 2
    report(
      same.length === 500 && total === expected,
      `500 ledger keys, each sent 5 times in parallel (test/journeys/house.test.ts does so by HTTP): ` +
        `${same.length} with one answer, ` +
        `credited ${total} of ${expected} micro-dollars`,
    )
  })
}

async function proveCalendar(url: string): Promise<void> {
  await inScratch(url, async (db) => {
    const begun = performance.now()
    const done = await runCalendar(db, settings)
    const seconds = ((performance.now() - begun) / 1000).toFixed(0)
    report(
      done.violations.length === 0,
      `${settings.days} days × ${settings.accounts} accounts: ${done.operations} operations, ` +
        `${done.grants} grants, ${done.heldAcrossMonths} holds across the end of a month, ` +
        `${done.violations.length} violations (${seconds} s)`,
    )
    for (const violation of done.violations.slice(0, 10)) console.log(`  ${violation}`)
  })
}

async function proveCrashes(): Promise<void> {
  const { lanes } = settings
  const operationsEach = Math.ceil(settings.operations / lanes)
  const stream = { seed: 'prove', lanes, accounts: 25, operationsEach }
  const calm = await runStream({ ...stream, dir: join(root, 'calm'), kills: 0 })
  report(
    calm.differences.length === 0,
    `${lanes * operationsEach} random operations: ${calm.transactions} transactions, ` +
      `${calm.entries} entries, ${calm.differences.length} violations (${calm.seconds.toFixed(0)} s)`,
  )
  for (const difference of calm.differences.slice(0, 10)) console.log(`  ${difference}`)
  const rough = await runStream({ ...stream, dir: join(root, 'rough'), kills: settings.kills })
  const { client, session, database } = rough.kills
  report(
    rough.differences.length === 0 && client + session + database >= settings.kills,
    `the same with ${client + session + database} kill -9 (client ${client}, database session ` +
      `${session}, database ${database}): ${rough.differences.length} violations ` +
      `(${rough.seconds.toFixed(0)} s)`,
  )
  for (const difference of rough.differences.slice(0, 10)) console.log(`  ${difference}`)
  report(calm.hash === rough.hash, `full-state hash ${calm.hash} and ${rough.hash}`)
}

async function proveAllReversals(url: string): Promise<void> {
  process.env.TEST_DATABASE_URL = url
  for (const planted of plantedInReversals) {
    const seed = `planted ${planted.bug}`
    const caught = await proveReversals({ seed, sequences: sequencesWithABug, planted }).then(
      ({ differences }) => differences[0],
      (error: unknown) => String(error),
    )
    const words = caught ? `caught: ${caught.slice(0, 160)}` : 'NOT CAUGHT'
    report(caught !== undefined, `planted: ${planted.bug}: ${words}`)
  }
  const begun = performance.now()
  let sequences = 0
  let deliveries = 0
  const differences: string[] = []
  for (let house = 0; sequences < settings.sequences; house++) {
    const left = settings.sequences - sequences
    const wanted = Math.min(sequencesInAHouse, left)
    const proof = await proveReversals({ seed: `house ${house}`, sequences: wanted })
    sequences += proof.sequences
    deliveries += proof.deliveries
    differences.push(...proof.differences)
    console.log(`  ${sequences} sequences, ${differences.length} differences so far`)
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  report(
    differences.length === 0,
    `${sequences} random sequences of refunds and disputes, ${deliveries} events delivered in ` +
      `random order with repeats: ${differences.length} differences from the model, the ledger's ` +
      `check and the provider's balance (${seconds} s)`,
  )
  for (const difference of differences.slice(0, 10)) console.log(`  ${difference}`)
}

/** A fresh, migrated database that is dropped afterwards. */
async function inScratch<T>(url: string, use: (db: Db) => Promise<T>): Promise<T> {
  const name = `scratch_${(scratches += 1)}`
  const scratch = new URL(url)
  await administer(scratch, `create database ${name}`)
  scratch.pathname = `/${name}`
  await migrate(scratch.href)
  const opened = openDatabase(scratch.href, { maxConnections: 40 })
  try {
    return await use(opened.db)
  } finally {
    await opened.close()
    await administer(scratch, `drop database ${name} with (force)`)
  }
}

async function administer(url: URL, statement: string): Promise<void> {
  const admin = new URL(url)
  admin.pathname = '/postgres'
  const client = new Client({ connectionString: admin.href })
  await client.connect()
  await client.query(statement)
  await client.end()
}
