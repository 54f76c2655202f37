/**
 * A fresh, migrated database for one test file. One PostgreSQL serves the whole run when
 * TEST_DATABASE_URL names it (scripts/test.ts does), and each file gets a copy of its template; a
 * file run alone starts its own server and migrates.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startEmbeddedPostgres } from '../../server/db/embedded.ts'
import { migrate } from '../../server/db/migrate.ts'
import { openDatabase } from '../../server/db/open.ts'
import { openQueue } from '../../server/db/queue.ts'
import { openLog } from '../../server/ground/log.ts'
import { queues } from '../../server/tasks.ts'
import type { OpenDatabase } from '../../server/db/open.ts'

export interface TestDatabase extends OpenDatabase, AsyncDisposable {
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
  const template = process.env.TEST_DATABASE_TEMPLATE
  // Copying files takes a third of the time that copying them through the log does.
  const source = template ? ` template ${template} strategy file_copy` : ''
  await administer(url, `create database ${name}${source}`)
  url.pathname = `/${name}`
  if (!template) await migrate(url.href)
  const opened = openDatabase(url.href, {
    maxConnections: options?.maxConnections ?? 10,
    // Tests break connections on purpose.
    log: { error: () => undefined },
  })
  const close = async (): Promise<void> => {
    await opened.close()
    // The shared server goes with its folder. A file system looks long for a place among hundreds
    // of files that were just deleted, which would cost the next database half a second.
    await own?.stop()
  }
  return { ...opened, url: url.href, close, [Symbol.asyncDispose]: close }
}

/** Makes a database with every table and queue that others are copied from; returns its name. */
export async function prepareTemplate(server: string): Promise<string> {
  const name = 'test_template'
  const url = new URL(server)
  await administer(url, `create database ${name}`)
  url.pathname = `/${name}`
  await migrate(url.href)
  const log = openLog('worker', 'warn')
  const queue = await openQueue({ databaseUrl: url.href, log, role: 'sender', queues })
  await queue.stop()
  await administer(url, `alter database ${name} with allow_connections false is_template true`)
  return name
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
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
