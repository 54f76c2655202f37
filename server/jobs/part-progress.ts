/** Writes a part's progress, and what it makes of the progress of the job's extractors. */
import { sql } from 'kysely'
import type { Context } from '../process/context.ts'
import { notify } from '../db/notify.ts'
import type { ClaimedPart } from './claim-part.ts'

const everyMs = 1000
/** As the engine divides the work of an extractor between the pass and what follows. */
const passShare = { transcription: 0.2, other: 0.9 }

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

/** Adds up over the parts by their seconds; transcription waits for its speech parts beside. */
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
    await sql`
      with done as (
        select
          coalesce(sum(progress * seconds) filter (where kind <> 'speech')
            / nullif(sum(seconds) filter (where kind <> 'speech'), 0), 0) as passed,
          coalesce(sum(progress * seconds) filter (where kind = 'speech')
            / nullif(sum(seconds) filter (where kind = 'speech'), 0), 0) as heard
        from job_parts where job_id = ${part.jobId}
      )
      update job_extractors e
      set status = 'running', progress = greatest(e.progress, least(1, (case e.extractor
        when 'transcription' then ${passShare.transcription} * done.passed
          + ${1 - passShare.transcription} * done.heard
        else ${passShare.other} * done.passed end)))::real
      from done
      where e.job_id = ${part.jobId} and e.status in ('waiting', 'running')`.execute(trx)
    await notify(trx, 'account_changed', { accountId: part.accountId, jobId: part.jobId })
  })
}
