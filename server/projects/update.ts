import type { Verb } from '../ground/verb.ts'
import { checkTimeline } from './check-timeline.ts'
import { readProject } from './read.ts'

export const updateProject: Verb<'updateProject'> = async (ctx, { accountId }, input) => {
  const { id } = input.params
  const { vocabulary, ...changes } = input.body
  const before = await readProject(ctx, accountId, id)
  checkTimeline({ ...before, ...changes })
  await ctx.db
    .updateTable('projects')
    .set({
      ...changes,
      ...(vocabulary ? { vocabulary: JSON.stringify(vocabulary) } : {}),
      updated_at: ctx.now(),
    })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .execute()
  return { project: await readProject(ctx, accountId, id) }
}
