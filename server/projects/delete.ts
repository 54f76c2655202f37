import type { Context } from '../ground/context.ts'
import type { Verb } from '../ground/verb.ts'
import { notFound } from '../ground/refusal.ts'

/** Its items stay in the library: the database sets their project to none. */
export const deleteProject: Verb<'deleteProject'> = async (ctx, { accountId }, { params }) => {
  const gone = await ctx.db
    .deleteFrom('projects')
    .where('id', '=', params.id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (gone.numDeletedRows === 0n) throw notFound('The project')
  return { ok: true }
}

export async function eraseProjects(ctx: Context, accountId: string): Promise<void> {
  await ctx.db.deleteFrom('projects').where('account_id', '=', accountId).execute()
}
