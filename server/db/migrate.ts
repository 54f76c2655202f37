/**
 * Runs each numbered .sql file once, in order, under an advisory lock; then the files of functions,
 * which only replace what they define, each whenever its text has changed.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { ConfigError } from '../ground/config.ts'

const directory = join(import.meta.dirname, 'migrations')
/** By the name under which `migrations` remembers the text that was applied last. */
const functionFiles: Record<string, string> = {
  'ledger.sql': join(import.meta.dirname, '../billing/ledger.sql'),
}
const lockKey = 7_265_190_441

export async function migrate(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url })
  await client.connect().catch((error: { code?: string }) => {
    // The message may hold the address with its password; the code says enough.
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
    const rows = await client.query<{ name: string; sha256: string }>(
      'select name, sha256 from migrations',
    )
    const applied = new Map(rows.rows.map((row) => [row.name, row.sha256]))
    const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
    refuseNewer([...applied.keys()], [...names, ...Object.keys(functionFiles)])
    const run: string[] = []
    for (const name of names) {
      const text = await readFile(join(directory, name), 'utf8')
      const sha256 = createHash('sha256').update(text).digest('hex')
      const before = applied.get(name)
      if (before === sha256) continue
      if (before) throw new Error(`Migration ${name} was changed after it had been applied.`)
      await apply(client, { name, sha256, text })
      run.push(name)
    }
    for (const [name, file] of Object.entries(functionFiles)) {
      const text = await readFile(file, 'utf8')
      const sha256 = createHash('sha256').update(text).digest('hex')
      if (applied.get(name) === sha256) continue
      await apply(client, { name, sha256, text })
      run.push(name)
    }
    return run
  } finally {
    await client.end()
  }
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

async function apply(
  client: Client,
  migration: { name: string; sha256: string; text: string },
): Promise<void> {
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
