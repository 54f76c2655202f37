import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { Tables } from '../ground/generated-tables.ts'

/** As the engine divides the work of an extractor between the pass and what follows. */
const passShare = { transcription: 0.2, other: 0.9 }

/** Adds up over the parts by their seconds; transcription waits for its speech parts beside. */
export async function addUpProgress(trx: Transaction<Tables>, jobId: string): Promise<void> {
  await sql`
    with done as (
      select
        coalesce(sum(progress * seconds) filter (where kind not in ('speech', 'voices'))
          / nullif(sum(seconds) filter (where kind not in ('speech', 'voices')), 0), 0) as passed,
        coalesce(sum(progress * seconds) filter (where kind in ('speech', 'voices'))
          / nullif(sum(seconds) filter (where kind in ('speech', 'voices')), 0), 0) as heard
      from job_parts where job_id = ${jobId}
    )
    update job_extractors e
    set status = 'running', progress = greatest(e.progress, least(1, (case e.extractor
      when 'transcription' then ${passShare.transcription} * done.passed
        + ${1 - passShare.transcription} * done.heard
      else ${passShare.other} * done.passed end)))::real
    from done
    where e.job_id = ${jobId} and e.status in ('waiting', 'running')`.execute(trx)
}
