import type { Transaction } from 'kysely'
import { apiKeyPrefix } from '../../domain/money/catalogue.ts'
import { ensureTestAccount } from '../accounts/test-account.ts'
import { lockAccount } from '../accounts/lock-account.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { newKeyMail } from '../mail/messages.ts'
import { queueMail } from '../mail/queue.ts'
import { Refusal } from '../ground/refusal.ts'
import { hashApiKey, newApiKey } from './key.ts'
import { toApiKey } from './list.ts'
import { columnsOf, expiryOf } from './options.ts'
import type { Verb } from '../ground/verb.ts'

const maxKeysPerAccount = 100

export const createApiKey: Verb<'createApiKey'> = async (ctx, actor, { body }) => {
  const key = newApiKey(body.mode)
  const now = ctx.now()
  const row = await ctx.db.transaction().execute(async (trx) => {
    await refuseTooMany(trx, actor.accountId)
    const isTest = body.mode === 'test'
    const made = await trx
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
      cause: `key:${made.id}`,
      content: newKeyMail({
        name: made.name,
        hint: made.hint,
        createdAt: made.created_at,
        expiresAt: made.expires_at,
      }),
    })
    return made
  })
  return { apiKey: { ...(await toApiKey(ctx, row)), key } }
}

/** The account's lock makes the count exact when keys are made at the same time. */
async function refuseTooMany(trx: Transaction<Tables>, accountId: string): Promise<void> {
  await lockAccount(trx, accountId)
  const { count } = await trx
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  if (count >= maxKeysPerAccount) {
    throw new Refusal(
      'limit_reached',
      'You have 100 API keys. Please delete one you no longer use.',
    )
  }
}
