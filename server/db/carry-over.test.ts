/** Carries a seeded database of the last version before 1.0.0 over; its data keep their values. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Pool } from 'pg'
import { openTestDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { checkLedger } from '../billing/check.ts'
import { migrate } from './migrate.ts'

/** The migrations up to 0188, `ledger.sql` of then, and the rows that `npm run seed` had made. */
const old = gunzipSync(
  readFileSync(join(import.meta.dirname, '../../test/support/before-1.0.0.sql.gz')),
).toString()

let fresh: TestDatabase
let carried: TestDatabase

before(async () => {
  fresh = await openTestDatabase()
  carried = await openOld()
})
after(async () => {
  await fresh.close()
  await carried.close()
})

test('a seeded database of the last version before 1.0.0 becomes one of this version', async () => {
  await migrate(carried.url)
  assert.deepEqual(await describeSchema(carried.pool), await describeSchema(fresh.pool))
  assert.deepEqual(await readMigrations(carried.pool), await readMigrations(fresh.pool))
  assert.deepEqual(await migrate(carried.url), [], 'a second start changes nothing')
})

test('money, jobs and cuts of a database that was carried over are as they were', async () => {
  const count = async (sql: string): Promise<unknown> =>
    (await carried.pool.query<{ value: unknown }>(`select ${sql} as value`)).rows[0]?.value
  assert.equal(await count(`(select sum(available_micros) from ledger_wallets)::text`), '24178000')
  assert.equal(await count(`(select string_agg(number, ',') from invoices)`), 'CI-2026-000001')
  assert.equal(
    await count(`(select string_agg(status, ',' order by seq) from jobs)`),
    'completed,completed,failed,canceled,queued,completed,queued',
  )
  assert.equal(await count(`(select document->>'name' from cut_versions)`), 'First cut')
  assert.equal(await count(`(select text from shared_comments where cut_id is not null)`), 'Nice')
  assert.equal(
    await count(`(select item_count from project_items where project_id is not null)`),
    1,
  )
  assert.deepEqual((await checkLedger(carried.db)).differences, [])
})

test('a database of an older version is refused with the way on', async () => {
  const older = await openOld()
  try {
    await older.pool.query(`delete from migrations where name = '0188_ended_holds.sql'`)
    await assert.rejects(migrate(older.url), /Start the version whose last migration is 0188_/)
  } finally {
    await older.close()
  }
})

async function openOld(): Promise<TestDatabase> {
  const database = await openTestDatabase()
  await database.pool.query('drop schema public cascade; create schema public')
  await database.pool.query(old)
  return database
}

async function readMigrations(pool: Pool): Promise<unknown[]> {
  return (await pool.query('select name, sha256 from migrations order by name')).rows
}

/** Every column, constraint, index, view, function and trigger; comments in functions aside. */
async function describeSchema(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(`
    select concat_ws(' ', c.relname, attname, format_type(atttypid, atttypmod), attnotnull,
      attidentity, attgenerated, pg_get_expr(adbin, adrelid), c.reloptions, c.relacl) as line
    from pg_attribute a join pg_class c on c.oid = attrelid
    left join pg_attrdef d on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') and attnum > 0
      and not attisdropped
    union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'public'::regnamespace
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select concat_ws(' ', viewname, definition) from pg_views where schemaname = 'public'
    union all select regexp_replace(pg_get_functiondef(p.oid), '\\s*--[^\\n]*', '', 'g')
    from pg_proc p where pronamespace = 'public'::regnamespace and prokind = 'f'
      and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
    union all select concat_ws(' ', pg_get_triggerdef(oid), tgenabled) from pg_trigger
    where not tgisinternal order by line`)
  return rows.map(({ line }) => line)
}
