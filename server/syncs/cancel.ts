import { endJob } from '../jobs/end.ts'
import { Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'
import { readSync } from './read.ts'

/** Ends it here and now; the whole hold is released. */
export const cancelSync: Verb<'cancelSync'> = async (ctx, actor, { params }) => {
  await readSync(ctx, actor, params.id)
  const isCanceled = await ctx.db
    .transaction()
    .execute((trx) => endJob(ctx, trx, { jobId: params.id, reason: 'canceled' }))
  const sync = await readSync(ctx, actor, params.id)
  if (!isCanceled && sync.status !== 'canceled') {
    throw new Refusal('conflict', `The sync is ${sync.status} already; it cannot be canceled.`)
  }
  return { sync }
}
