/** pg-boss in our own PostgreSQL: tasks are enqueued inside the caller's transaction. */
import type { Transaction } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Queue as QueueSettings, SendOptions } from 'pg-boss'
import type { Logger } from 'pino'
import { maxIdleInTransactionMs } from './open.ts'
import type { Tables } from './tables.ts'

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

/** A queue by name, and when it runs by itself. */
export interface QueueDefinition extends QueueSettings {
  cron?: string
}

/** Its own statements are short, except for the upkeep of long queues. */
const maxStatementMs = 60_000

export async function openQueue(options: {
  databaseUrl: string
  log: Logger
  /** Only workers run maintenance and schedules. */
  role: 'sender' | 'worker'
  queues: readonly QueueDefinition[]
}): Promise<Queue> {
  const working = options.role === 'worker'
  const boss = new PgBoss({
    connectionString: options.databaseUrl,
    max: working ? 6 : 3,
    options: `-c statement_timeout=${maxStatementMs} -c idle_in_transaction_session_timeout=${maxIdleInTransactionMs}`,
    supervise: working,
    schedule: working,
    superviseIntervalSeconds: 10,
  })
  boss.on('error', (error) => options.log.error({ err: error }, 'queue error'))
  await boss.start()
  await createMissing(boss, options.queues)
  if (working) await removeOldSchedules(boss, options.queues)
  return {
    boss,
    send(name, data, { trx, ...rest } = {}) {
      return boss.send(name, data, trx ? { ...rest, db: fromKysely(trx) } : rest)
    },
    stop: () => boss.stop({ graceful: true, timeout: 8000, close: true }),
  }
}

/** Asks for all queues at once: one by one they cost every start some twenty round trips. */
async function createMissing(boss: PgBoss, queues: readonly QueueDefinition[]): Promise<void> {
  const [known, schedules] = await Promise.all([boss.getQueues(), boss.getSchedules()])
  const names = new Set(known.map(({ name }) => name))
  const crons = new Map(schedules.map(({ name, cron }) => [name, cron]))
  for (const { name, cron, ...settings } of queues) {
    if (!names.has(name)) await boss.createQueue(name, settings)
    if (cron && crons.get(name) !== cron) await boss.schedule(name, cron, null, { tz: 'UTC' })
  }
}

/** A task that a new version no longer has would be queued forever. */
async function removeOldSchedules(boss: PgBoss, queues: readonly QueueDefinition[]): Promise<void> {
  const names = new Set(queues.map(({ name }) => name))
  for (const { name } of await boss.getSchedules()) {
    if (names.has(name)) continue
    await boss.unschedule(name)
    await boss.deleteQueue(name)
  }
}
