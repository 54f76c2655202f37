import type { Context } from '../ground/context.ts'
import { notFound } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'

export const deleteWebhook: Verb<'deleteWebhook'> = async (ctx, { accountId }, { params }) => {
  const removed = await ctx.db
    .deleteFrom('webhook_endpoints')
    .where('id', '=', params.id)
    .where('account_id', '=', accountId)
    .returning('id')
    .executeTakeFirst()
  if (!removed) throw notFound('The webhook')
  return { ok: true }
}

export async function eraseWebhooks(ctx: Context, accountId: string): Promise<void> {
  await ctx.db.deleteFrom('webhook_endpoints').where('account_id', '=', accountId).execute()
  await ctx.db.deleteFrom('webhook_events').where('account_id', '=', accountId).execute()
}

/** Events go with their deliveries and attempts. */
export async function expireEvents(ctx: Context, createdBefore: Date): Promise<number> {
  const gone = await ctx.db
    .deleteFrom('webhook_events')
    .where('created_at', '<', createdBefore)
    .executeTakeFirst()
  return Number(gone.numDeletedRows)
}
