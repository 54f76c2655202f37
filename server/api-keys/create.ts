import { apiKeyPrefix } from '../../domain/money/catalogue.ts'
import { ensureTestAccount } from '../accounts/test-account.ts'
import { refuseAtLimit } from '../accounts/lock-account.ts'
import { newKeyMail } from '../mail/messages.ts'
import { queueMail } from '../mail/queue.ts'
import { hashApiKey, newApiKey } from './key.ts'
import { toApiKey } from './list.ts'
import { columnsOf, expiryOf } from './options.ts'
import type { Verb } from '../ground/verb.ts'

const maxKeysPerAccount = 100

export const createApiKey: Verb<'createApiKey'> = async (ctx, actor, { body }) => {
  const key = newApiKey(body.mode)
  const now = ctx.now()
  const row = await ctx.db.transaction().execute(async (trx) => {
    const limit = { table: 'api_keys', limit: maxKeysPerAccount, name: 'API keys' } as const
    await refuseAtLimit(trx, actor.accountId, limit)
    const isTest = body.mode === 'test'
    const created = await trx
      .insertInto('api_keys')
      .values({
        ...columnsOf(body),
        account_id: actor.accountId,
        name: body.name,
        key_sha256: hashApiKey(key),
        hint: key.slice(0, apiKeyPrefix.length + 4),
        test_account_id: isTest ? await ensureTestAccount(trx, actor.accountId) : null,
        created_at: now,
        last_used_at: null,
        expires_at: expiryOf(ctx, body.expiresInDays),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await queueMail(ctx, trx, {
      accountId: actor.accountId,
      kind: 'security',
      cause: `key:${created.id}`,
      content: newKeyMail({
        name: created.name,
        hint: created.hint,
        createdAt: created.created_at,
        expiresAt: created.expires_at,
      }),
    })
    return created
  })
  return { apiKey: { ...(await toApiKey(ctx, row)), key } }
}
