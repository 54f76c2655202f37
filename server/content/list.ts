import type { ContentItem } from '../../contract/content.ts'
import { Id, Timestamp } from '../../contract/fields.ts'
import type { Member } from '../actor.ts'
import type { Context } from '../process/context.ts'
import { notFound, Refusal } from '../refusal.ts'
import { toContentItem } from './item.ts'

export async function listContent(
  ctx: Context,
  actor: Member,
  { query }: { query: { limit: number; cursor?: string | undefined } },
): Promise<{ content: ContentItem[]; next_cursor: string | null }> {
  const after = query.cursor === undefined ? null : readCursor(query.cursor)
  const rows = await ctx.db
    .selectFrom('content')
    .selectAll()
    .where('account_id', '=', actor.accountId)
    .where((of) =>
      after
        ? of(of.refTuple('created_at', 'id'), '<', of.tuple(after.createdAt, after.id))
        : of.lit(true),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
    .execute()
  const page = rows.slice(0, query.limit)
  const last = page.at(-1)
  const hasMore = rows.length > page.length
  return {
    content: await Promise.all(page.map((row) => toContentItem(ctx, actor, row))),
    next_cursor: hasMore && last ? writeCursor({ createdAt: last.created_at, id: last.id }) : null,
  }
}

export async function getContent(
  ctx: Context,
  actor: Member,
  { params }: { params: { id: string } },
): Promise<{ content: ContentItem }> {
  const row = await ctx.db
    .selectFrom('content')
    .selectAll()
    .where('id', '=', params.id)
    .where('account_id', '=', actor.accountId)
    .executeTakeFirst()
  if (!row) throw notFound('The content')
  return { content: await toContentItem(ctx, actor, row) }
}

interface Position {
  createdAt: Date
  id: string
}

function writeCursor({ createdAt, id }: Position): string {
  return Buffer.from(`${createdAt.toISOString()} ${id}`).toString('base64url')
}

function readCursor(cursor: string): Position {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [createdAt = '', id = ''] = text.split(' ')
  if (!Timestamp.safeParse(createdAt).success || !Id.safeParse(id).success) {
    throw new Refusal('invalid', 'This cursor is not valid.', { field: 'cursor' })
  }
  return { createdAt: new Date(createdAt), id }
}
