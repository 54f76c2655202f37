/** Reports a job's end, and with its last job the batch's: to webhooks, and by e-mail. */
import type { Selectable, Transaction } from 'kysely'
import { toUsd } from '../../domain/money/money.ts'
import type { Tables } from '../ground/generated-tables.ts'
import type { Context } from '../ground/context.ts'
import { batchFinishedMail, jobFinishedMail } from '../mail/messages.ts'
import { queueMail } from '../mail/queue.ts'
import { emitEvent } from '../webhooks/emit.ts'

/** Somebody has stopped waiting for a job of ten minutes. */
const longMs = 10 * 60_000

type JobRow = Awaited<ReturnType<typeof readEnded>>
type BatchRow = Selectable<Tables['batch_totals']>

/** Call it in the transaction that ends the job, after its row says so. */
export async function reportEnd(
  ctx: Context,
  trx: Transaction<Tables>,
  jobId: string,
): Promise<void> {
  const job = await readEnded(trx, jobId)
  // The database counts a batch's jobs: only the end of the last one sees the batch ended.
  const batch = job.batch_id
    ? await trx
        .selectFrom('batch_totals')
        .selectAll()
        .where('id', '=', job.batch_id)
        .where('finished_at', 'is not', null)
        .executeTakeFirst()
    : undefined
  if (ctx.config.mail) await queueFinishedMail(ctx, trx, job, batch)
  await emitEvent(ctx, trx, {
    accountId: job.account_id,
    type: `job.${job.status as 'completed' | 'failed' | 'canceled'}`,
    objectId: job.id,
    data: {
      id: job.id,
      status: job.status,
      content_id: job.content_id,
      content_name: job.content_name,
      workflow: job.workflow,
      partial: job.partial,
      error: job.error_code ? { code: job.error_code, message: job.error_message ?? '' } : null,
      cost_usd: toUsd(job.cost_micros),
      seconds: job.seconds,
      batch_id: job.batch_id,
      retry_of: job.retry_of,
      created_at: job.created_at.toISOString(),
      finished_at: job.finished_at?.toISOString() ?? null,
    },
  })
  if (!batch) return
  await emitEvent(ctx, trx, {
    accountId: batch.account_id,
    type: 'batch.completed',
    objectId: batch.id,
    data: {
      id: batch.id,
      status: batch.canceled_at ? 'canceled' : 'completed',
      workflow: job.workflow,
      jobs: batch.jobs,
      cost_usd: toUsd(batch.cost_micros),
      created_at: batch.created_at.toISOString(),
      finished_at: batch.finished_at?.toISOString() ?? null,
    },
  })
}

function readEnded(trx: Transaction<Tables>, jobId: string) {
  return trx
    .selectFrom('jobs')
    .select(['id', 'account_id', 'status', 'content_id', 'content_name', 'workflow', 'partial'])
    .select(['error_code', 'error_message', 'cost_micros', 'seconds', 'batch_id', 'retry_of'])
    .select(['created_at', 'finished_at'])
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow()
}

/** A job of a batch is part of the batch's message. */
async function queueFinishedMail(
  ctx: Context,
  trx: Transaction<Tables>,
  job: JobRow,
  batch: BatchRow | undefined,
): Promise<void> {
  const mail = { accountId: job.account_id, kind: 'finished' } as const
  if (batch && !batch.canceled_at) {
    const { completed, jobs, cost_micros: costMicros } = batch
    const content = batchFinishedMail({ completed, failed: jobs - completed, costMicros })
    await queueMail(ctx, trx, { ...mail, cause: `batch:${batch.id}`, content })
  }
  const tookMs = (job.finished_at?.getTime() ?? 0) - job.created_at.getTime()
  if (job.batch_id || job.status === 'canceled' || tookMs < longMs) return
  const content = jobFinishedMail({
    id: job.id,
    name: job.content_name,
    status: job.status,
    costMicros: job.cost_micros,
    message: job.error_message,
  })
  await queueMail(ctx, trx, { ...mail, cause: `job:${job.id}`, content })
}
