/** THE table of background tasks: queue, schedule, and the verb that does the work. */
import * as z from 'zod'
import { remindOfFreeCredit } from './billing/remind.ts'
import { expireLots } from './billing/ledger.ts'
import { sweepUploads } from './uploads/retention.ts'
import { deliverDueMail } from './mail/deliver.ts'
import { sendMailQueue } from './mail/queue.ts'
import type { Context } from './ground/context.ts'
import { heartbeatRefreshSeconds, openQueue } from './db/queue.ts'
import type { QueueDefinition } from './db/queue.ts'
import { detachCard, detachCardQueue } from './payments/cards.ts'
import { watchBooks } from './payments/compare-books.ts'
import { reconcilePayments } from './payments/reconcile.ts'
import { autoReloadQueue, runAutoReload } from './payments/auto-reload.ts'
import { dataExportQueue, makeDataExport } from './privacy/data-export.ts'
import { keepRetention, sweepTestObjects } from './privacy/retention.ts'
import { renderQueue, sweepProxies } from './shares/proxies.ts'
import { renderDueProxies } from './shares/render.ts'
import { sweepStore } from './storage/sweep.ts'
import { sendWebhooks, sweepWebhooks } from './webhooks/deliver.ts'
import { webhookQueue } from './webhooks/emit.ts'

interface Task extends QueueDefinition {
  /** How many run at once, one of each group; tasks that wait for strangers need several. */
  atOnce?: number
  run: (ctx: Context, data: unknown) => Promise<unknown>
}

/** Payloads are rows of the queue, which another version may have written. */
const ofAccount = z.object({ accountId: z.string() })
const ofCard = z.object({ paymentMethodId: z.string() })
const ofExport = z.object({ exportId: z.string() })
const ofEndpoint = z.object({ endpointId: z.string() })

export const tasks: readonly Task[] = [
  {
    name: 'retention',
    cron: '17 3 * * *',
    policy: 'singleton',
    retryLimit: 3,
    retryDelay: 60,
    expireInSeconds: 3600,
    run: (ctx) => keepRetention(ctx),
  },
  {
    name: 'sweep-test-objects',
    cron: '*/10 * * * *',
    policy: 'singleton',
    retryLimit: 3,
    retryDelay: 30,
    run: (ctx) => sweepTestObjects(ctx),
  },
  {
    name: 'expire-lots',
    cron: '*/10 * * * *',
    policy: 'singleton',
    retryLimit: 3,
    retryDelay: 30,
    run: (ctx) => expireLots(ctx.db, { now: ctx.now() }),
  },
  {
    name: 'remind-of-free-credit',
    cron: '23 9 * * *',
    policy: 'singleton',
    retryLimit: 3,
    retryDelay: 300,
    run: (ctx) => remindOfFreeCredit(ctx),
  },
  {
    name: 'sweep-uploads',
    cron: '*/10 * * * *',
    policy: 'singleton',
    retryLimit: 3,
    retryDelay: 30,
    run: (ctx) => sweepUploads(ctx),
  },
  {
    name: 'reconcile-payments',
    cron: '* * * * *',
    policy: 'stately',
    retryLimit: 3,
    retryDelay: 30,
    expireInSeconds: 600,
    run: (ctx) => reconcilePayments(ctx),
  },
  {
    name: 'compare-books',
    cron: '41 4 * * *',
    policy: 'singleton',
    retryLimit: 3,
    retryDelay: 300,
    expireInSeconds: 3600,
    run: (ctx) => watchBooks(ctx),
  },
  {
    name: autoReloadQueue,
    // One waiting check for each account is enough, however many ask for it.
    policy: 'short',
    retryLimit: 3,
    retryDelay: 5,
    run: (ctx, data) => runAutoReload(ctx, ofAccount.parse(data).accountId),
  },
  {
    name: detachCardQueue,
    retryLimit: 10,
    retryDelay: 10,
    retryBackoff: true,
    run: (ctx, data) => detachCard(ctx, ofCard.parse(data).paymentMethodId),
  },
  {
    // Each takes along whatever else is due; a failed try waits for the next minute.
    name: sendMailQueue,
    cron: '* * * * *',
    retryLimit: 3,
    retryDelay: 30,
    expireInSeconds: 300,
    run: (ctx) => deliverDueMail(ctx),
  },
  {
    name: dataExportQueue,
    retryLimit: 5,
    retryDelay: 30,
    retryBackoff: true,
    expireInSeconds: 600,
    run: (ctx, data) => makeDataExport(ctx, ofExport.parse(data).exportId),
  },
  {
    name: webhookQueue,
    // The delivery's row is the truth; a task that is lost is made up for by the sweep.
    retryLimit: 2,
    retryDelay: 5,
    expireInSeconds: 120,
    atOnce: 8,
    run: (ctx, data) => sendWebhooks(ctx, ofEndpoint.parse(data).endpointId),
  },
  {
    name: 'sweep-webhooks',
    cron: '* * * * *',
    policy: 'singleton',
    retryLimit: 3,
    retryDelay: 30,
    run: (ctx) => sweepWebhooks(ctx),
  },
  {
    // Each takes along whatever else is due; a task that is lost is made up for by the sweep.
    name: renderQueue,
    policy: 'stately',
    retryLimit: 3,
    retryDelay: 30,
    expireInSeconds: 23 * 3600,
    run: (ctx) => renderDueProxies(ctx),
  },
  {
    name: 'sweep-share-proxies',
    cron: '* * * * *',
    policy: 'stately',
    retryLimit: 3,
    retryDelay: 30,
    expireInSeconds: 60,
    run: (ctx) => sweepProxies(ctx),
  },
  {
    name: 'sweep-store',
    cron: '* * * * *',
    policy: 'singleton',
    retryLimit: 3,
    retryDelay: 30,
    expireInSeconds: 1800,
    run: (ctx) => sweepStore(ctx),
  },
]

export const queues: readonly QueueDefinition[] = tasks.map(
  ({ run: _, atOnce: __, ...queue }) => queue,
)

/** Runs them until stopped; one worker does at a time (work/leader.ts). */
export async function startTasks(
  ctx: Context,
  options: { onBegun?: (task: { name: string; id: string }) => void | Promise<void> } = {},
): Promise<{ stop(): Promise<void> }> {
  const { databaseUrl } = ctx.config
  const queue = await openQueue({ databaseUrl, log: ctx.log, role: 'worker', queues })
  for (const task of tasks) {
    const run = async (jobs: { id: string; data: unknown }[]): Promise<void> => {
      for (const job of jobs) {
        await options.onBegun?.({ name: task.name, id: job.id })
        const result = await task.run(ctx, job.data)
        ctx.log.info({ task: task.name, taskId: job.id, result }, 'task done')
      }
    }
    const atOnce = task.atOnce ?? 1
    const pollingIntervalSeconds = atOnce > 1 ? 1 : 2
    const many = { localConcurrency: atOnce, localGroupConcurrency: 1 }
    const polling = { pollingIntervalSeconds, heartbeatRefreshSeconds }
    await queue.boss.work(task.name, { ...polling, ...many }, run)
  }
  return { stop: () => queue.stop() }
}
