import type { Selectable } from 'kysely'
import type { Webhook } from '../../contract/account/webhooks.ts'
import type { Db } from '../ground/database.ts'
import type { Tables } from '../ground/generated-tables.ts'
import type { Context } from '../ground/context.ts'
import { notFound } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'

export type WebhookRow = Selectable<Tables['webhook_endpoints']>

export const listWebhooks: Verb<'listWebhooks'> = async (ctx, { accountId }) => ({
  webhooks: await readWebhooks(ctx, accountId),
})

export async function readWebhooks(ctx: Context, accountId: string): Promise<Webhook[]> {
  const rows = await ctx.db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map((row) => toWebhook(row, ctx.now()))
}

export async function readWebhook(
  db: Db,
  key: { id: string; accountId: string },
): Promise<WebhookRow> {
  const row = await db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '=', key.id)
    .where('account_id', '=', key.accountId)
    .executeTakeFirst()
  if (!row) throw notFound('The webhook')
  return row
}

export function toWebhook(row: WebhookRow, now: Date): Webhook {
  const { previous_until: until } = row
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: row.events,
    enabled: row.enabled,
    off_reason: row.off_reason,
    failing_since: row.failing_since?.toISOString() ?? null,
    previous_secret_until: until && until > now ? until.toISOString() : null,
    created_at: row.created_at.toISOString(),
  }
}
