import type { Context } from '../process/context.ts'
import { removeJob } from './delete.ts'
import { sweepJobs } from './sweep.ts'

const atOnce = 200

/** Jobs that ended before then go with their results. Says how many. */
export async function expireJobs(ctx: Context, endedBefore: Date): Promise<number> {
  let removed = 0
  for (;;) {
    const old = await ctx.db
      .selectFrom('jobs')
      .select(['id', 'account_id as accountId'])
      .where('finished_at', '<', endedBefore)
      .orderBy('finished_at')
      .limit(atOnce)
      .execute()
    for (const of of old) {
      await ctx.db.transaction().execute((trx) => removeJob(trx, of))
      removed += 1
    }
    if (old.length < atOnce) break
  }
  if (removed > 0) await sweepJobs(ctx)
  return removed
}
