import { api } from '../../contract/api.ts'
import type { EndpointName } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { AuditEntry } from '../../contract/account/audit.ts'
import type { Context } from '../ground/context.ts'
import { inPages } from '../db/in-pages.ts'
import { readRowCursor } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'

export const listAudit: Verb<'listAudit'> = async (ctx, { accountId }, { query }) => {
  const { limit, cursor } = query
  const before = cursor === undefined ? null : readRowCursor(cursor)
  const rows = await readEntries(ctx, { accountId, limit: limit + 1, before })
  const entries = rows.slice(0, limit)
  return { entries, next_cursor: rows.length > limit ? (entries.at(-1)?.id ?? null) : null }
}

const exportedAtOnce = 1000

/** Reads every entry, newest first, for the account's export. */
export function readAllAudit(ctx: Context, accountId: string): AsyncGenerator<AuditEntry> {
  const page = { accountId, limit: exportedAtOnce }
  return inPages(exportedAtOnce, (last) =>
    readEntries(ctx, { ...page, before: last && Number(last.id) }),
  )
}

async function readEntries(
  ctx: Context,
  page: { accountId: string; limit: number; before: number | null },
): Promise<AuditEntry[]> {
  // Entries of test keys belong to the person who made the keys.
  const own = ctx.db
    .selectFrom('accounts')
    .select('id')
    .where((row) => row.or([row('id', '=', page.accountId), row('test_of', '=', page.accountId)]))
  let query = ctx.db
    .selectFrom('audit_entries as e')
    .leftJoin('api_keys as k', 'k.id', 'e.actor_id')
    .select(['e.id', 'e.action', 'e.object_id', 'e.actor_kind', 'e.actor_id', 'e.address', 'e.at'])
    .select(['k.name as key_name', 'e.account_id', 'e.ended_at'])
    .where('e.account_id', 'in', own)
    .orderBy('e.id', 'desc')
    .limit(page.limit)
  if (page.before !== null) query = query.where('e.id', '<', page.before)
  const rows = await query.execute()
  return rows.map((row) => ({
    id: String(row.id),
    action: row.action,
    // An older version may have had calls that are gone.
    summary: recordOf(row.action),
    object_id: row.object_id,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.key_name },
    mode: row.account_id === page.accountId ? 'live' : 'test',
    address: row.address,
    at: row.at.toISOString(),
    is_done: row.ended_at !== null,
  }))
}

function recordOf(action: string): string {
  const endpoint: Endpoint | undefined = api[action as EndpointName]
  return endpoint?.record ?? endpoint?.summary ?? action
}
