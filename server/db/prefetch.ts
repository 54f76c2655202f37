/**
 * Rows that one verb needs with nearly every call: the query that finds out who calls fetches them
 * too, so that the call takes one trip to the database. Without them the verb reads them itself.
 */
import { prepareTogether } from './prepared.ts'
import type { Db } from '../ground/database.ts'
import type { Actor } from '../ground/actor.ts'
import type { Context } from '../ground/context.ts'

export interface Prefetch {
  /** Names one text; queries with the same name and group are sent as one. */
  name: string
  group: string
  columns: string
  /** SQL that joins the rows of an account, given the id as SQL; its values are numbered from 1. */
  join: (account: string) => string
  values: readonly unknown[]
  keep: (actor: Actor, rows: readonly object[]) => void
}

/** Returns the look-up that the call needs; null if it needs another. */
export type Prefetcher = (ctx: Context, query: unknown) => Prefetch | null

export const noPrefetch: Prefetch = {
  name: 'alone',
  group: '',
  columns: '',
  join: () => '',
  values: [],
  keep: () => undefined,
}

interface Credentials {
  name: string
  /** Its hash is `sought`. */
  columns: string
  from: string
  account: string
  expiresAt: string
  hash: string
}

/** Looks credentials up by hash, with the rows of a verb; none for an unknown or expired one. */
export function prepareCredential<Row extends { sought: Buffer }>(
  credential: Credentials,
): (db: Db, look: { sha256: Buffer; now: Date; prefetch: Prefetch }) => Promise<Row[]> {
  const statements = new Map<string, ReturnType<typeof prepareTogether<Row>>>()
  const prepareWith = ({ name, columns, join, values }: Prefetch) =>
    prepareTogether<Row>(
      `${credential.name}_${name}`,
      `select ${credential.columns}${columns ? `, ${columns}` : ''} from ${credential.from}
        ${join(credential.account)}
        where ${credential.expiresAt} > $${values.length + 1}
          and ${credential.hash} = any($${values.length + 2})`,
    )
  return (db, { sha256, now, prefetch }) => {
    const select = statements.get(prefetch.name) ?? prepareWith(prefetch)
    statements.set(prefetch.name, select)
    return select(db, { sought: sha256, values: [...prefetch.values, now], group: prefetch.group })
  }
}
