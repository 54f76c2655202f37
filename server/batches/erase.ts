import type { Context } from '../ground/context.ts'

export async function eraseBatches(ctx: Context, accountId: string): Promise<void> {
  await ctx.db.deleteFrom('batches').where('account_id', '=', accountId).execute()
}

/** Deletes batches whose last job is gone. */
export async function expireBatches(ctx: Context, endedBefore: Date): Promise<number> {
  const gone = await ctx.db
    .deleteFrom('batches')
    .where('finished_at', '<', endedBefore)
    .executeTakeFirst()
  return Number(gone.numDeletedRows)
}
