import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { until } from '../../test/support/until.ts'
import { openDatabase } from './open.ts'
import type { OpenDatabase } from './open.ts'
import { inShareOf } from './connection-share.ts'

let database: TestDatabase
let opened: OpenDatabase
before(async () => {
  database = await openTestDatabase()
  opened = openDatabase(database.url, { maxConnections: 8 })
})
after(async () => {
  await opened.close()
  await database.close()
})

test('requests of one account that wait for each other leave connections to the others', async () => {
  const { db, pool } = opened
  const holder = await database.pool.connect()
  await holder.query('select pg_advisory_lock(1)')
  const crowd = Array.from({ length: 20 }, () =>
    inShareOf('crowd', () => sql`select pg_advisory_xact_lock(1)`.execute(db)),
  )
  await until(() => pool.totalCount - pool.idleCount >= 2)
  const { rows } = await inShareOf('other', () => sql<{ one: number }>`select 1 as one`.execute(db))
  assert.deepEqual(rows, [{ one: 1 }])
  assert.equal(pool.totalCount - pool.idleCount, 2, 'a quarter of eight')
  await holder.query('select pg_advisory_unlock(1)')
  holder.release()
  // Everybody comes to their turn.
  await Promise.all(crowd)
  assert.equal(pool.totalCount - pool.idleCount, 0)
})

test('a transaction that needs a second connection gets it beyond the share', async () => {
  const { db } = opened
  const both = Array.from({ length: 3 }, () =>
    inShareOf('nested', () =>
      db.transaction().execute(async (trx) => {
        await sql`select 1`.execute(trx)
        await sql`select 1`.execute(db)
      }),
    ),
  )
  await Promise.all(both)
})

test('transactions that all need a second connection do not wait for each other', async () => {
  const { db } = opened
  let inside = 0
  const crowd = Array.from({ length: 12 }, (_, index) =>
    inShareOf(`nested ${index}`, () =>
      db.transaction().execute(async (trx) => {
        await sql`select 1`.execute(trx)
        inside += 1
        await until(() => inside >= 6)
        await sql`select 1`.execute(db)
      }),
    ),
  )
  await Promise.all(crowd)
})

test('a query that fails gives its connection back', async () => {
  const { db } = opened
  for (let tries = 0; tries < 5; tries += 1) {
    const failing = inShareOf('failing', () => sql`select nothing from nowhere`.execute(db))
    await assert.rejects(failing, /nowhere/)
  }
  await inShareOf('failing', () => sql`select 1`.execute(db))
})
