import type { Context } from '../process/context.ts'
import { sweepGarbage } from './garbage.ts'

/** Content that nobody used since then goes, and its bytes with it. */
export async function expireContent(ctx: Context, usedBefore: Date): Promise<number> {
  const gone = await ctx.db
    .deleteFrom('content')
    .where('last_used_at', '<', usedBefore)
    .executeTakeFirst()
  await sweepGarbage(ctx)
  return Number(gone.numDeletedRows)
}

/** Uploads that nobody finished, and every object that no row owns. */
export async function sweepContent(ctx: Context): Promise<{ resumables: number; objects: number }> {
  const given = await ctx.db
    .deleteFrom('content_resumables')
    .where('expires_at', '<', ctx.now())
    .executeTakeFirst()
  await ctx.db.deleteFrom('content_reservations').where('expires_at', '<', ctx.now()).execute()
  return { resumables: Number(given.numDeletedRows), objects: await sweepGarbage(ctx) }
}
