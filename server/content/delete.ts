import type { Context } from '../ground/context.ts'
import type { Verb } from '../ground/verb.ts'
import { notFound } from '../ground/refusal.ts'
import { dropObjects } from '../storage/unowned-objects.ts'

/** Deletes the row first, then the bytes; findings of past jobs stay with the jobs. */
export const deleteContent: Verb<'deleteContent'> = async (ctx, { accountId }, { params }) => {
  const deleted = await removeItems(ctx, accountId, [params.id])
  if (deleted === 0) throw notFound('The content')
  return { ok: true }
}

export const deleteManyContent: Verb<'deleteManyContent'> = async (ctx, actor, { body }) => ({
  deleted: await removeItems(ctx, actor.accountId, body.content_ids),
})

async function removeItems(ctx: Context, accountId: string, ids: string[]): Promise<number> {
  const gone = await ctx.db
    .deleteFrom('content')
    .where('id', 'in', ids)
    .where('account_id', '=', accountId)
    .returning(['storage_key', 'thumbnail_key'])
    .execute()
  const keys = gone.flatMap((row) => [row.storage_key, row.thumbnail_key])
  await dropObjects(
    ctx,
    keys.filter((key) => key !== null),
  )
  return gone.length
}
