/**
 * A fresh, migrated database for one test file. One PostgreSQL serves the whole run when
 * TEST_DATABASE_URL names it (scripts/test.ts does); a file run alone starts its own.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startEmbeddedPostgres } from '../../server/db/embedded.ts'
import { migrate } from '../../server/db/migrate.ts'
import { openDatabase } from '../../server/db/open.ts'
import type { OpenDatabase } from '../../server/db/open.ts'

export interface TestDatabase extends OpenDatabase {
  url: string
}

/** Call in a `before` hook and `close` in `after`. */
export async function openTestDatabase(options?: {
  maxConnections?: number
}): Promise<TestDatabase> {
  const shared = process.env.TEST_DATABASE_URL
  const own = shared ? null : await startOwn()
  const url = new URL(shared ?? own?.url ?? '')
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(url, `create database ${name}`)
  url.pathname = `/${name}`
  await migrate(url.href)
  const opened = openDatabase(url.href, { maxConnections: options?.maxConnections ?? 10 })
  return {
    ...opened,
    url: url.href,
    async close() {
      await opened.close()
      await administer(url, `drop database if exists ${name} with (force)`)
      await own?.stop()
    },
  }
}

async function startOwn(): Promise<{ url: string; stop(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'cutindex-test-'))
  const postgres = await startEmbeddedPostgres({
    dir,
    durable: false,
    maxConnections: 300,
    mayCreateDatabases: true,
  })
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop()
      await rm(dir, { recursive: true, force: true })
    },
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
