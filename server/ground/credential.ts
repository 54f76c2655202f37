/**
 * A credential of a caller: a session or an API key. Event streams and tickets outlive
 * the request that opened them, so they keep its credential and end when it does.
 */
import type { Credential, Member } from './actor.ts'
import type { Context } from './context.ts'

export function credentialOf(actor: Member): Credential {
  if (actor.kind === 'ticket') return actor.credential
  return actor.kind === 'key'
    ? { kind: 'key', id: actor.keyId }
    : { kind: 'session', id: actor.sessionId }
}

/** The ids of those that are neither revoked nor expired. */
export async function liveCredentials(
  ctx: Pick<Context, 'db' | 'now'>,
  credentials: readonly Credential[],
): Promise<ReadonlySet<string>> {
  const live = new Set<string>()
  for (const [kind, table] of [
    ['session', 'sessions'],
    ['key', 'api_keys'],
  ] as const) {
    const ids = credentials.filter((item) => item.kind === kind).map((item) => item.id)
    if (ids.length === 0) continue
    const rows = await ctx.db
      .selectFrom(table)
      .select('id')
      .where('id', 'in', [...new Set(ids)])
      .where('expires_at', '>', ctx.now())
      .execute()
    for (const row of rows) live.add(row.id)
  }
  return live
}
