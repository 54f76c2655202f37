import type { SessionActor } from '../ground/actor.ts'
import type { Context } from '../ground/context.ts'
import { notFound } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'

export const deleteApiKey: Verb<'deleteApiKey'> = async (ctx, actor, { query }) => {
  return removeKey(ctx, actor, query.keyId)
}

export const deleteApiKeyById: Verb<'deleteApiKeyById'> = async (ctx, actor, { params }) => {
  return removeKey(ctx, actor, params.id)
}

async function removeKey(ctx: Context, actor: SessionActor, id: string): Promise<{ ok: true }> {
  const removed = await ctx.db
    .deleteFrom('api_keys')
    .where('id', '=', id)
    .where('account_id', '=', actor.accountId)
    .returning('id')
    .executeTakeFirst()
  if (!removed) throw notFound('The API key')
  return { ok: true }
}
