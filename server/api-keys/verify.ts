import type { KeyActor } from '../actor.ts'
import type { Context } from '../process/context.ts'
import { hashApiKey, isWellFormedApiKey } from './key.ts'

const lastUsedStepMs = 60_000

/** One indexed look-up by hash; a key with a wrong checksum does not get that far. */
export async function verifyApiKey(ctx: Context, key: string): Promise<KeyActor | null> {
  if (!isWellFormedApiKey(key)) return null
  const now = ctx.now()
  const row = await ctx.db
    .selectFrom('api_keys')
    .select(['id', 'account_id', 'last_used_at'])
    .where('key_sha256', '=', hashApiKey(key))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return null
  const isStale = !row.last_used_at || now.getTime() - row.last_used_at.getTime() > lastUsedStepMs
  if (isStale) {
    await ctx.db
      .updateTable('api_keys')
      .set({ last_used_at: now })
      .where('id', '=', row.id)
      .execute()
  }
  return { kind: 'key', accountId: row.account_id, keyId: row.id }
}
