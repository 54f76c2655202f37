import { api } from '../../contract/api.ts'
import type { EndpointName } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Actor } from '../actor.ts'
import type { Context } from '../process/context.ts'

export interface Change {
  name: EndpointName
  actor: Actor
  address: string
  input: object
  answer: unknown
}

/** Writes down a call that changed something. Calls that only read, or that nobody signed, pass. */
export async function recordChange(ctx: Context, change: Change): Promise<void> {
  const { actor } = change
  const endpoint: Endpoint = api[change.name]
  const isRead = endpoint.method === 'GET' || endpoint.method === 'HEAD'
  if (isRead || endpoint.changesNothing || (actor.kind !== 'session' && actor.kind !== 'key'))
    return
  await ctx.db
    .insertInto('audit_entries')
    .values({
      account_id: actor.accountId,
      action: change.name,
      actor_kind: actor.kind,
      actor_id: actor.kind === 'key' ? actor.keyId : actor.sessionId,
      address: change.address,
      object_id: objectOf(change),
      at: ctx.now(),
    })
    .execute()
}

/** The id in the path or query, or of the one object in the answer. */
function objectOf({ input, answer }: Change): string | null {
  const { params, query } = input as Record<string, Record<string, unknown> | undefined>
  const named = params?.['id'] ?? query?.['keyId']
  if (typeof named === 'string') return named
  if (typeof answer !== 'object' || answer === null) return null
  for (const value of Object.values(answer)) {
    const id = (value as { id?: unknown } | null)?.id
    if (typeof id === 'string') return id
  }
  return null
}
