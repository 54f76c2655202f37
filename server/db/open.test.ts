import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { openTestDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { until } from '../../test/support/until.ts'
import { openDatabase } from './open.ts'
import { openQueue } from './queue.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

test('a connection that breaks while idle is logged once and replaced', async () => {
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  const opened = openDatabase(database.url, { maxConnections: 1, log })
  const { pool } = opened
  try {
    const pid = async (): Promise<number> => {
      const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
      return rows[0]?.pid ?? 0
    }
    const broken = await pid()
    await database.pool.query('select pg_terminate_backend($1)', [broken])
    await until(
      async () => lines.length,
      (count) => count > 0,
    )
    assert.notEqual(await pid(), broken)
    assert.equal(lines.length, 1, lines.join(''))
    assert.match(lines[0] ?? '', /"level":50.*database connection broke/)
  } finally {
    await opened.close()
  }
})

test('a statement without end is ended by the server', async () => {
  const opened = openDatabase(database.url, { maxConnections: 1, maxStatementMs: 100 })
  const { pool } = opened
  try {
    await assert.rejects(pool.query('select pg_sleep(60)'), { code: '57014' })
  } finally {
    await opened.close()
  }
})

test('connections of the pool and of the queue have limits on time', async () => {
  const log = pino({ level: 'silent' })
  const opened = openDatabase(database.url, { maxConnections: 1, log })
  const { pool } = opened
  const queue = await openQueue({ databaseUrl: database.url, log, role: 'sender', queues: [] })
  const boss = queue.boss.getDb()
  try {
    const limits = ['statement_timeout', 'idle_in_transaction_session_timeout']
    for (const limit of limits) {
      const own = await pool.query<Record<string, string>>(`show ${limit}`)
      const its = await boss.executeSql(`show ${limit}`)
      assert.match(own.rows[0]?.[limit] ?? '', /^[1-9]\d*(ms|s|min)$/, `pool: ${limit}`)
      assert.match(its.rows[0]?.[limit] ?? '', /^[1-9]\d*(ms|s|min)$/, `queue: ${limit}`)
    }
  } finally {
    await queue.stop()
    await opened.close()
  }
})
