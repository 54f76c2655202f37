/**
 * Films and the versions of the engine. A film may be under way during an upgrade, or workers of two
 * versions run side by side; what its parts have measured must come from one version: a worker begins
 * again with a film that another one took apart.
 */
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import { measuresVersion } from '../../engine/parts/measures-version.ts'
import { notify } from '../db/notify.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { dropParts } from './drop-parts.ts'

/**
 * Leaves a film to the newer version that took it apart, or the two would begin again in turn. After an
 * hour anyone may take it: the newer release may have been rolled back.
 */
export const isForThisEngine = sql<boolean>`(jobs.measures_version <= ${sql.lit(measuresVersion)}
  or jobs.claimed_at < clock_timestamp() - interval '1 hour')`

/**
 * Puts a film that was taken apart back into the queue as a whole, and keeps the findings of extractors
 * that are done. The new fence stops a worker that is judging it. The caller has locked the job's row.
 */
export async function restartFilm(
  trx: Transaction<Tables>,
  jobId: string,
  more: { is_indivisible?: true } = {},
): Promise<void> {
  await dropParts(trx, jobId)
  await trx
    .updateTable('jobs')
    .set({
      stage: 'whole',
      measures_version: measuresVersion,
      left_parts: 0,
      status: 'queued',
      attempt: 0,
      leased_until: null,
      fence: sql`fence + 1`,
      ...more,
    })
    .where('id', '=', jobId)
    .execute()
  await notify(trx, 'job_waiting', {})
}
