/**
 * Sends webhooks.
 *
 * STATES of a delivery                                      made by
 *   waiting -> delivered   an answer from 200 to 299        keepAttempt
 *   waiting -> waiting     any other, a later attempt       keepAttempt
 *   waiting -> failed      the last attempt, after 3 days   keepAttempt
 *           -> failed      its webhook was switched off     switchOff
 *   delivered, failed -> waiting   asked for again          redeliverWebhook (redeliver.ts)
 *
 * INVARIANTS
 *  1. At least once: a delivery and its task are written with the event. A delivery is `waiting`
 *     until an answer is kept, and `sweepWebhooks` finds those whose task was lost.
 *  2. In order: a delivery is sent only when no earlier one of the same webhook and object waits.
 *  3. One task at a time sends for a webhook (`atOnce`, server/tasks.ts), and the task of a sender
 *     that died starts again at once. Where one was frozen, a request is sent twice.
 *  4. One webhook has at most 8 requests under way, and 1 while it fails: a slow receiver does not
 *     keep others waiting.
 *
 * Nothing here runs in the transaction of a job or a payment; those only write rows.
 */
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { Tables } from '../ground/generated-tables.ts'
import { webhookOffMail } from '../mail/messages.ts'
import { queueMail } from '../mail/queue.ts'
import type { Context } from '../ground/context.ts'
import { queueSending } from './emit.ts'
import { post } from './post.ts'
import type { Attempt } from './post.ts'
import { openSecret } from './secret.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** After each failed attempt; together 3 days. */
const pausesMs = [
  5000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  18 * hourMs,
  22 * hourMs,
]
const offAfterMs = 5 * 24 * hourMs
const maxAtOnce = 8
/** A task hands over to the next one after this time. */
const maxTaskMs = 60_000

/** The queue's task: sends everything that is due for one webhook. */
export async function sendWebhooks(ctx: Context, endpointId: string): Promise<number> {
  const untilMs = Date.now() + maxTaskMs
  let sent = 0
  while (Date.now() < untilMs) {
    const due = await findDue(ctx, endpointId)
    if (due.length === 0) return sent
    await Promise.all(due.map((delivery) => attempt(ctx, delivery)))
    sent += due.length
  }
  await queueSending(ctx, endpointId)
  return sent
}

/** Takes up what no task is left for: a sender died, or a retry is due. */
export async function sweepWebhooks(ctx: Context): Promise<number> {
  const now = ctx.now()
  const due = await ctx.db
    .selectFrom('webhook_deliveries')
    .select('endpoint_id')
    .distinct()
    .where('state', '=', 'waiting')
    .where('next_at', '<=', now)
    .execute()
  for (const row of due) await queueSending(ctx, row.endpoint_id)
  return due.length
}

interface Due {
  id: string
  endpointId: string
  eventId: string
  tries: number
  url: string
  body: string
  secrets: Buffer[]
}

async function findDue(ctx: Context, endpointId: string): Promise<Due[]> {
  const now = ctx.now()
  const endpoint = await ctx.db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '=', endpointId)
    .where('enabled', '=', true)
    .executeTakeFirst()
  if (!endpoint) return []
  const { rows } = await sql<{ id: string; event_id: string; tries: number; body: string }>`
      select w.id, w.event_id, w.tries, e.body
      from webhook_deliveries w join webhook_events e on e.id = w.event_id
      where w.endpoint_id = ${endpointId} and w.state = 'waiting' and w.next_at <= ${now}
        and not exists (
          select from webhook_deliveries o
          where o.endpoint_id = w.endpoint_id and o.object_id = w.object_id
            and o.state = 'waiting' and (o.created_at, o.seq) < (w.created_at, w.seq)
        )
      order by w.created_at, w.seq
      limit ${endpoint.failing_since ? 1 : maxAtOnce}`.execute(ctx.db)
  const isRotating = endpoint.previous_until && endpoint.previous_until > now
  const secrets = [endpoint.secret, ...(isRotating ? [endpoint.previous_secret] : [])]
  return rows.map((row) => ({
    id: row.id,
    endpointId,
    eventId: row.event_id,
    tries: row.tries,
    url: endpoint.url,
    body: row.body,
    secrets: secrets.filter((secret) => secret !== null),
  }))
}

async function attempt(ctx: Context, delivery: Due): Promise<void> {
  const { url, body, eventId, endpointId } = delivery
  const secrets = await openSecrets(ctx, delivery.secrets)
  if (secrets.length === 0) {
    ctx.log.error({ webhookId: endpointId }, 'webhook secret was sealed with another SECRETS_KEY')
  }
  const result =
    secrets.length > 0 ? await post(ctx, { url, body, eventId, secrets }) : unsigned(ctx.now())
  await ctx.db.transaction().execute((trx) => keepAttempt(ctx, trx, { delivery, result }))
}

/** Opens those that fit this service's key: others were sealed before SECRETS_KEY was changed. */
async function openSecrets(ctx: Context, sealed: readonly Buffer[]): Promise<string[]> {
  const opened = await Promise.all(sealed.map((secret) => openSecret(ctx, secret)))
  return opened.filter((secret) => secret !== null)
}

function unsigned(at: Date): Attempt {
  const answer = 'Not sent: its secret can no longer be read. Rotate the secret of this webhook.'
  return { at, ms: 0, status: null, answer, isReceived: false }
}

async function keepAttempt(
  ctx: Context,
  trx: Transaction<Tables>,
  { delivery, result }: { delivery: Due; result: Attempt },
): Promise<void> {
  const { endpointId } = delivery
  const endpoint = await trx
    .selectFrom('webhook_endpoints')
    .select(['id', 'account_id', 'url', 'failing_since', 'enabled'])
    .where('id', '=', endpointId)
    .forUpdate()
    .executeTakeFirst()
  // Deleted while the request was under way, and its deliveries with it.
  if (!endpoint) return
  await trx
    .insertInto('webhook_attempts')
    .values({
      delivery_id: delivery.id,
      at: result.at,
      ms: result.ms,
      status: result.status,
      answer: result.answer,
    })
    .execute()
  const mine = trx
    .updateTable('webhook_deliveries')
    .where('id', '=', delivery.id)
    .where('state', '=', 'waiting')
  const now = ctx.now()
  const tries = sql<number>`tries + 1`
  if (result.isReceived) {
    await mine.set({ tries, state: 'delivered', ended_at: now }).execute()
    if (endpoint.failing_since) await markFailing(trx, endpointId, null)
    return
  }
  const pauseMs = pausesMs[delivery.tries]
  if (pauseMs === undefined) await mine.set({ tries, state: 'failed', ended_at: now }).execute()
  else {
    const nextAt = new Date(now.getTime() + pauseMs)
    await mine.set({ tries, next_at: nextAt }).execute()
    const startAfter = Math.ceil(pauseMs / 1000)
    await queueSending(ctx, endpointId, { trx, startAfter })
  }
  const since = endpoint.failing_since ?? now
  if (!endpoint.failing_since) await markFailing(trx, endpointId, now)
  if (endpoint.enabled && now.getTime() - since.getTime() >= offAfterMs) {
    await switchOff(ctx, trx, { ...endpoint, since, result })
  }
}

async function markFailing(
  trx: Transaction<Tables>,
  endpointId: string,
  since: Date | null,
): Promise<void> {
  await trx
    .updateTable('webhook_endpoints')
    .set({ failing_since: since })
    .where('id', '=', endpointId)
    .execute()
}

async function switchOff(
  ctx: Context,
  trx: Transaction<Tables>,
  endpoint: { id: string; account_id: string; url: string; since: Date; result: Attempt },
): Promise<void> {
  const day = endpoint.since.toISOString().slice(0, 10)
  const last = String(endpoint.result.status ?? endpoint.result.answer).replace(/\.$/, '')
  await trx
    .updateTable('webhook_endpoints')
    .set({
      enabled: false,
      off_reason: `Nothing was received since ${day}. Last answer: ${last}.`.slice(0, 300),
    })
    .where('id', '=', endpoint.id)
    .execute()
  await trx
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', ended_at: ctx.now() })
    .where('endpoint_id', '=', endpoint.id)
    .where('state', '=', 'waiting')
    .execute()
  await queueMail(ctx, trx, {
    accountId: endpoint.account_id,
    kind: 'webhooks',
    cause: `webhook:${endpoint.id}:${endpoint.since.getTime()}`,
    content: webhookOffMail({
      url: endpoint.url,
      failingSince: endpoint.since,
      lastAnswer: last,
    }),
  })
  ctx.log.warn({ webhookId: endpoint.id }, 'webhook switched off')
}
