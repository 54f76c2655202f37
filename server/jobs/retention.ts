import type { Context } from '../ground/context.ts'
import { sweepObjects } from '../storage/unowned-objects.ts'
import { removeJob } from './delete.ts'
import { dropEmptyShelves } from '../results/index-passages.ts'

const atOnce = 200

/** Jobs that ended before then go with their results. Says how many. */
export async function expireJobs(ctx: Context, endedBefore: Date): Promise<number> {
  let removed = 0
  let lastSeq = 0
  for (;;) {
    const old = await ctx.db
      .selectFrom('jobs')
      .select(['id', 'seq', 'account_id as accountId'])
      .where('finished_at', '<', endedBefore)
      .where('seq', '>', lastSeq)
      .orderBy('seq')
      .limit(atOnce)
      .execute()
    for (const job of old) {
      lastSeq = job.seq
      try {
        await ctx.db.transaction().execute((trx) => removeJob(trx, job))
        removed += 1
      } catch (error) {
        // The others go all the same; this one is tried again the next day.
        ctx.log.error({ err: error, jobId: job.id }, 'job not removed')
      }
    }
    if (old.length < atOnce) break
  }
  await ctx.db.deleteFrom('job_reads').where('read_at', '<', endedBefore).execute()
  if (removed > 0) {
    await dropEmptyShelves(ctx.db)
    await sweepObjects(ctx)
  }
  return removed
}
