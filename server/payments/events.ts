/** Events of the provider that wait or were set aside, for the operator. */
import type { Context } from '../ground/context.ts'
import { processStoredEvent } from './process-event.ts'

export interface OpenEvent {
  event_id: string
  type: string
  /** Its object: a session, a charge, a dispute. */
  object_id: string | null
  state: 'waiting' | 'dead'
  received_at: Date
  tries: number
  reason: string | null
  next_try_at: Date | null
}

const maxListed = 1000

export async function listOpenEvents(ctx: Context): Promise<OpenEvent[]> {
  const rows = await ctx.db
    .selectFrom('payment_events')
    .select(['event_id', 'type', 'object_id', 'received_at', 'tries', 'dead_at', 'next_try_at'])
    .select('last_error as reason')
    .where('processed_at', 'is', null)
    .orderBy('dead_at', 'desc')
    .orderBy('received_at')
    .limit(maxListed)
    .execute()
  return rows.map(({ dead_at: deadAt, next_try_at: nextTryAt, ...event }) => ({
    ...event,
    state: deadAt ? 'dead' : 'waiting',
    next_try_at: deadAt ? null : nextTryAt,
  }))
}

export interface Replay {
  event_id: string
  ok: boolean
  outcome: string
}

/** Processes open events now, dead ones too: those that are named, or all that are dead. */
export async function replayEvents(ctx: Context, eventIds: readonly string[]): Promise<Replay[]> {
  const open = await listOpenEvents(ctx)
  const chosen = eventIds.length
    ? eventIds
    : open.flatMap((event) => (event.state === 'dead' ? [event.event_id] : []))
  const replays: Replay[] = []
  for (const eventId of chosen) {
    if (!open.some((event) => event.event_id === eventId)) {
      replays.push({ event_id: eventId, ok: false, outcome: 'no open event has this id' })
      continue
    }
    try {
      const outcome = await processStoredEvent(ctx, eventId)
      replays.push({ event_id: eventId, ok: true, outcome })
    } catch (error) {
      replays.push({ event_id: eventId, ok: false, outcome: String(error).slice(0, 500) })
    }
  }
  return replays
}
