/**
 * Statements that many requests send: a connection parses each once, and PostgreSQL may keep its
 * plan. They name their columns, since a plan does not outlive a change of `select *`.
 */
import { CompiledQuery } from 'kysely'
import type { Compilable, Kysely } from 'kysely'
import type { PoolClient } from 'pg'
import type { Tables } from './tables.ts'

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

/** Stands for a value while a query is built. */
class StandIn {
  readonly key: string
  constructor(key: string) {
    this.key = key
  }
}

/** A query that the builder makes once, with stand-ins for its values. */
export function prepareBuilt<Values extends object, Row>(
  name: string,
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const standIns = new Proxy({}, { get: (_, key) => new StandIn(String(key)) }) as Values
  let run: ReturnType<typeof prepare<Row>> | undefined
  let parameters: readonly unknown[] = []
  return (db, values) => {
    if (!run) {
      const compiled = build(db, standIns).compile()
      parameters = compiled.parameters
      run = prepare<Row>(name, compiled.sql)
    }
    const valueOf = (parameter: unknown): unknown =>
      parameter instanceof StandIn ? values[parameter.key as keyof Values] : parameter
    return run(db, parameters.map(valueOf))
  }
}

/** Makes a new connection send the statements above by their names. */
export function keepPrepared(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const named = (...args: unknown[]): unknown => {
    const [text, values] = args
    const name = typeof text === 'string' && args.length === 2 ? names.get(text) : undefined
    return name === undefined ? query(...args) : query({ name, text, values })
  }
  client.query = named as typeof client.query
}
