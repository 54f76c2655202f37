import type { Context } from '../ground/context.ts'
import { finishAbandoned } from './finish-resumable.ts'
import { abortMultiparts } from './resumable-rows.ts'

/** Finishes whole uploads and forgets late ones; their objects are due at once. */
export async function sweepUploads(ctx: Context): Promise<number> {
  await finishAbandoned(ctx)
  const gone = await ctx.db
    .deleteFrom('content_resumables')
    .where('expires_at', '<', ctx.now())
    .returning(['storage_key', 'multipart_id'])
    .execute()
  await abortMultiparts(ctx, gone)
  await ctx.db.deleteFrom('content_reservations').where('expires_at', '<', ctx.now()).execute()
  return gone.length
}
