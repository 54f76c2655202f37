/**
 * Signals between processes, over PostgreSQL's NOTIFY: sent when the caller's transaction commits,
 * heard by every process that listens. A signal may get lost with a connection, so it only says
 * "look again"; what is true stands in the tables.
 */
import { sql } from 'kysely'
import { Client } from 'pg'
import type { Logger } from 'pino'
import type { Db } from './open.ts'

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
  /** A job was taken away from whoever worked on it. */
  job_taken: { jobId: string }
}

export async function notify<C extends keyof Signals>(
  db: Db,
  channel: C,
  signal: Signals[C],
): Promise<void> {
  await sql`select pg_notify(${channel}, ${JSON.stringify(signal)})`.execute(db)
}

type Handlers = { [C in keyof Signals]?: (signal: Signals[C]) => void }

export interface Listener {
  close(): Promise<void>
}

const reconnectMs = 1000

/** Listens on a connection of its own until closed; `onReconnect` tells that signals were missed. */
export async function listen(
  databaseUrl: string,
  handlers: Handlers,
  options: { log: Logger; onReconnect?: () => void },
): Promise<Listener> {
  let client: Client | null = null
  let isClosed = false
  const connect = async (): Promise<void> => {
    const next = new Client({ connectionString: databaseUrl, keepAlive: true })
    next.on('error', (error) => options.log.warn({ err: error }, 'listening failed'))
    next.on('end', () => {
      if (!isClosed && client === next) void reconnect()
    })
    next.on('notification', ({ channel, payload }) => {
      const handler = handlers[channel as keyof Signals] as ((signal: unknown) => void) | undefined
      handler?.(JSON.parse(payload ?? '{}'))
    })
    await next.connect()
    for (const channel of Object.keys(handlers)) await next.query(`listen ${channel}`)
    client = next
  }
  const reconnect = async (): Promise<void> => {
    while (!isClosed) {
      try {
        await connect()
        options.onReconnect?.()
        return
      } catch {
        await new Promise((resolve) => {
          setTimeout(resolve, reconnectMs)
        })
      }
    }
  }
  await connect()
  return {
    async close() {
      isClosed = true
      await client?.end()
    },
  }
}
