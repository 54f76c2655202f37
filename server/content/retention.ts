import type { Context } from '../ground/context.ts'
import { sweepObjects } from '../storage/unowned-objects.ts'
import { finishAbandoned } from '../uploads/finish-resumable.ts'
import { abortMultiparts } from '../uploads/resumable-rows.ts'

/** Content that nobody used since then goes, and its bytes with it. */
export async function expireContent(ctx: Context, usedBefore: Date): Promise<number> {
  const gone = await ctx.db
    .deleteFrom('content')
    .where('last_used_at', '<', usedBefore)
    .executeTakeFirst()
  await sweepObjects(ctx)
  return Number(gone.numDeletedRows)
}

/** Finishes uploads that are whole and forgets those that are not in time; their objects are due at once. */
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
