/** pg-boss in our own PostgreSQL: tasks are enqueued inside the caller's transaction. */
import { fromKysely, PgBoss } from 'pg-boss'
import type { Queue as QueueSettings } from 'pg-boss'
import type { Logger } from 'pino'
import { maxIdleInTransactionMs } from './open.ts'
import type { Queue } from '../ground/database.ts'

/** A queue by name, and when it runs by itself. */
export interface QueueDefinition extends QueueSettings {
  cron?: string
}

/** Limit for the queue's own statements, which are short except for the upkeep of long queues. */
const maxStatementMs = 60_000

/** A task without a heartbeat for this long has lost its worker. */
const heartbeatSeconds = 15
export const heartbeatRefreshSeconds = 5
const watchSeconds = 5

/**
 * Starts tasks whose worker died at once: the pause before a retry is for those that failed. A
 * death counts as a try, so a task that kills its workers ends too.
 */
const resumeOrphans = `update pgboss.job set start_after = now()
  where state < 'active' and not blocked and state = 'retry' and start_after > now()
    and output #>> '{value,message}' = 'job heartbeat timeout'`

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
    superviseIntervalSeconds: watchSeconds,
    monitorIntervalSeconds: watchSeconds,
  })
  boss.on('error', (error) => options.log.error({ err: error }, 'queue error'))
  await boss.start()
  // Schedules add a queue of pg-boss's own.
  await settle(boss, [...options.queues, ...(working ? [{ name: scheduleQueue }] : [])])
  if (working) await removeOldSchedules(boss, options.queues)
  const watch = working
    ? setInterval(() => void resume(boss, options.log), watchSeconds * 1000)
    : null
  return {
    boss,
    send(name, data, { trx, ...rest } = {}) {
      return boss.send(name, data, trx ? { ...rest, db: fromKysely(trx) } : rest)
    },
    async stop() {
      if (watch) clearInterval(watch)
      await boss.stop({ graceful: true, timeout: 8000, close: true })
    },
  }
}

const scheduleQueue = '__pgboss__send-it'

async function resume(boss: PgBoss, log: Logger): Promise<void> {
  try {
    await boss.getDb().executeSql(resumeOrphans)
  } catch (error) {
    log.warn({ err: error }, 'orphaned tasks not resumed')
  }
}

/**
 * Creates queues, or updates those that an earlier version created. Asks for all at once: one by
 * one they cost every start some twenty round trips.
 */
async function settle(boss: PgBoss, queues: readonly QueueDefinition[]): Promise<void> {
  const [known, schedules] = await Promise.all([boss.getQueues(), boss.getSchedules()])
  const queuesByName = new Map(known.map((queue) => [queue.name, queue]))
  const crons = new Map(schedules.map(({ name, cron }) => [name, cron]))
  for (const { name, cron, policy, ...own } of queues) {
    const settings = { ...own, heartbeatSeconds }
    const old = queuesByName.get(name)
    if (!old) await boss.createQueue(name, policy ? { ...settings, policy } : settings)
    else if (differs(old, settings)) await boss.updateQueue(name, settings)
    if (cron && crons.get(name) !== cron) await boss.schedule(name, cron, null, { tz: 'UTC' })
  }
}

function differs(old: QueueSettings, settings: Partial<QueueSettings>): boolean {
  const names = Object.keys(settings) as (keyof QueueSettings)[]
  return names.some((name) => old[name] !== settings[name])
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
