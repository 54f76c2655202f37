import type { Context } from '../process/context.ts'
import { sweepObjects } from '../storage/unowned-objects.ts'

/** Removes an account's library and its unfinished uploads, and their bytes with them. */
export async function eraseContent(ctx: Context, accountId: string): Promise<number> {
  const gone = await ctx.db
    .deleteFrom('content')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  await ctx.db.deleteFrom('content_resumables').where('account_id', '=', accountId).execute()
  await sweepObjects(ctx)
  return Number(gone.numDeletedRows)
}
