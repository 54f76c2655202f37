/**
 * Carries a database of the last version before 1.0.0 over to the baseline that replaced its
 * migrations.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { ConfigError } from '../ground/config.ts'

/** A file among the old migrations that no later one shares its name with. */
const oldMigration = '0002_house.sql'
const lastOldMigration = '0188_ended_holds.sql'
const lastOfBaseline = '0021_shares.sql'

/** Returns the names of what ran. `files` are those of the folder, in their order. */
export async function carryOver(
  client: Client,
  applied: ReadonlyMap<string, string>,
  files: readonly { name: string; sha256: string }[],
): Promise<string[]> {
  if (!applied.has(oldMigration)) return []
  const last = [...applied.keys()]
    .filter((name) => /^\d/.test(name))
    .toSorted()
    .at(-1)
  if (last !== lastOldMigration) {
    throw new ConfigError(
      `The database is of a version before 1.0.0 that cannot be carried over (its last migration is ${last}). ` +
        `Start the version whose last migration is ${lastOldMigration} with it once, stop it, and start this one again.`,
    )
  }
  const statements = await readFile(join(import.meta.dirname, 'carry-over.sql'), 'utf8')
  const baseline = files.filter(({ name }) => name <= lastOfBaseline)
  try {
    await client.query('begin')
    await client.query(statements)
    await client.query(`delete from migrations where name <> 'ledger.sql'`)
    await client.query(
      'insert into migrations (name, sha256) select * from unnest($1::text[], $2::text[])',
      [baseline.map(({ name }) => name), baseline.map(({ sha256 }) => sha256)],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`The database could not be carried over: ${String(error)}`, { cause: error })
  }
  return ['carry-over.sql']
}
