import type { Selectable } from 'kysely'
import type { ApiKey } from '../../contract/account/api-keys.ts'
import { toUsd } from '../../domain/money/money.ts'
import { readSpent } from '../billing/spend-limits.ts'
import type { Context } from '../ground/context.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'

export const listApiKeys: Verb<'listApiKeys'> = async (ctx, actor) => {
  const rows = await ctx.db
    .selectFrom('api_keys')
    .selectAll()
    .where('account_id', '=', actor.accountId)
    .orderBy('created_at', 'desc')
    .execute()
  return { apiKeys: await Promise.all(rows.map((row) => toApiKey(ctx, row))) }
}

/** Returns the calling key, for programs that must know what they may do; a session has none. */
export const getCurrentApiKey: Verb<'getCurrentApiKey'> = async (ctx, actor) => {
  if (actor.kind !== 'key') throw new Refusal('not_found', 'This call was made without an API key.')
  const row = await ctx.db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', actor.keyId)
    .executeTakeFirstOrThrow()
  return { apiKey: await toApiKey(ctx, row) }
}

export async function toApiKey(ctx: Context, row: Selectable<Tables['api_keys']>): Promise<ApiKey> {
  const now = ctx.now()
  const period = row.spend_limit_period ?? 'month'
  const spentMicros = await readSpent(ctx.db, { keyId: row.id, period, now })
  return {
    id: row.id,
    name: row.name,
    status: row.expires_at > now ? 'active' : 'expired',
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
    hint: row.hint,
    mode: row.test_account_id ? 'test' : 'live',
    scopes: row.scopes,
    spend_limit:
      row.spend_limit_micros === null ? null : { usd: toUsd(row.spend_limit_micros), period },
    spent_usd: toUsd(spentMicros),
    allowed_addresses: row.allowed_addresses,
    last_used_address: row.last_used_address,
  }
}
