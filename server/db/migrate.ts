/**
 * Runs each numbered .sql file once, in order, under an advisory lock; then the files of functions,
 * which only replace their own, each whenever its text has changed. A database from before 1.0.0 is
 * carried over first.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { ConfigError } from '../ground/config.ts'
import { carryOver } from './carry-over.ts'

const directory = join(import.meta.dirname, 'migrations')
/** Files by the name under which `migrations` records the text last applied. */
const functionFiles: Record<string, string> = {
  'ledger.sql': join(import.meta.dirname, '../billing/ledger.sql'),
}
const lockKey = 7_265_190_441

export async function migrate(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url })
  await client.connect().catch((error: { code?: string }) => {
    // Only the code is logged: the message may contain the address with its password.
    const why = error.code ?? 'no answer'
    throw new ConfigError(
      `The database cannot be reached (${why}). Check DATABASE_URL, and that PostgreSQL runs.`,
    )
  })
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await client.query(`create table if not exists migrations (
      name text primary key,
      sha256 text not null,
      applied_at timestamptz not null default now()
    )`)
    const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
    const files = await Promise.all(names.map((name) => readMigration(name, join(directory, name))))
    let applied = await readApplied(client)
    const run = await carryOver(client, applied, files)
    if (run.length > 0) applied = await readApplied(client)
    refuseNewer([...applied.keys()], [...names, ...Object.keys(functionFiles)])
    for (const file of files) {
      const before = applied.get(file.name)
      if (before === file.sha256) continue
      if (before) throw new Error(`Migration ${file.name} was changed after it had been applied.`)
      await apply(client, file)
      run.push(file.name)
    }
    for (const [name, file] of Object.entries(functionFiles)) {
      const functions = await readMigration(name, file)
      if (applied.get(name) === functions.sha256) continue
      await apply(client, functions)
      run.push(name)
    }
    return run
  } finally {
    await client.end()
  }
}

interface Migration {
  name: string
  sha256: string
  text: string
}

async function readMigration(name: string, file: string): Promise<Migration> {
  const text = await readFile(file, 'utf8')
  return { name, sha256: createHash('sha256').update(text).digest('hex'), text }
}

async function readApplied(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from migrations',
  )
  return new Map(rows.map((row) => [row.name, row.sha256]))
}

/** An older version would write what the newer one no longer expects. */
function refuseNewer(applied: readonly string[], known: readonly string[]): void {
  const later = applied.filter((name) => !known.includes(name))
  if (later.length === 0) return
  throw new ConfigError(
    `The database was changed by a newer version of CutIndex (${later.join(', ')}). ` +
      'Start that version, or restore the backup that was made before the upgrade.',
  )
}

async function apply(client: Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(migration.text)
    await client.query(
      `insert into migrations (name, sha256) values ($1, $2)
      on conflict (name) do update set sha256 = excluded.sha256, applied_at = now()`,
      [migration.name, migration.sha256],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${migration.name} failed: ${String(error)}`, { cause: error })
  }
}
