import type { Context } from '../ground/context.ts'
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
