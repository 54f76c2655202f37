import { Kysely, PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'
import { reportAway } from './away.ts'
import { createFairConnect } from './connection-share.ts'
import { keepPrepared, registerConnect } from './prepared.ts'
import { retryConflicts } from './retry-conflicts.ts'
import type { Db } from '../ground/database.ts'
import type { Tables } from '../ground/generated-tables.ts'

export interface OpenDatabase {
  db: Db
  pool: Pool
  close(): Promise<void>
}

// bigint columns hold micro-dollars and byte counts, all far below 2^53.
types.setTypeParser(types.builtins.INT8, (text) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint out of range: ${text}`)
  return value
})

// A day or a month has no time and no zone.
types.setTypeParser(types.builtins.DATE, (text) => text)

/** A process that freezes inside a transaction must not keep its locks. */
export const maxIdleInTransactionMs = 10_000

export function openDatabase(
  url: string,
  options: {
    maxConnections: number
    /** Number of connections that stay open when idle. */
    minConnections?: number
    /** A statement that takes longer is ended by the server, whatever became of this process. */
    maxStatementMs?: number
    log?: { error: (details: object, message: string) => void }
  },
): OpenDatabase {
  const log = options.log ?? console
  const pool = new Pool({
    connectionString: url,
    max: options.maxConnections,
    min: options.minConnections ?? 0,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    idle_in_transaction_session_timeout: maxIdleInTransactionMs,
    statement_timeout: options.maxStatementMs ?? 10 * 60_000,
  })
  // A connection that breaks is replaced by the pool, and a query under way rejects. Without these
  // listeners, one that breaks while idle or between two queries would end Node. The pool repeats
  // the error of an idle connection, which its own listener has logged.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', (error) => log.error({ err: error }, 'database connection broke'))
    reportAway(client)
    keepPrepared(client)
  })
  const connect = createFairConnect(pool, options)
  const dialect = new PostgresDialect({
    pool: { connect, end: () => pool.end(), options: pool.options },
  })
  const db = new Kysely<Tables>({ dialect })
  registerConnect(db, connect)
  const begin = db.transaction.bind(db)
  db.transaction = () => retryConflicts(begin())
  return { db, pool, close: () => db.destroy() }
}
