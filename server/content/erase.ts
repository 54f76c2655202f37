import type { Context } from '../ground/context.ts'
import { sweepObjects } from '../storage/unowned-objects.ts'

/** Removes an account's library, and its bytes with it. */
export async function eraseContent(ctx: Context, accountId: string): Promise<number> {
  const gone = await ctx.db
    .deleteFrom('content')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  await sweepObjects(ctx)
  return Number(gone.numDeletedRows)
}
