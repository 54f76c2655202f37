/**
 * Films and the versions of the engine. A film may be under way during an upgrade, or workers of two
 * versions run side by side; what its parts have measured must come from one version: a worker begins
 * again with a film that another one took apart.
 */
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import { measuresVersion } from '../../engine/parts/measures-version.ts'
import { notify } from '../db/notify.ts'
import type { Tables } from '../db/tables.ts'
import { dropParts } from './drop-parts.ts'

/**
 * What a newer version works on is left to it, or both would begin again in turn; not for ever, since
 * the release may have been taken back.
 */
export const isForThisEngine = sql<boolean>`(jobs.measures_version <= ${sql.lit(measuresVersion)}
  or jobs.claimed_at < clock_timestamp() - interval '1 hour')`

/**
 * Puts a film that was taken apart back into the queue as a whole. What its extractors have found
 * stays. Whoever judges it loses it by the fence. The caller has locked the job's row.
 */
export async function beginAgain(trx: Transaction<Tables>, jobId: string): Promise<void> {
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
    })
    .where('id', '=', jobId)
    .execute()
  await notify(trx, 'job_waiting', {})
}
