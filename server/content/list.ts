import { sql } from 'kysely'
import type { Api } from '../../contract/api.ts'
import type { Input, Reply } from '../../contract/endpoint.ts'
import type { ContentItem } from '../../contract/footage/content.ts'
import { Id } from '../../domain/fields.ts'
import type { Member } from '../ground/actor.ts'
import type { Context } from '../ground/context.ts'
import type { Verb } from '../ground/verb.ts'
import { badCursor, notFound } from '../ground/refusal.ts'
import { matches, sorting } from './filter.ts'
import { toContentItem, toContentItems } from './item.ts'

type Page = Reply<Api['listContent']>
type PageQuery = Input<Api['listContent']>['query']

export const listContent: Verb<'listContent'> = (ctx, actor, { query }) =>
  readContentPage(ctx, actor, query)

export async function readContentPage(
  ctx: Context,
  actor: Member,
  query: PageQuery,
): Promise<Page> {
  const { limit, cursor, ...filter } = query
  const sorted = sorting(filter)
  const after = cursor === undefined ? null : readCursor(cursor, sorted.name)
  const matching = ctx.db
    .selectFrom('content')
    .where('account_id', '=', actor.accountId)
    .where(matches(filter, actor.accountId))
  const [rows, { total }] = await Promise.all([
    matching
      .selectAll()
      .select(sorted.value.as('sort_value'))
      .where(after ? sorted.after(after) : sql<boolean>`true`)
      .orderBy(sorted.orderBy)
      .limit(limit + 1)
      .execute(),
    matching.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ])
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = rows.length > page.length
  return {
    content: await toContentItems(ctx, actor, page),
    next_cursor: hasMore && last ? writeCursor(sorted.name, last.sort_value, last.id) : null,
    total,
  }
}

const maxIds = 10_000

export const listContentIds: Verb<'listContentIds'> = async (ctx, actor, { query }) => {
  const sorted = sorting(query)
  const rows = await ctx.db
    .selectFrom('content')
    .select(['id', sql<number | null>`(media->>'duration')::double precision`.as('seconds')])
    .select(sql<number>`count(*) over ()`.as('total'))
    .where('account_id', '=', actor.accountId)
    .where(matches(query, actor.accountId))
    .orderBy(sorted.orderBy)
    .limit(maxIds)
    .execute()
  return {
    items: rows.map(({ id, seconds }) => ({ id, seconds })),
    total: rows[0]?.total ?? 0,
  }
}

export const getContent: Verb<'getContent'> = async (ctx, actor, { params }) => ({
  content: await readContent(ctx, actor, params.id),
})

export async function readContent(ctx: Context, actor: Member, id: string): Promise<ContentItem> {
  const row = await ctx.db
    .selectFrom('content')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', actor.accountId)
    .executeTakeFirst()
  if (!row) throw notFound('The content')
  return toContentItem(ctx, actor, row)
}

function writeCursor(sort: string, value: string, id: string): string {
  return Buffer.from(JSON.stringify([sort, value, id])).toString('base64url')
}

/** A cursor belongs to the order that it was made in. */
function readCursor(cursor: string, sort: string): { value: string; id: string } {
  const parts = parse(Buffer.from(cursor, 'base64url').toString())
  const [sortedBy, value, id] = Array.isArray(parts) ? (parts as unknown[]) : []
  if (sortedBy === sort && typeof value === 'string' && isSortValue(sort, value)) {
    const parsed = Id.safeParse(id)
    if (parsed.success) return { value, id: parsed.data }
  }
  throw badCursor()
}

function isSortValue(sort: string, value: string): boolean {
  if (sort.startsWith('name')) return value.isWellFormed() && !value.includes('\0')
  if (/^(added|used)/.test(sort)) return isMoment(value)
  const isWhole = sort.startsWith('size')
  return (isWhole ? /^-?\d{1,18}$/ : /^-?\d{1,18}(\.\d{1,20})?(e[+-]?\d\d)?$/).test(value)
}

/** As the database writes it. */
function isMoment(value: string): boolean {
  const isWritten = /^(?!0000)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d$/.test(value)
  return isWritten && !Number.isNaN(Date.parse(`${value}:00`))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
