import type { Selectable } from 'kysely'
import type { ApiKey } from '../../contract/api-keys.ts'
import type { Tables } from '../db/tables.ts'
import type { Verb } from '../verb.ts'

export const listApiKeys: Verb<'listApiKeys'> = async (ctx, actor) => {
  const rows = await ctx.db
    .selectFrom('api_keys')
    .selectAll()
    .where('account_id', '=', actor.accountId)
    .orderBy('created_at', 'desc')
    .execute()
  return { apiKeys: rows.map((row) => toApiKey(row, ctx.now())) }
}

export function toApiKey(row: Selectable<Tables['api_keys']>, now: Date): ApiKey {
  return {
    id: row.id,
    name: row.name,
    status: row.expires_at > now ? 'active' : 'expired',
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
    hint: row.hint,
  }
}
