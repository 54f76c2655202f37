import { projectLimits } from '../../domain/project-limits.ts'
import { refuseAtLimit } from '../accounts/lock-account.ts'
import type { Verb } from '../ground/verb.ts'
import { checkTimeline } from './check-timeline.ts'
import { findProject, readProject } from './read.ts'

export const createProject: Verb<'createProject'> = async (ctx, actor, input, exchange) => {
  const { accountId } = actor
  const { vocabulary = [], ...body } = input.body
  const placed = exchange.effectId && (await findProject(ctx, accountId, exchange.effectId))
  if (placed) return { project: placed }
  checkTimeline(body)
  const now = ctx.now()
  const { id } = await ctx.db.transaction().execute(async (trx) => {
    const limit = projectLimits.projects
    await refuseAtLimit(trx, accountId, { table: 'projects', limit, name: 'projects' })
    return trx
      .insertInto('projects')
      .values({
        ...(exchange.effectId ? { id: exchange.effectId } : {}),
        ...body,
        vocabulary: JSON.stringify(vocabulary),
        account_id: accountId,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  })
  return { project: await readProject(ctx, accountId, id) }
}
