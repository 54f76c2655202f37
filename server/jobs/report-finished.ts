/** E-mail about work that somebody has stopped waiting for: a batch, or a job of ten minutes. */
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { Tables } from '../ground/tables.ts'
import { batchFinishedMail, jobFinishedMail } from '../mail/messages.ts'
import { queueMail } from '../mail/queue.ts'
import type { Context } from '../ground/context.ts'

const longMs = 10 * 60_000

/** In the transaction that ends the job; a job of a batch is part of the batch's message. */
export async function reportFinished(
  ctx: Context,
  trx: Transaction<Tables>,
  jobId: string,
): Promise<void> {
  if (!ctx.config.mail) return
  const job = await trx
    .selectFrom('jobs')
    .select(['id', 'account_id', 'batch_id', 'status', 'content_name', 'cost_micros'])
    .select(['error_message', 'created_at', 'finished_at'])
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow()
  if (job.batch_id) {
    await reportBatch(ctx, trx, job.batch_id)
    return
  }
  const tookMs = (job.finished_at?.getTime() ?? 0) - job.created_at.getTime()
  if (job.status === 'canceled' || tookMs < longMs) return
  await queueMail(ctx, trx, {
    accountId: job.account_id,
    kind: 'finished',
    cause: `job:${job.id}`,
    content: jobFinishedMail({
      id: job.id,
      name: job.content_name,
      status: job.status,
      costMicros: job.cost_micros,
      message: job.error_message,
    }),
  })
}

/** The end of its last job has ended the batch in this transaction (migration 0070). */
async function reportBatch(ctx: Context, trx: Transaction<Tables>, batchId: string): Promise<void> {
  const batch = await trx
    .selectFrom('batches')
    .select(['id', 'account_id'])
    .where('id', '=', batchId)
    .where('finished_at', 'is not', null)
    .where('canceled_at', 'is', null)
    .executeTakeFirst()
  if (!batch) return
  const sums = await trx
    .selectFrom('jobs')
    .select([
      sql<number>`count(*) filter (where status = 'completed')`.as('completed'),
      sql<number>`count(*) filter (where status <> 'completed')`.as('failed'),
      sql<number>`coalesce(sum(cost_micros), 0)::bigint`.as('costMicros'),
    ])
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow()
  await queueMail(ctx, trx, {
    accountId: batch.account_id,
    kind: 'finished',
    cause: `batch:${batch.id}`,
    content: batchFinishedMail(sums),
  })
}
