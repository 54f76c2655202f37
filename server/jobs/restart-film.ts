/**
 * Films and the versions of the engine. A film may be under way during an upgrade, or workers of
 * two versions run side by side; its measurements must come from one version: a worker restarts a
 * film that another one prepared.
 */
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import { measuresVersion } from '../../engine/parts/measures-version.ts'
import { notify } from '../db/notify.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { dropWork } from './work-rows.ts'

/**
 * Leaves a film to the newer version that prepared it, or the two would restart it in turn. After
 * an hour anyone may take it: the newer release may have been rolled back.
 */
export const isForThisEngine = sql<boolean>`(jobs.measures_version <= ${sql.lit(measuresVersion)}
  or jobs.claimed_at < clock_timestamp() - interval '1 hour')`

/**
 * Puts a film back into the queue as a whole, and keeps the findings of extractors that are done.
 * The caller has locked the job's row. Other workers notice when they renew their leases.
 */
export async function restartFilm(
  trx: Transaction<Tables>,
  jobId: string,
  more: { is_indivisible?: true } = {},
): Promise<void> {
  await dropWork(trx, jobId, { state: 'waiting', attempt: 0 })
  await trx
    .updateTable('jobs')
    .set({ status: 'queued', measures_version: measuresVersion, ...more })
    .where('id', '=', jobId)
    .execute()
  await notify(trx, 'job_waiting', {})
}
