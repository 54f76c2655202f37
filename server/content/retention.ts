import type { Context } from '../process/context.ts'
import { sweepObjects } from '../storage/unowned-objects.ts'

/** Content that nobody used since then goes, and its bytes with it. */
export async function expireContent(ctx: Context, usedBefore: Date): Promise<number> {
  const gone = await ctx.db
    .deleteFrom('content')
    .where('last_used_at', '<', usedBefore)
    .executeTakeFirst()
  await sweepObjects(ctx)
  return Number(gone.numDeletedRows)
}

/** Forgets uploads that nobody finished; their objects are due at once. */
export async function sweepUploads(ctx: Context): Promise<number> {
  const gone = await ctx.db
    .deleteFrom('content_resumables')
    .where('expires_at', '<', ctx.now())
    .executeTakeFirst()
  await ctx.db.deleteFrom('content_reservations').where('expires_at', '<', ctx.now()).execute()
  return Number(gone.numDeletedRows)
}
