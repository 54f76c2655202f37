import { projectLimits } from '../../domain/project-limits.ts'
import { lockAccount } from '../accounts/lock-account.ts'
import type { Verb } from '../ground/verb.ts'
import { Refusal } from '../ground/refusal.ts'
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
    await lockAccount(trx, accountId)
    const { count } = await trx
      .selectFrom('projects')
      .select((build) => build.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    if (count >= projectLimits.projects) {
      throw new Refusal(
        'limit_reached',
        `You have ${projectLimits.projects} projects. Please delete one you no longer use.`,
      )
    }
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
