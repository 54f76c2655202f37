import type { Verb } from '../ground/verb.ts'
import type { Context } from '../ground/context.ts'
import { notFound } from '../ground/refusal.ts'

export const deleteCut: Verb<'deleteCut'> = async (ctx, { accountId }, { params }) => {
  const gone = await ctx.db
    .deleteFrom('cuts')
    .where('id', '=', params.id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (gone.numDeletedRows === 0n) throw notFound('The cut')
  return { ok: true }
}

export async function eraseCuts(ctx: Context, accountId: string): Promise<void> {
  await ctx.db.deleteFrom('cuts').where('account_id', '=', accountId).execute()
}
