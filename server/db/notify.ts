/**
 * Signals between processes, over PostgreSQL's NOTIFY: sent when the caller's transaction commits,
 * heard by every process that listens. Changes of an account have a channel for each account, so
 * that only processes whose clients watch it hear them. A signal may get lost with a connection, so
 * it only says "look again"; what is true stands in the tables.
 */
import { sql } from 'kysely'
import { Client } from 'pg'
import type { Logger } from 'pino'
import type { Db } from '../ground/database.ts'

export interface Signals {
  /** A job or the balance of an account has changed. */
  account_changed: {
    accountId: string
    jobId?: string
    batchId?: string
    balance?: true
    deleted?: true
  }
  /** A job waits for a worker. */
  job_waiting: Record<string, never>
  /** A job was taken away from its worker. */
  job_taken: { jobId: string }
}

export async function notify<C extends keyof Signals>(
  db: Db,
  channel: C,
  signal: Signals[C],
): Promise<void> {
  const name = 'accountId' in signal ? accountChannel(signal.accountId) : channel
  await sql`select pg_notify(${name}, ${JSON.stringify(signal)})`.execute(db)
}

function accountChannel(accountId: string): string {
  return `account_changed:${accountId}`
}

type Handlers = { [C in keyof Signals]?: (signal: Signals[C]) => void }

export interface Listener {
  /** Starts to receive the changes of this account. */
  follow(accountId: string): Promise<void>
  unfollow(accountId: string): Promise<void>
  /** Sends a statement over the connection that listens, which is open anyway. */
  ask<Row>(text: string, values: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

const reconnectMs = 1000

/** Listens on its own connection until closed; `onReconnect` reports that signals were missed. */
export async function listen(
  databaseUrl: string,
  handlers: Handlers,
  options: { log: Logger; onReconnect?: () => void },
): Promise<Listener> {
  let client: Client | null = null
  let isClosed = false
  const followed = new Set<string>()
  const connect = async (): Promise<void> => {
    const next = new Client({ connectionString: databaseUrl, keepAlive: true })
    next.on('error', (error) => options.log.warn({ err: error }, 'listening failed'))
    next.on('end', () => {
      if (!isClosed && client === next) void reconnect()
    })
    next.on('notification', ({ channel, payload }) => {
      const name = channel.split(':')[0] as keyof Signals
      const handler = handlers[name] as ((signal: unknown) => void) | undefined
      handler?.(JSON.parse(payload ?? '{}'))
    })
    await next.connect()
    const channels = Object.keys(handlers).filter((name) => name !== 'account_changed')
    for (const name of [...channels, ...[...followed].map(accountChannel)]) {
      await next.query(`listen "${name}"`)
    }
    client = next
  }
  const reconnect = async (): Promise<void> => {
    for (let failures = 0; !isClosed; failures += 1) {
      try {
        await connect()
        options.onReconnect?.()
        return
      } catch (error) {
        // Once a minute: a database may be away for long.
        if (failures % 60 === 0) options.log.warn({ err: error, failures }, 'not listening')
        await new Promise((resolve) => {
          setTimeout(resolve, reconnectMs)
        })
      }
    }
  }
  // While disconnected, the set records what the next connection will listen to.
  const tell = async (statement: string): Promise<void> => {
    await client?.query(statement).catch((error: unknown) => {
      options.log.warn({ err: error }, 'listening failed')
    })
  }
  await connect()
  return {
    async follow(accountId) {
      followed.add(accountId)
      await tell(`listen "${accountChannel(accountId)}"`)
    },
    async unfollow(accountId) {
      followed.delete(accountId)
      await tell(`unlisten "${accountChannel(accountId)}"`)
    },
    async ask<Row>(text: string, values: unknown[]) {
      if (!client) throw new Error('The connection that listens is not open.')
      const { rows } = await client.query(text, values)
      return rows as Row[]
    },
    async close() {
      isClosed = true
      await client?.end()
    },
  }
}
