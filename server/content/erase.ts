import type { Context } from '../ground/context.ts'
import { sweepObjects } from '../storage/unowned-objects.ts'
import { abortMultiparts } from '../uploads/resumable-rows.ts'

/** Removes an account's library and its unfinished uploads, and their bytes with them. */
export async function eraseContent(ctx: Context, accountId: string): Promise<number> {
  const gone = await ctx.db
    .deleteFrom('content')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const uploads = await ctx.db
    .deleteFrom('content_resumables')
    .where('account_id', '=', accountId)
    .returning(['storage_key', 'multipart_id'])
    .execute()
  await ctx.db.deleteFrom('content_reservations').where('account_id', '=', accountId).execute()
  await abortMultiparts(ctx, uploads)
  await sweepObjects(ctx)
  return Number(gone.numDeletedRows)
}
