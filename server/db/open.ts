import { Kysely, PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

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

export function openDatabase(url: string, options: { maxConnections: number }): OpenDatabase {
  const pool = new Pool({
    connectionString: url,
    max: options.maxConnections,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    // A process that freezes inside a transaction must not keep its locks.
    idle_in_transaction_session_timeout: 10_000,
  })
  // A connection that breaks is replaced by the pool, and a query under way rejects. Without these
  // listeners, one that breaks while idle or between two queries would end Node.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { db, pool, close: () => db.destroy() }
}
