import { notFound } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'
import { webhookLimits } from '../../domain/money/catalogue.ts'
import { readUrl } from './create.ts'
import { readWebhook, toWebhook } from './read.ts'
import { newSecret, sealSecret } from './secret.ts'

export const updateWebhook: Verb<'updateWebhook'> = async (ctx, { accountId }, input) => {
  const { url, events, description, enabled } = input.body
  const key = { id: input.params.id, accountId }
  const changes = {
    ...(url === undefined ? {} : { url: readUrl(ctx.config, url) }),
    ...(events === undefined ? {} : { events: [...new Set(events)] }),
    ...(description === undefined ? {} : { description }),
    // Whoever switches it on again starts with a clean record.
    ...(enabled === undefined ? {} : { enabled, off_reason: null, failing_since: null }),
  }
  if (Object.keys(changes).length > 0) {
    await ctx.db
      .updateTable('webhook_endpoints')
      .set(changes)
      .where('id', '=', key.id)
      .where('account_id', '=', accountId)
      .execute()
  }
  return { webhook: toWebhook(await readWebhook(ctx.db, key), ctx.now()) }
}

export const rotateWebhookSecret: Verb<'rotateWebhookSecret'> = async (ctx, actor, { params }) => {
  const now = ctx.now()
  const secret = newSecret()
  const sealed = await sealSecret(ctx, secret)
  const row = await ctx.db
    .updateTable('webhook_endpoints')
    .set((old) => ({
      secret: sealed,
      previous_secret: old.ref('secret'),
      previous_until: new Date(now.getTime() + webhookLimits.previousSecretHours * 3_600_000),
    }))
    .where('id', '=', params.id)
    .where('account_id', '=', actor.accountId)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw notFound('The webhook')
  return { webhook: { ...toWebhook(row, now), secret } }
}
