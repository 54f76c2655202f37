import type { Transaction } from 'kysely'
import { notify } from '../db/notify.ts'
import type { Tables } from '../db/tables.ts'
import { sweepObjects } from '../storage/unowned-objects.ts'
import { notFound, Refusal } from '../refusal.ts'
import { readJob } from './read.ts'
import { lockResults } from './reuse.ts'
import type { Verb } from '../verb.ts'

export const deleteJob: Verb<'deleteJob'> = async (ctx, actor, input) => {
  const of = { id: input.params.id, accountId: actor.accountId }
  await readJob(ctx.db, of)
  const removed = await ctx.db.transaction().execute((trx) => removeJob(trx, of))
  if (removed === 'absent') throw notFound('The job')
  if (removed === 'open') {
    throw new Refusal('conflict', 'The job has not ended yet. Please cancel it first.')
  }
  // The objects are listed for the sweep in any case; doing it now frees the space at once.
  await sweepObjects(ctx).catch((error: unknown) => ctx.log.warn({ err: error }, 'sweep failed'))
  return { ok: true }
}

/** Results and files that no other job shows go with it; what was charged stays in the ledger. */
export async function removeJob(
  trx: Transaction<Tables>,
  target: { id: string; accountId: string },
): Promise<'removed' | 'absent' | 'open'> {
  const { id, accountId } = target
  const job = await trx
    .selectFrom('jobs')
    .select('finished_at')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  if (!job) return 'absent'
  if (!job.finished_at) return 'open'
  await lockResults(trx, accountId)
  await trx.deleteFrom('jobs').where('id', '=', id).execute()
  await notify(trx, 'account_changed', { accountId, jobId: id, deleted: true })
  return 'removed'
}
