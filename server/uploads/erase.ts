import type { Context } from '../ground/context.ts'
import { abortMultiparts } from './resumable-rows.ts'

/** Removes an account's unfinished uploads; their objects are due at once. */
export async function eraseUploads(ctx: Context, accountId: string): Promise<void> {
  const uploads = await ctx.db
    .deleteFrom('content_resumables')
    .where('account_id', '=', accountId)
    .returning(['storage_key', 'multipart_id'])
    .execute()
  await ctx.db.deleteFrom('content_reservations').where('account_id', '=', accountId).execute()
  await abortMultiparts(ctx, uploads)
}
