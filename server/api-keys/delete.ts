import type { SessionActor } from '../actor.ts'
import type { Context } from '../process/context.ts'
import { notFound } from '../refusal.ts'

export async function deleteApiKey(
  ctx: Context,
  actor: SessionActor,
  { query }: { query: { keyId: string } },
): Promise<{ ok: true }> {
  return removeKey(ctx, actor, query.keyId)
}

export async function deleteApiKeyById(
  ctx: Context,
  actor: SessionActor,
  { params }: { params: { id: string } },
): Promise<{ ok: true }> {
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
