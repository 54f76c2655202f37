import type { Input } from '../../contract/endpoint.ts'
import type { Job, jobEndpoints } from '../../contract/jobs.ts'
import type { Member } from '../actor.ts'
import type { Context } from '../process/context.ts'
import { Refusal } from '../refusal.ts'
import { endJob } from './end.ts'
import { readJob } from './read.ts'

/**
 * Ends the job here and now: the worker that runs it finds its fence gone and stops. What had been
 * finished by then is charged, the rest of the hold is released.
 */
export async function cancelJob(
  ctx: Context,
  actor: Member,
  input: Input<typeof jobEndpoints.cancelJob>,
): Promise<{ job: Job }> {
  const of = { id: input.params.id, accountId: actor.accountId }
  await readJob(ctx.db, of)
  const isCanceled = await ctx.db
    .transaction()
    .execute((trx) => endJob(ctx, trx, { jobId: of.id, reason: 'canceled' }))
  const job = await readJob(ctx.db, of)
  if (!isCanceled && job.status !== 'canceled') {
    throw new Refusal('conflict', `The job is ${job.status} already; it cannot be canceled.`)
  }
  return { job }
}
