/**
 * Statements that many requests send: a connection parses each once, and PostgreSQL may keep its
 * plan. They name their columns, since a plan does not outlive a change of `select *`.
 */
import { CompiledQuery } from 'kysely'
import type { Kysely } from 'kysely'
import type { PoolClient } from 'pg'
import { outsideShares } from './connection-share.ts'
import type { Tables } from '../ground/generated-tables.ts'

type Db = Kysely<Tables>

const names = new Map<string, string>()

export function prepare<Row>(
  name: string,
  text: string,
): (db: Db, values: readonly unknown[]) => Promise<Row[]> {
  names.set(text, name)
  return async (db, values) => {
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))
    return rows
  }
}

interface Together<Row> {
  values: readonly unknown[]
  waiting: Map<string, { sought: Sought; rows: PromiseWithResolvers<Row[]> }>
}

type Sought = Buffer | string

/**
 * Batches a frequent look-up: all requests of one turn of the event loop become one statement. The
 * last value is the array of sought keys, each returned as `sought` with its row; the other values
 * are those of the first request and equal within a `group`.
 */
export function prepareTogether<Row extends { sought: Sought }>(
  name: string,
  text: string,
): (
  db: Db,
  seek: { sought: Sought; values: readonly unknown[]; group?: string },
) => Promise<Row[]> {
  const open = new WeakMap<Db, Map<string, Together<Row>>>()
  const send = async (db: Db, { values, waiting }: Together<Row>): Promise<void> => {
    const all = [...waiting.values()]
    try {
      const sent = [...values, all.map(({ sought }) => sought)]
      const rows = await sendDirectly<Row>(db, { name, text, values: sent })
      const byKey = Map.groupBy(rows, (row) => keyOf(row.sought))
      for (const [key, call] of waiting) call.rows.resolve(byKey.get(key) ?? [])
    } catch (error) {
      for (const call of all) call.rows.reject(error)
    }
  }
  return (db, { sought, values, group = '' }) => {
    const groups = open.get(db) ?? new Map<string, Together<Row>>()
    open.set(db, groups)
    let together = groups.get(group)
    if (!together) {
      const begun: Together<Row> = { values, waiting: new Map() }
      together = begun
      groups.set(group, begun)
      outsideShares(() =>
        setImmediate(() => {
          groups.delete(group)
          void send(db, begun)
        }),
      )
    }
    const key = keyOf(sought)
    const known = together.waiting.get(key) ?? { sought, rows: Promise.withResolvers<Row[]>() }
    together.waiting.set(key, known)
    return known.rows.promise
  }
}

const connects = new WeakMap<Db, () => Promise<PoolClient>>()

/** Registers how to connect for statements that many requests share. */
export function registerConnect(db: Db, connect: () => Promise<PoolClient>): void {
  connects.set(db, connect)
}

/** Past the query builder, which takes a twentieth of a request's time. */
async function sendDirectly<Row>(
  db: Db,
  statement: { name: string; text: string; values: unknown[] },
): Promise<Row[]> {
  const connect = connects.get(db)
  if (!connect) throw new Error('This database was not opened by openDatabase.')
  const client = await connect()
  try {
    const { rows } = await client.query(statement)
    return rows as Row[]
  } finally {
    client.release()
  }
}

function keyOf(sought: Sought): string {
  return typeof sought === 'string' ? sought : sought.toString('latin1')
}

/** Makes a new connection send the statements above as prepared statements. */
export function keepPrepared(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const named = (...args: unknown[]): unknown => {
    const [text, values] = args
    const name = typeof text === 'string' && args.length === 2 ? names.get(text) : undefined
    return name === undefined ? query(...args) : query({ name, text, values })
  }
  client.query = named as typeof client.query
}
