/**
 * Reads of a job before its end: findings of extractors that are done, and words of a film that is
 * still being heard. Every reader notes them here before it answers, under a lock that an end takes
 * as well (end.ts), so that the end comes before the reading or counts it. The lock is not the
 * job's row, which workers hold and skip.
 *
 * RULES
 *  1. A job that is canceled pays for what was read of it, and so does one whose content its owner
 *     deletes, which ends it as well. Nothing was read: nothing but finished extractors is charged.
 *  2. A job that fails keeps the findings that were read, completed in part, and pays for them.
 *  3. Words that were read of a film whose transcription fails cost nothing, like all that fails.
 *     An account to which that happens twice within a day sees words at the end only until it is
 *     over.
 *  4. All of it together is never above the hold. Reads that cost nothing are not noted.
 */
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import type { Context } from '../ground/context.ts'
import type { Db } from '../ground/database.ts'
import type { Tables } from '../ground/generated-tables.ts'

const maxUnpaid = 2

/** False: the job has failed or is gone, so that nothing of it may be shown. */
export async function noteFindings(
  ctx: Context,
  jobId: string,
  extractors: readonly ExtractorId[],
): Promise<boolean> {
  if (extractors.length === 0) return true
  return ctx.db.transaction().execute(async (trx) => {
    const job = await openJob(trx, jobId)
    if (!job || job.finished_at) return job !== undefined && job.status !== 'failed'
    await trx
      .insertInto('job_reads')
      .columns(['job_id', 'extractor', 'account_id', 'share', 'read_at'])
      .expression((insert) =>
        insert
          .selectFrom('job_extractors')
          .select(['job_id', 'extractor'])
          .select(sql<string>`${job.account_id}::uuid`.as('account_id'))
          .select(sql<number>`1`.as('share'))
          .select(sql<Date>`${ctx.now()}::timestamptz`.as('read_at'))
          .where('job_id', '=', jobId)
          .where('extractor', 'in', extractors)
          .where('status', '=', 'done')
          .where('quoted_micros', '>', 0),
      )
      .onConflict((conflict) => conflict.columns(['job_id', 'extractor']).doUpdateSet({ share: 1 }))
      .execute()
    return true
  })
}

/** False: the job has ended or begins again, so that no words may be shown. */
export async function noteWords(
  ctx: Context,
  jobId: string,
  positions: readonly number[],
): Promise<boolean> {
  if (positions.length === 0) return true
  return ctx.db.transaction().execute(async (trx) => {
    const job = await openJob(trx, jobId)
    if (!job || job.finished_at) return false
    const known = await trx
      .selectFrom('job_reads')
      .select(['parts', 'share'])
      .where('job_id', '=', jobId)
      .where('extractor', '=', 'transcription')
      .executeTakeFirst()
    const parts = [...new Set([...(known?.parts ?? []), ...positions])]
    const shared = await speechShareOf(trx, jobId, parts)
    // The film has restarted.
    if (shared === 0) return false
    const share = Math.max(known?.share ?? 0, shared)
    const price = await trx
      .selectFrom('job_extractors')
      .select('quoted_micros')
      .where('job_id', '=', jobId)
      .where('extractor', '=', 'transcription')
      .executeTakeFirst()
    if (!price?.quoted_micros) return true
    const read = { share, parts, read_at: ctx.now() }
    await trx
      .insertInto('job_reads')
      .values({ job_id: jobId, extractor: 'transcription', account_id: job.account_id, ...read })
      .onConflict((conflict) => conflict.columns(['job_id', 'extractor']).doUpdateSet(read))
      .execute()
    return true
  })
}

async function openJob(trx: Transaction<Tables>, jobId: string) {
  await lockReads(trx, jobId)
  return trx
    .selectFrom('jobs')
    .select(['account_id', 'status', 'finished_at'])
    .where('id', '=', jobId)
    .executeTakeFirst()
}

/** Until the end of this transaction nothing of the job is noted, nor does it end. */
export async function lockReads(trx: Db, jobId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`reads ${jobId}`}, 0))`.execute(trx)
}

/** The share (0 to 1) of the film's speech, by duration, that these parts cover. */
async function speechShareOf(
  trx: Db,
  jobId: string,
  positions: readonly number[],
): Promise<number> {
  const parts = await trx
    .selectFrom('work')
    .select(['position', 'seconds'])
    .where('job_id', '=', jobId)
    .where('kind', '=', 'speech')
    .execute()
  const secondsOf = (some: typeof parts): number =>
    some.reduce((sum, { seconds }) => sum + seconds, 0)
  const read = parts.filter(({ position }) => positions.includes(position))
  if (read.length === 0) return 0
  return read.length === parts.length ? 1 : secondsOf(read) / secondsOf(parts)
}

/** Rule 3. */
export async function mayReadWords(ctx: Context, accountId: string): Promise<boolean> {
  const { count } = await ctx.db
    .selectFrom('job_reads')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('extractor', '=', 'transcription')
    .where('paid_micros', '=', 0)
    .where('read_at', '>', sql<Date>`${ctx.now()}::timestamptz - interval '1 day'`)
    .executeTakeFirstOrThrow()
  return count < maxUnpaid
}

/** Reads of a job that ends, with the state of their extractors. */
export function findReads(trx: Db, jobId: string) {
  return trx
    .selectFrom('job_reads as r')
    .innerJoin('job_extractors as e', (extractor) =>
      extractor.onRef('e.job_id', '=', 'r.job_id').onRef('e.extractor', '=', 'r.extractor'),
    )
    .select(['r.extractor', 'r.share', 'e.status'])
    .where('r.job_id', '=', jobId)
    .execute()
}

/** Writes down what a job that has ended paid for what was read of it. */
export async function closeReads(trx: Db, jobId: string): Promise<void> {
  await trx
    .updateTable('job_reads as r')
    .from('job_extractors as e')
    .set((row) => ({ paid_micros: row.ref('e.cost_micros') }))
    .where('r.job_id', '=', jobId)
    .whereRef('e.job_id', '=', 'r.job_id')
    .whereRef('e.extractor', '=', 'r.extractor')
    .execute()
}
