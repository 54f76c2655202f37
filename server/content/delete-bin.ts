import { dropBin, lockSubtree } from '../projects/bins.ts'
import type { Verb } from '../ground/verb.ts'

/** Its items fall to the bin around it, or to the project. */
export const deleteBin: Verb<'deleteBin'> = async (ctx, { accountId }, { params }) => {
  await ctx.db.transaction().execute(async (trx) => {
    const { ids, parentId } = await lockSubtree(trx, accountId, params.id)
    await trx.updateTable('content').set({ bin_id: parentId }).where('bin_id', 'in', ids).execute()
    await dropBin(trx, params.id)
  })
  return { ok: true }
}
