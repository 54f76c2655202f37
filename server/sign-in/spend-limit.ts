import { fromUsdNumber, toUsd } from '../../domain/money/money.ts'
import { readSpent } from '../billing/spend-limits.ts'
import type { Verb } from '../ground/verb.ts'

export const getSpendLimit: Verb<'getSpendLimit'> = async (ctx, { accountId }) => {
  const account = await ctx.db
    .selectFrom('accounts')
    .select('monthly_limit_micros')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const spentMicros = await readSpent(ctx.db, { accountId, period: 'month', now: ctx.now() })
  const limit = account.monthly_limit_micros
  return { monthly_usd: limit === null ? null : toUsd(limit), spent_usd: toUsd(spentMicros) }
}

export const saveSpendLimit: Verb<'saveSpendLimit'> = async (ctx, actor, { body }) => {
  const limit = body.monthly_usd === null ? null : fromUsdNumber(body.monthly_usd)
  await ctx.db
    .updateTable('accounts')
    .set({ monthly_limit_micros: limit })
    .where('id', '=', actor.accountId)
    .execute()
  return getSpendLimit(ctx, actor, {})
}
