/** Tells webhooks that a job has ended, and with its last job the batch. */
import type { Transaction } from 'kysely'
import { toUsd } from '../../domain/money/money.ts'
import type { Tables } from '../ground/tables.ts'
import type { Context } from '../ground/context.ts'
import { emitEvent } from '../webhooks/emit.ts'

/** Call it in the transaction that ends the job, after its row says so. */
export async function reportEnd(
  ctx: Context,
  trx: Transaction<Tables>,
  jobId: string,
): Promise<void> {
  const job = await trx
    .selectFrom('jobs as j')
    .leftJoin('batches as b', 'b.id', 'j.batch_id')
    .select(['j.id', 'j.account_id', 'j.status', 'j.content_id', 'j.content_name', 'j.workflow'])
    .select(['j.partial', 'j.error_code', 'j.error_message', 'j.cost_micros', 'j.seconds'])
    .select(['j.batch_id', 'j.retry_of', 'j.created_at', 'j.finished_at'])
    .select(['b.finished_at as batch_finished_at', 'b.canceled_at', 'b.created_at as batch_at'])
    .where('j.id', '=', jobId)
    .executeTakeFirstOrThrow()
  const accountId = job.account_id
  await emitEvent(ctx, trx, {
    accountId,
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
  // The database counts a batch's jobs: only the end of the last one sees the batch ended.
  if (!job.batch_id || !job.batch_finished_at) return
  const { jobs, costMicros } = await trx
    .selectFrom('jobs')
    .select((row) => [
      row.fn.countAll<number>().as('jobs'),
      row.fn.sum<string>('cost_micros').as('costMicros'),
    ])
    .where('batch_id', '=', job.batch_id)
    .executeTakeFirstOrThrow()
  await emitEvent(ctx, trx, {
    accountId,
    type: 'batch.completed',
    objectId: job.batch_id,
    data: {
      id: job.batch_id,
      status: job.canceled_at ? 'canceled' : 'completed',
      workflow: job.workflow,
      jobs,
      cost_usd: toUsd(Number(costMicros)),
      created_at: job.batch_at?.toISOString() ?? null,
      finished_at: job.batch_finished_at.toISOString(),
    },
  })
}
