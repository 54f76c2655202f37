import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import { openTestDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import type { Tables } from '../ground/generated-tables.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
  await database.pool.query('create table seats (id int primary key, taken int not null)')
  await database.pool.query('insert into seats values (1, 0), (2, 0)')
})
after(() => database.close())

async function take(trx: Transaction<Tables>, id: number): Promise<void> {
  await sql`update seats set taken = taken + 1 where id = ${id}`.execute(trx)
}

function fail(trx: Transaction<Tables>, code: string): Promise<unknown> {
  return sql`do ${sql.raw(`$$ begin raise exception 'met' using errcode = '${code}'; end $$`)}`.execute(
    trx,
  )
}

test('of two transactions that wait for each other both end, each with one effect', async () => {
  const bothHoldOne = Promise.withResolvers<void>()
  let holding = 0
  let runs = 0
  const takeBoth = (first: number, second: number): Promise<void> =>
    database.db.transaction().execute(async (trx) => {
      runs += 1
      await take(trx, first)
      holding += 1
      if (holding === 2) bothHoldOne.resolve()
      await bothHoldOne.promise
      await take(trx, second)
    })
  await Promise.all([takeBoth(1, 2), takeBoth(2, 1)])
  assert.equal(runs, 3)
  const { rows } = await database.pool.query('select taken from seats')
  assert.deepEqual(rows, [{ taken: 2 }, { taken: 2 }])
})

test('changes that cannot be put after another transaction’s are made again', async () => {
  let runs = 0
  const serial = database.db.transaction().setIsolationLevel('repeatable read')
  await serial.execute(async (trx) => {
    runs += 1
    await sql`select taken from seats`.execute(trx)
    if (runs === 1) await database.pool.query('update seats set taken = 10 where id = 1')
    await take(trx, 1)
  })
  assert.equal(runs, 2)
  const { rows } = await database.pool.query('select taken from seats where id = 1')
  assert.deepEqual(rows, [{ taken: 11 }])
})

test('a transaction is tried five times at most, and once after any other failure', async () => {
  for (const [code, tries] of [
    ['40P01', 5],
    ['40001', 5],
    ['23505', 1],
  ] as const) {
    let runs = 0
    const failing = database.db.transaction().execute(async (trx) => {
      runs += 1
      await fail(trx, code)
    })
    await assert.rejects(failing, { code })
    assert.equal(runs, tries, code)
  }
})
