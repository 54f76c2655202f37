/** Ends a row of a film: keeps its files, and places the rows that follow from it. */
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { Context } from '../ground/context.ts'
import { notify } from '../db/notify.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { addWork } from '../jobs/work-rows.ts'
import type { NewWork } from '../jobs/work-rows.ts'
import { keysOf } from '../results/store-result.ts'
import type { StoredFile } from '../results/store-result.ts'
import { ownObjects } from '../storage/unowned-objects.ts'
import { underFence } from './claim.ts'
import type { Claim } from './claim.ts'

export async function endWork(
  ctx: Context,
  claim: Claim,
  {
    files,
    next = [],
    onWritten,
  }: {
    files: readonly StoredFile[]
    next?: readonly NewWork[]
    onWritten: (trx: Transaction<Tables>) => Promise<void>
  },
): Promise<void> {
  const { id, jobId, accountId } = claim
  await underFence(ctx, claim, async (trx) => {
    const rows = files.map((file) => ({ work_id: id, ...file }))
    if (rows.length > 0) await trx.insertInto('work_files').values(rows).execute()
    await ownObjects(trx, keysOf(files))
    await trx
      .updateTable('work')
      .set({ state: 'done', progress: 1, leased_until: null, fence: sql`fence + 1` })
      .where('id', '=', id)
      .execute()
    await addWork(trx, claim, next)
    if (claim.kind === 'sound') await prioritiseFirstSpeech(trx, jobId)
    await skipAnalyseFrames(trx, jobId)
    await addUpProgress(trx, jobId)
    await notify(trx, 'job_waiting', {})
    await notify(trx, 'account_changed', { accountId, jobId })
    await onWritten(trx)
  })
}

/**
 * The first words go before the frames, so that they are there early, and so do the voices, which
 * are one long row; the rest of the speech comes after the frames, so that those can be analysed
 * meanwhile. The job keeps the turns that it has: other accounts lose nothing.
 */
async function prioritiseFirstSpeech(trx: Transaction<Tables>, jobId: string): Promise<void> {
  await sql`
    with waiting as (
      select id, turn, position, kind, kind = 'speech' as is_speech from work
      where job_id = ${jobId} and state = 'waiting' and after = '{}' for update
    ),
    places as (
      select id, row_number() over (order by is_speech and position > 0, not is_speech,
        kind <> 'voices', position) as place
      from waiting
    ),
    turns as (select turn, row_number() over (order by turn) as place from waiting)
    update work set turn = turns.turn
    from places join turns using (place) where work.id = places.id`.execute(trx)
}

/** Leaves the frames to the join where nothing else is left to wait for. */
async function skipAnalyseFrames(trx: Transaction<Tables>, jobId: string): Promise<void> {
  await sql`
    delete from work where job_id = ${jobId} and kind = 'analyse-frames' and state = 'waiting'
      and not exists (select from work other where other.job_id = work.job_id
        and other.kind not in ('analyse-frames', 'join') and other.state <> 'done')`.execute(trx)
}

/** As the engine divides the work of an extractor between the pass and what follows. */
const passShare = { transcription: 0.2, other: 0.9 }

/** Adds up over the rows by their seconds; transcription waits for its speech beside. */
export async function addUpProgress(trx: Transaction<Tables>, jobId: string): Promise<void> {
  await sql`
    with done as (
      select
        coalesce(sum(progress * seconds) filter (where kind not in ('speech', 'voices'))
          / nullif(sum(seconds) filter (where kind not in ('speech', 'voices')), 0), 0) as passed,
        coalesce(sum(progress * seconds) filter (where kind in ('speech', 'voices'))
          / nullif(sum(seconds) filter (where kind in ('speech', 'voices')), 0), 0) as heard
      from work where job_id = ${jobId}
    )
    update job_extractors e
    set status = 'running', progress = greatest(e.progress, least(1, (case e.extractor
      when 'transcription' then ${passShare.transcription} * done.passed
        + ${1 - passShare.transcription} * done.heard
      else ${passShare.other} * done.passed end)))::real
    from done
    where e.job_id = ${jobId} and e.status in ('waiting', 'running')`.execute(trx)
}
