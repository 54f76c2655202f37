import type { Context } from '../ground/context.ts'
import { sweepObjects } from '../storage/unowned-objects.ts'
import { removeJob } from './delete.ts'
import { endJob } from './end.ts'

/** Ends what runs and removes every job of an account with its findings and files. */
export async function eraseJobs(ctx: Context, accountId: string): Promise<number> {
  const jobs = await ctx.db
    .selectFrom('jobs')
    .select('id')
    .where('account_id', '=', accountId)
    .execute()
  for (const { id } of jobs) {
    await ctx.db.transaction().execute(async (trx) => {
      await endJob(ctx, trx, { jobId: id, reason: 'canceled' })
      await removeJob(trx, { id, accountId })
    })
  }
  await ctx.db.deleteFrom('job_reads').where('account_id', '=', accountId).execute()
  // The sweep of empty shelves leaves the newest of each account.
  await ctx.db.deleteFrom('job_shelves').where('account_id', '=', accountId).execute()
  await sweepObjects(ctx)
  return jobs.length
}
