/** Writes a part's progress, and what it makes of the progress of the job's extractors. */
import type { Context } from '../ground/context.ts'
import { notify } from '../db/notify.ts'
import { addUpProgress } from '../work/add-up-progress.ts'
import type { ClaimedPart } from '../work/claim-part.ts'

const everyMs = 1000

export interface PartProgress {
  report(fraction: number): void
  stop(): Promise<void>
}

export function keepPartProgress(ctx: Context, part: ClaimedPart): PartProgress {
  let latest = 0
  let written = 0
  let writing: Promise<void> = Promise.resolve()
  let isWriting = false
  const flush = async (fraction: number): Promise<void> => {
    isWriting = true
    try {
      await write(ctx, part, fraction)
      written = fraction
    } catch (error) {
      // Progress is a courtesy: what matters is written under the fence, and fails there.
      ctx.log.warn({ err: error, partId: part.id }, 'progress not kept')
    } finally {
      isWriting = false
    }
  }
  const timer = setInterval(() => {
    if (!isWriting && latest !== written) writing = flush(latest)
  }, everyMs)
  return {
    report(fraction) {
      latest = Math.min(1, Math.max(latest, fraction))
    },
    async stop() {
      clearInterval(timer)
      await writing
    },
  }
}

async function write(ctx: Context, part: ClaimedPart, fraction: number): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    const own = await trx
      .updateTable('job_parts')
      .set({ progress: fraction })
      .where('id', '=', part.id)
      .where('fence', '=', part.fence)
      .where('leased_until', 'is not', null)
      .executeTakeFirst()
    if (own.numUpdatedRows === 0n) return
    await addUpProgress(trx, part.jobId)
    await notify(trx, 'account_changed', { accountId: part.accountId, jobId: part.jobId })
  })
}
