/**
 * Figures of the processes, and those that the database knows of the whole product, for
 * `/metrics` (Prometheus' text form) and the status page. No account, name or address is in it.
 */
import { statfs } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Context } from '../ground/context.ts'
import { registry } from '../ground/count-requests.ts'

export interface Figures {
  jobsWaiting: number
  oldestWaitingSeconds: number
  jobsRunning: number
  jobsEndedInHour: number
  jobsFailedInHour: number
  mailsWaiting: number
  oldestMailSeconds: number
  mailsDead: number
  webhooksWaiting: number
  oldestWebhookSeconds: number
  /** Delay of the first try to a webhook that answers; retries add pauses of their own. */
  lateWebhookSeconds: number
  paymentEventsDead: number
  /** Null: the books have never been compared. */
  ledgerCheckAgeSeconds: number | null
}

let hasDefaults = false

export async function readFigures(ctx: Context): Promise<Figures> {
  const now = ctx.now()
  const hourAgo = new Date(now.getTime() - 3_600_000)
  const { rows } = await sql<Figures>`
    select
      (select count(*) from jobs where status = 'queued')
        as "jobsWaiting",
      coalesce((select extract(epoch from ${now} - min(created_at)) from jobs
        where status = 'queued'), 0)::float8 as "oldestWaitingSeconds",
      (select count(*) from jobs where finished_at is null and status in ('processing', 'running'))
        as "jobsRunning",
      (select count(*) from jobs where finished_at > ${hourAgo}) as "jobsEndedInHour",
      (select count(*) from jobs where finished_at > ${hourAgo} and status = 'failed')
        as "jobsFailedInHour",
      (select count(*) from mails where outcome is null) as "mailsWaiting",
      coalesce((select extract(epoch from ${now} - min(created_at)) from mails
        where outcome is null), 0)::float8 as "oldestMailSeconds",
      (select count(*) from mails where outcome = 'dead') as "mailsDead",
      (select count(*) from webhook_deliveries where state = 'waiting') as "webhooksWaiting",
      coalesce((select extract(epoch from ${now} - min(created_at)) from webhook_deliveries
        where state = 'waiting'), 0)::float8 as "oldestWebhookSeconds",
      coalesce((select greatest(0, extract(epoch from ${now} - min(d.next_at)))
        from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id
        where d.state = 'waiting' and w.enabled and w.failing_since is null
          and not exists (
            select from webhook_deliveries o
            where o.endpoint_id = d.endpoint_id and o.object_id = d.object_id
              and o.state = 'waiting' and o.seq < d.seq
          )), 0)::float8 as "lateWebhookSeconds",
      (select count(*) from payment_events where dead_at is not null) as "paymentEventsDead",
      (select extract(epoch from ${now} - max(completed_on)) from pgboss.job
        where name = 'compare-books' and state = 'completed')::float8 as "ledgerCheckAgeSeconds"
  `.execute(ctx.db)
  const figures = rows[0]
  if (!figures) throw new Error('The figures answered nothing.')
  return figures
}

/** The whole text; figures of the database are asked for again each time. */
export async function describeMetrics(ctx: Context): Promise<string> {
  if (!hasDefaults) collectDefaults()
  const own = new Registry()
  const gauge = (name: string, help: string, value: number | null): void => {
    if (value === null) return
    new Gauge({ name: `cutindex_${name}`, help, registers: [own] }).set(value)
  }
  const figures = await readFigures(ctx)
  gauge('jobs_waiting', 'Jobs that wait for a worker.', figures.jobsWaiting)
  gauge('jobs_oldest_waiting_seconds', 'Age of the oldest of them.', figures.oldestWaitingSeconds)
  gauge('jobs_running', 'Jobs that a worker holds.', figures.jobsRunning)
  gauge('mail_waiting', 'E-mails to send.', figures.mailsWaiting)
  gauge('mail_oldest_seconds', 'Age of the oldest of them.', figures.oldestMailSeconds)
  gauge('mail_dead', 'E-mails that were set aside.', figures.mailsDead)
  gauge('webhooks_waiting', 'Webhook deliveries to make.', figures.webhooksWaiting)
  gauge('webhooks_oldest_seconds', 'Age of the oldest of them.', figures.oldestWebhookSeconds)
  const { lateWebhookSeconds: late } = figures
  gauge('webhooks_late_seconds', 'How late the first due one to a working webhook is.', late)
  gauge('payment_events_dead', 'Payment events that were set aside.', figures.paymentEventsDead)
  const bookAge = figures.ledgerCheckAgeSeconds
  gauge('ledger_check_age_seconds', 'Since the books were last compared.', bookAge)
  gauge('storage_free_bytes', 'Free room where files are kept.', await freeBytes(ctx))
  await addWork(ctx, own)
  return `${await registry.metrics()}\n${await own.metrics()}`
}

/** Leaves out the sums of other gauges that are named as counters: `promtool` refuses them. */
function collectDefaults(): void {
  collectDefaultMetrics({ register: registry, prefix: 'cutindex_' })
  for (const noun of ['handles', 'requests', 'resources']) {
    registry.removeSingleMetric(`cutindex_nodejs_active_${noun}_total`)
  }
  hasDefaults = true
}

/** Null for a store without a disk of this machine. */
async function freeBytes(ctx: Context): Promise<number | null> {
  const { storageUrl } = ctx.config
  if (!storageUrl.startsWith('file:')) return null
  const { bavail, bsize } = await statfs(fileURLToPath(storageUrl))
  return bavail * bsize
}

/** Work of the last hour, by extractor and by cause of failure, and the queue of tasks. */
async function addWork(ctx: Context, own: Registry): Promise<void> {
  const hourAgo = new Date(ctx.now().getTime() - 3_600_000)
  const extractors = new Gauge({
    name: 'cutindex_extractors_hour',
    help: 'Extractors of jobs that ended in the last hour.',
    labelNames: ['extractor', 'status'],
    registers: [own],
  })
  const seconds = new Gauge({
    name: 'cutindex_extractor_media_seconds_hour',
    help: 'Seconds of media that they analysed.',
    labelNames: ['extractor'],
    registers: [own],
  })
  const work = await ctx.db
    .selectFrom('job_extractors as e')
    .innerJoin('jobs as j', 'j.id', 'e.job_id')
    .select(['e.extractor', 'e.status'])
    .select((row) => [
      row.fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(e.seconds), 0)::float8`.as('seconds'),
    ])
    .where('j.finished_at', '>', hourAgo)
    .groupBy(['e.extractor', 'e.status'])
    .execute()
  for (const row of work) {
    extractors.set({ extractor: row.extractor, status: row.status }, row.count)
    if (row.status === 'done') seconds.set({ extractor: row.extractor }, row.seconds)
  }
  const failures = new Gauge({
    name: 'cutindex_jobs_failed_hour',
    help: 'Jobs that failed in the last hour, by code.',
    labelNames: ['code'],
    registers: [own],
  })
  const failed = await ctx.db
    .selectFrom('jobs')
    .select('error_code')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('finished_at', '>', hourAgo)
    .where('status', '=', 'failed')
    .groupBy('error_code')
    .execute()
  for (const row of failed) failures.set({ code: row.error_code ?? 'unknown' }, row.count)
  const tasks = new Gauge({
    name: 'cutindex_tasks_waiting',
    help: 'Background tasks that wait or are tried again, by queue.',
    labelNames: ['queue'],
    registers: [own],
  })
  const ages = new Gauge({
    name: 'cutindex_tasks_oldest_seconds',
    help: 'How long the oldest of them is due.',
    labelNames: ['queue'],
    registers: [own],
  })
  const { rows } = await sql<{ name: string; count: number; age: number }>`
    select name, count(*) as count, extract(epoch from now() - min(start_after))::float8 as age
    from pgboss.job where state in ('created', 'retry') and start_after <= now()
    group by name`.execute(ctx.db)
  for (const row of rows) {
    tasks.set({ queue: row.name }, row.count)
    ages.set({ queue: row.name }, row.age)
  }
}
