/** The database and the queue of tasks inside it, as verbs see them. */
import type { Kysely, Transaction } from 'kysely'
import type { PgBoss, SendOptions } from 'pg-boss'
import type { Tables } from './generated-tables.ts'

export type Db = Kysely<Tables>

export interface Queue {
  boss: PgBoss
  /** Enqueues a task; with `trx`, only if that transaction commits. */
  send(
    name: string,
    data: object,
    options?: SendOptions & { trx?: Transaction<Tables> },
  ): Promise<string | null>
  stop(): Promise<void>
}
