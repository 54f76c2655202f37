import type { Transaction } from 'kysely'
import { notify } from '../db/notify.ts'
import type { Db } from '../ground/database.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { dropObjects } from '../storage/unowned-objects.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import { readJob } from './read.ts'
import { lockResults } from '../results/reuse.ts'
import type { Verb } from '../ground/verb.ts'

export const deleteJob: Verb<'deleteJob'> = async (ctx, actor, input) => {
  const target = { id: input.params.id, accountId: actor.accountId }
  await readJob(ctx.db, target)
  const keys = await ownKeys(ctx.db, target.id)
  const removed = await ctx.db.transaction().execute((trx) => removeJob(trx, target))
  if (removed === 'absent') throw notFound('The job')
  if (removed === 'open') {
    throw new Refusal('conflict', 'The job has not ended yet. Please cancel it first.')
  }
  // Files that no other job shows are listed for the sweep now; most jobs' files can go at once.
  await dropObjects(ctx, keys)
  return { ok: true }
}

/** The files of a film are many, and leave within a minute. */
const maxDroppedAtOnce = 100

async function ownKeys(db: Db, jobId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('job_extractors')
    .innerJoin('job_result_files', 'job_result_files.result_id', 'job_extractors.result_id')
    .select('storage_key')
    .where('job_id', '=', jobId)
    .limit(maxDroppedAtOnce)
    .execute()
  return rows.map((row) => row.storage_key)
}

/** Removes a job with results and files that no other job shows; its charge stays in the ledger. */
export async function removeJob(
  trx: Transaction<Tables>,
  target: { id: string; accountId: string },
): Promise<'removed' | 'absent' | 'open'> {
  const { id, accountId } = target
  // Locked first, in the order in which a retry of the job locks.
  await lockResults(trx, accountId)
  const job = await trx
    .selectFrom('jobs')
    .select('finished_at')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  if (!job) return 'absent'
  if (!job.finished_at) return 'open'
  await trx.deleteFrom('jobs').where('id', '=', id).execute()
  await notify(trx, 'account_changed', { accountId, jobId: id, deleted: true })
  return 'removed'
}
