import type { Transaction } from 'kysely'
import type { Tables } from '../ground/generated-tables.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'
import { insertDelivery, insertEvent, queueSending } from './emit.ts'
import { readWebhook } from './read.ts'
import type { WebhookRow } from './read.ts'

export const testWebhook: Verb<'testWebhook'> = async (ctx, { accountId }, { params }) => {
  const webhook = await readWebhook(ctx.db, { id: params.id, accountId })
  refuseSwitchedOff(webhook)
  const deliveryId = await ctx.db.transaction().execute(async (trx) => {
    const objectId = webhook.id
    const data = { webhook_id: webhook.id, message: 'This is a test. Nothing happened.' }
    const eventId = await insertEvent(ctx, trx, { accountId, type: 'webhook.test', objectId, data })
    return insertDelivery(ctx, trx, { endpointId: webhook.id, eventId, objectId })
  })
  return { delivery_id: deliveryId }
}

export const redeliverWebhook: Verb<'redeliverWebhook'> = async (ctx, actor, { params, body }) => {
  const webhook = await readWebhook(ctx.db, { id: params.id, accountId: actor.accountId })
  refuseSwitchedOff(webhook)
  const now = ctx.now()
  const redelivered = await ctx.db.transaction().execute(async (trx) => {
    const count = body.since
      ? await wakeSince(trx, { webhook, since: new Date(body.since), now })
      : await wakeOne(trx, { webhook, id: body.delivery_id ?? '', now })
    if (count > 0) await queueSending(ctx, webhook.id, { trx })
    return count
  })
  return { redelivered }
}

function refuseSwitchedOff({ enabled }: WebhookRow): void {
  if (enabled) return
  throw new Refusal('conflict', 'This webhook is switched off. Switch it on first.')
}

async function wakeOne(
  trx: Transaction<Tables>,
  { webhook, id, now }: { webhook: WebhookRow; id: string; now: Date },
): Promise<number> {
  const woken = await trx
    .updateTable('webhook_deliveries')
    .set({ state: 'waiting', tries: 0, next_at: now, ended_at: null })
    .where('id', '=', id)
    .where('endpoint_id', '=', webhook.id)
    .returning('id')
    .executeTakeFirst()
  if (!woken) throw notFound('The delivery')
  return 1
}

/** Every event of the chosen kinds since then: those that were sent, and those that never were. */
async function wakeSince(
  trx: Transaction<Tables>,
  { webhook, since, now }: { webhook: WebhookRow; since: Date; now: Date },
): Promise<number> {
  const woken = await trx
    .insertInto('webhook_deliveries')
    .columns(['endpoint_id', 'event_id', 'object_id', 'state', 'next_at', 'created_at'])
    .expression((from) =>
      from
        .selectFrom('webhook_events as e')
        .select((row) => [
          row.val(webhook.id).$castTo<string>().as('endpoint_id'),
          'e.id as event_id',
          'e.object_id',
          row.val('waiting' as const).as('state'),
          row.val(now).as('next_at'),
          'e.created_at',
        ])
        .where('e.account_id', '=', webhook.account_id)
        .where('e.created_at', '>=', since)
        .where('e.type', 'in', webhook.events)
        .orderBy('e.created_at'),
    )
    .onConflict((conflict) =>
      conflict.columns(['endpoint_id', 'event_id']).doUpdateSet({
        state: 'waiting',
        tries: 0,
        next_at: now,
        ended_at: null,
      }),
    )
    .executeTakeFirst()
  return Number(woken.numInsertedOrUpdatedRows ?? 0n)
}
