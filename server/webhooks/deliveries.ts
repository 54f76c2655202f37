import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { readRowCursor } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'
import { readWebhook } from './read.ts'

const maxAttemptsShown = 20

export const listWebhookDeliveries: Verb<'listWebhookDeliveries'> = async (ctx, actor, input) => {
  const { limit, cursor } = input.query
  const { id } = await readWebhook(ctx.db, { id: input.params.id, accountId: actor.accountId })
  let query = ctx.db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_events as e', 'e.id', 'd.event_id')
    .select(['d.id', 'd.seq', 'd.event_id', 'd.state', 'd.created_at', 'd.next_at'])
    .select(['e.type', 'e.body'])
    .select((row) =>
      jsonArrayFrom(
        row
          .selectFrom('webhook_attempts as a')
          .select(['a.ms', 'a.status', 'a.answer'])
          .select(sql<number>`extract(epoch from a.at) * 1000`.as('atMs'))
          .whereRef('a.delivery_id', '=', 'd.id')
          .orderBy('a.id', 'desc')
          .limit(maxAttemptsShown),
      ).as('attempts'),
    )
    .where('d.endpoint_id', '=', id)
    .orderBy('d.seq', 'desc')
    .limit(limit + 1)
  if (cursor !== undefined) query = query.where('d.seq', '<', readRowCursor(cursor))
  const rows = await query.execute()
  const shown = rows.slice(0, limit)
  return {
    deliveries: shown.map((row) => ({
      id: row.id,
      event_id: row.event_id,
      type: row.type,
      state: row.state,
      created_at: row.created_at.toISOString(),
      next_at: row.state === 'waiting' ? row.next_at.toISOString() : null,
      body: row.body,
      attempts: row.attempts.map(({ atMs, ...attempt }) => ({
        ...attempt,
        at: new Date(atMs).toISOString(),
      })),
    })),
    next_cursor: rows.length > limit ? String(shown.at(-1)?.seq) : null,
  }
}
