/**
 * PostgreSQL does not answer: it is stopped, starting, full, or beyond a connection that broke.
 * The last statement may have taken effect, so this is no refusal.
 */
import { DatabaseError } from 'pg'
import type { PoolClient } from 'pg'

export class DatabaseAway extends Error {}

/** Connection failures, a server that stops or starts, too many connections. */
const awayState = /^(08...|57P0[123]|53300)$/
const brokenConnection = /^(Connection terminated|timeout exceeded|Client has encountered)/

/** Converts an error of a connection or query to this one if the database was unreachable. */
export function awayOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code = '' } = error as NodeJS.ErrnoException
  const isAway =
    error instanceof DatabaseError
      ? awayState.test(code)
      : /^E(?!RR_)[A-Z_]+$/.test(code) || brokenConnection.test(error.message)
  return isAway ? new DatabaseAway('The database does not answer.', { cause: error }) : error
}

/** Makes the queries of a new connection say so. */
export function reportAway(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const reporting = (...args: unknown[]): unknown => {
    const answer = query(...args)
    if (!(answer instanceof Promise)) return answer
    return answer.catch((error: unknown) => {
      throw awayOf(error)
    })
  }
  client.query = reporting as typeof client.query
}
