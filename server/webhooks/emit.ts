import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { WebhookEvent } from '../../domain/money/catalogue.ts'
import type { Tables } from '../ground/generated-tables.ts'
import type { Context } from '../ground/context.ts'

export const webhookQueue = 'send-webhooks'

export interface Event {
  accountId: string
  type: WebhookEvent
  /** Events of one object arrive in the order in which they are emitted. */
  objectId: string
  data: Record<string, unknown>
}

/**
 * Writes an event, its deliveries and their tasks in the transaction that causes it. It costs one
 * read where the account has no webhook for it. An event is kept for webhooks that are switched off
 * too, so that it can be sent later.
 */
export async function emitEvent(
  ctx: Context,
  trx: Transaction<Tables>,
  event: Event,
): Promise<void> {
  const endpoints = await trx
    .selectFrom('webhook_endpoints')
    .select(['id', 'events', 'enabled'])
    .where('account_id', '=', event.accountId)
    .execute()
  const wanting = endpoints.filter(({ events }) => events.includes(event.type))
  if (wanting.length === 0) return
  const eventId = await insertEvent(ctx, trx, event)
  for (const { id, enabled } of wanting) {
    if (enabled) await insertDelivery(ctx, trx, { endpointId: id, eventId, ...event })
  }
}

export async function insertEvent(
  ctx: Context,
  trx: Transaction<Tables>,
  event: Omit<Event, 'type'> & { type: string },
): Promise<string> {
  const now = ctx.now()
  const { type, data } = event
  const { id } = await trx
    .insertInto('webhook_events')
    .values({
      id: randomUUID(),
      account_id: event.accountId,
      type,
      object_id: event.objectId,
      body: JSON.stringify({ type, timestamp: now.toISOString(), data }),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function insertDelivery(
  ctx: Context,
  trx: Transaction<Tables>,
  delivery: { endpointId: string; eventId: string; objectId: string },
): Promise<string> {
  const now = ctx.now()
  const { id } = await trx
    .insertInto('webhook_deliveries')
    .values({
      endpoint_id: delivery.endpointId,
      event_id: delivery.eventId,
      object_id: delivery.objectId,
      state: 'waiting',
      next_at: now,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await queueSending(ctx, delivery.endpointId, { trx })
  return id
}

/** One task of a group runs at a time. */
export async function queueSending(
  ctx: Context,
  endpointId: string,
  options: Parameters<Context['queue']['send']>[2] = {},
): Promise<void> {
  await ctx.queue.send(webhookQueue, { endpointId }, { ...options, group: { id: endpointId } })
}
