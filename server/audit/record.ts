/**
 * Writes down who changed what.
 *
 * INVARIANT: no change without an entry. A verb may write in several transactions, in storage and
 * at the payment provider, so the entry is committed before the verb runs.
 *
 * STATES of an entry               made by
 *   begun                          begin, before the verb
 *   begun -> done                  close, once the verb has answered
 *   begun -> removed               remove, when the verb refused: nothing was changed
 * An entry that stays begun is of a call under way, or of one whose process died or failed over it.
 */
import { api } from '../../contract/api.ts'
import type { EndpointName } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Actor, KeyActor, SessionActor } from '../ground/actor.ts'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'

export interface Change {
  name: EndpointName
  actor: Actor
  address: string
  input: object
}

/**
 * Runs a verb and records it. Calls that only read, or that nobody signed in for, leave no entry.
 */
export async function recordChange<Answer>(
  ctx: Context,
  change: Change,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const { actor } = change
  if (!changesSomething(change.name)) return run()
  if (actor.kind !== 'session' && actor.kind !== 'key') return run()
  const id = await begin(ctx, { ...change, actor })
  let answer: Answer
  try {
    answer = await run()
  } catch (error) {
    if (error instanceof Refusal) await settle(ctx, id, () => remove(ctx, id))
    throw error
  }
  await settle(ctx, id, () => close(ctx, id, objectOf(change.input, answer)))
  return answer
}

function changesSomething(name: EndpointName): boolean {
  const endpoint: Endpoint = api[name]
  return endpoint.method !== 'GET' && endpoint.method !== 'HEAD' && !endpoint.changesNothing
}

async function begin(
  ctx: Context,
  { name, actor, address, input }: Change & { actor: SessionActor | KeyActor },
): Promise<number> {
  const { id } = await ctx.db
    .insertInto('audit_entries')
    .values({
      account_id: actor.accountId,
      action: name,
      actor_kind: actor.kind,
      actor_id: actor.kind === 'key' ? actor.keyId : actor.sessionId,
      address,
      object_id: objectOf(input, null),
      at: ctx.now(),
      ended_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function close(ctx: Context, id: number, objectId: string | null): Promise<void> {
  await ctx.db
    .updateTable('audit_entries')
    .set({ object_id: objectId, ended_at: ctx.now() })
    .where('id', '=', id)
    .execute()
}

async function remove(ctx: Context, id: number): Promise<void> {
  await ctx.db.deleteFrom('audit_entries').where('id', '=', id).execute()
}

/**
 * Completes the entry. A failure is only logged: the verb is done, and the caller gets its result.
 */
async function settle(ctx: Context, id: number, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    ctx.log.error({ err: error, auditId: id }, 'audit entry not settled')
  }
}

/** The ids that the call names, or the id of the object in its answer. */
function objectOf(input: object, answer: unknown): string | null {
  const { params, query, body } = input as Record<string, Record<string, unknown> | undefined>
  const named = params?.['id'] ?? query?.['keyId'] ?? body?.['client_id']
  if (typeof named === 'string') return named
  const createdId = answerId(answer)
  const many = body?.['content_ids']
  // Calls for many items return how many of them were the caller's.
  return createdId === null && Array.isArray(many) && countOf(answer) > 0
    ? many.join(',')
    : createdId
}

function countOf(answer: unknown): number {
  const counts = Object.values(answer ?? {}).filter((value) => typeof value === 'number')
  return Math.max(0, ...counts)
}

function answerId(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return null
  for (const value of Object.values(answer)) {
    const id = (value as { id?: unknown } | null)?.id
    if (typeof id === 'string') return id
  }
  return null
}
