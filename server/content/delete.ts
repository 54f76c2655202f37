import type { Context } from '../process/context.ts'
import { notFound } from '../refusal.ts'
import { dropObjects } from './garbage.ts'

/** The row first, then the bytes; findings of past jobs stay with the jobs. */
export async function deleteContent(
  ctx: Context,
  actor: { accountId: string },
  { params }: { params: { id: string } },
): Promise<{ ok: true }> {
  const gone = await ctx.db
    .deleteFrom('content')
    .where('id', '=', params.id)
    .where('account_id', '=', actor.accountId)
    .returning(['storage_key', 'thumbnail_key'])
    .executeTakeFirst()
  if (!gone) throw notFound('The content')
  await dropObjects(
    ctx,
    [gone.storage_key, gone.thumbnail_key].filter((key) => key !== null),
  )
  return { ok: true }
}
