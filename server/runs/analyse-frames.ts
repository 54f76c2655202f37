/** Ends the judging of a film's pictures: what they came to is kept for the join. */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { watchedName } from '../../engine/parts/hand-over.ts'
import { notify } from '../db/notify.ts'
import { dropWritten, ownObjects } from '../storage/unowned-objects.ts'
import type { Attempt } from '../work/steps.ts'
import { underFence } from '../work/claim.ts'
import { putFiles } from './put-files.ts'
import { keysOf } from '../results/store-result.ts'
import { writerOf } from '../jobs/writer.ts'

/** Leaves the job to its speech parts; where none is left, it goes back into the queue to be joined. */
export async function endJudging(attempt: Attempt): Promise<void> {
  const { ctx, job, workDir } = attempt
  const isWatched = await access(join(workDir, watchedName)).then(
    () => true,
    () => false,
  )
  const files = await putFiles(ctx, {
    // Where the pictures could not be judged, the join asks them again.
    names: isWatched ? [watchedName] : [],
    workDir,
    folder: `parts/${writerOf(job)}`,
    writer: writerOf(job),
    underFence: (write) => underFence(ctx, job, write),
  })
  try {
    await underFence(ctx, job, async (trx) => {
      await ownObjects(trx, keysOf(files))
      const prepare = await trx
        .selectFrom('job_parts')
        .select('id')
        .where('job_id', '=', job.id)
        .where('kind', '=', 'prepare')
        .executeTakeFirstOrThrow()
      const rows = files.map((file) => ({ part_id: prepare.id, ...file }))
      if (rows.length > 0) await trx.insertInto('job_part_files').values(rows).execute()
      const { left_parts: left } = await trx
        .selectFrom('jobs')
        .select('left_parts')
        .where('id', '=', job.id)
        .executeTakeFirstOrThrow()
      await trx
        .updateTable('jobs')
        .set({
          ...(left === 0 ? { stage: 'join', status: 'queued' } : { stage: 'parts' }),
          leased_until: null,
          fence: sql`fence + 1`,
          // Its tries were used for what is done; the join has its own.
          attempt: 0,
        })
        .where('id', '=', job.id)
        .execute()
      if (left === 0) await notify(trx, 'job_waiting', {})
      await notify(trx, 'account_changed', { accountId: job.accountId, jobId: job.id })
      await attempt.step('parts-judged-written')
    })
  } catch (error) {
    await dropWritten(ctx, keysOf(files))
    throw error
  }
  await attempt.step('parts-judged')
}
