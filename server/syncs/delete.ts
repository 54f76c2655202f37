import { removeJob } from '../jobs/delete.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'
import { findSync } from './read.ts'

/** Its name and placements go with its job. */
export const deleteSync: Verb<'deleteSync'> = async (ctx, actor, { params }) => {
  const target = { id: params.id, accountId: actor.accountId }
  if (!(await findSync(ctx.db, target))) throw notFound('The sync')
  const removed = await ctx.db.transaction().execute((trx) => removeJob(trx, target))
  if (removed === 'open') {
    throw new Refusal('conflict', 'The sync has not ended yet. Please cancel it first.')
  }
  return { ok: true }
}
