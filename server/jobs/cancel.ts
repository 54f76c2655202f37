import { Refusal } from '../ground/refusal.ts'
import { endJob } from './end.ts'
import { readJob } from './read.ts'
import type { Verb } from '../ground/verb.ts'

/**
 * Ends the job at once: its worker finds its fence gone and stops. Finished extractors are charged,
 * the rest of the hold is released.
 */
export const cancelJob: Verb<'cancelJob'> = async (ctx, actor, input) => {
  const target = { id: input.params.id, accountId: actor.accountId }
  await readJob(ctx.db, target)
  const isCanceled = await ctx.db
    .transaction()
    .execute((trx) => endJob(ctx, trx, { jobId: target.id, reason: 'canceled' }))
  const job = await readJob(ctx.db, target)
  if (!isCanceled && job.status !== 'canceled') {
    throw new Refusal('conflict', `The job is ${job.status} already; it cannot be canceled.`)
  }
  return { job }
}
