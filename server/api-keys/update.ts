import type { SpendLimit } from '../../contract/api-keys.ts'
import type { Scope } from '../../contract/endpoint.ts'
import { fromUsdNumber } from '../../contract/money.ts'
import type { Context } from '../process/context.ts'
import { notFound } from '../refusal.ts'
import type { Verb } from '../verb.ts'
import { toApiKey } from './list.ts'

export const updateApiKey: Verb<'updateApiKey'> = async (ctx, actor, { params, body }) => {
  const mine = ctx.db.selectFrom('api_keys').selectAll()
  const changes = {
    ...columnsOf(body),
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.expiresInDays === undefined ? {} : { expires_at: expiryOf(ctx, body.expiresInDays) }),
  }
  const row =
    Object.keys(changes).length === 0
      ? await mine
          .where('id', '=', params.id)
          .where('account_id', '=', actor.accountId)
          .executeTakeFirst()
      : await ctx.db
          .updateTable('api_keys')
          .set(changes)
          .where('id', '=', params.id)
          .where('account_id', '=', actor.accountId)
          .returningAll()
          .executeTakeFirst()
  if (!row) throw notFound('The API key')
  return { apiKey: await toApiKey(ctx, row) }
}

export function expiryOf(ctx: Context, days: number): Date {
  return new Date(ctx.now().getTime() + days * 24 * 3_600_000)
}

interface KeyOptions {
  scopes?: Scope[] | null | undefined
  spend_limit?: SpendLimit | null | undefined
  allowed_addresses?: string[] | null | undefined
}

/** The columns of the options that were sent; what was left out stays as it is. */
export function columnsOf({ scopes, spend_limit: limit, allowed_addresses: ranges }: KeyOptions) {
  return {
    ...(scopes === undefined ? {} : { scopes: scopes && [...new Set(scopes)] }),
    ...(limit === undefined
      ? {}
      : {
          spend_limit_micros: limit && fromUsdNumber(limit.usd),
          spend_limit_period: limit && limit.period,
        }),
    ...(ranges === undefined ? {} : { allowed_addresses: ranges }),
  }
}
