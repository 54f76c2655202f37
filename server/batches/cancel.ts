import type { Verb } from '../ground/verb.ts'
import { endJob } from '../jobs/end.ts'
import { Refusal } from '../ground/refusal.ts'
import { readBatch } from './read.ts'

/** Ends each open job in its own transaction, so running jobs of the batch are not held up. */
export const cancelBatch: Verb<'cancelBatch'> = async (ctx, { accountId }, { params }) => {
  const key = { id: params.id, accountId }
  const batch = await readBatch(ctx.db, key)
  if (batch.status === 'completed') {
    throw new Refusal('conflict', 'The batch has ended already; it cannot be canceled.')
  }
  await ctx.db
    .updateTable('batches')
    .set({ canceled_at: ctx.now() })
    .where('id', '=', key.id)
    .where('finished_at', 'is', null)
    .execute()
  for (const job of batch.jobs) {
    if (['completed', 'failed', 'canceled'].includes(job.status)) continue
    await ctx.db
      .transaction()
      .execute((trx) => endJob(ctx, trx, { jobId: job.id, reason: 'canceled' }))
  }
  return { batch: await readBatch(ctx.db, key) }
}
