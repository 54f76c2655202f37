import { webhookLimits } from '../../domain/money/catalogue.ts'
import { refuseAtLimit } from '../accounts/lock-account.ts'
import { isAllowedPlace } from '../ground/allowed-address.ts'
import type { PlaceRules } from '../ground/allowed-address.ts'
import { Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'
import { toWebhook } from './read.ts'
import { newSecret, sealSecret } from './secret.ts'

export const createWebhook: Verb<'createWebhook'> = async (ctx, { accountId }, { body }) => {
  const url = readUrl(ctx.config, body.url)
  const now = ctx.now()
  const secret = newSecret()
  const sealed = await sealSecret(ctx, secret)
  const row = await ctx.db.transaction().execute(async (trx) => {
    const limit = webhookLimits.maxEndpoints
    await refuseAtLimit(trx, accountId, { table: 'webhook_endpoints', limit, name: 'webhooks' })
    return trx
      .insertInto('webhook_endpoints')
      .values({
        account_id: accountId,
        url,
        description: body.description,
        events: [...new Set(body.events)],
        secret: sealed,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  return { webhook: { ...toWebhook(row, now), secret } }
}

/** Refuses an address that can never work; every delivery checks where its name leads. */
export function readUrl(config: PlaceRules, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && isAllowedPlace(config, url)) {
    url.hash = ''
    return url.href
  }
  throw new Refusal(
    'invalid',
    'Please enter a public address that begins with https:// or http://, on the usual ports.',
    { field: 'url' },
  )
}
