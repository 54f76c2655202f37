import { notFound } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'
import { toApiKey } from './list.ts'
import { columnsOf, expiryOf } from './options.ts'

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
