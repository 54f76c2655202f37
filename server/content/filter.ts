/** Which items of a library match, and the order that pages follow. */
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type { ContentFilter } from '../../contract/footage/content.ts'
import { formatRational } from '../../domain/time/rational.ts'
import { parseRate } from '../../domain/time/timecode.ts'

type Where = RawBuilder<SqlBool>

export function matches(filter: ContentFilter, accountId: string): Where {
  const rules = [
    filter.q?.trim() && sql<SqlBool>`content.file_name ilike ${contains(filter.q.trim())}`,
    filter.project_id === 'none' && sql<SqlBool>`content.project_id is null`,
    filter.project_id &&
      filter.project_id !== 'none' &&
      sql<SqlBool>`content.project_id = ${filter.project_id}`,
    filter.bin_id && inBin(filter.bin_id, { below: filter.below !== 'no', accountId }),
    filter.min_rating !== undefined && sql<SqlBool>`content.rating >= ${filter.min_rating}`,
    filter.max_rating !== undefined && sql<SqlBool>`content.rating <= ${filter.max_rating}`,
    filter.keyword &&
      sql<SqlBool>`exists (select from unnest(content.keywords) as keyword
        where lower(keyword) = lower(${filter.keyword}))`,
    filter.type && sql<SqlBool>`content.content_type = ${filter.type}`,
    filter.kind && sql<SqlBool>`content.media->>'kind' = ${filter.kind}`,
    filter.rate && sql<SqlBool>`content.media->>'frame_rate' = ${rateText(filter.rate)}`,
    filter.analysed && analysed(filter.analysed, accountId),
    filter.speech && hasSpeech(filter.speech === 'yes', accountId),
    filter.added_from && sql<SqlBool>`content.created_at >= ${filter.added_from}`,
    filter.added_to && sql<SqlBool>`content.created_at < ${filter.added_to}`,
  ].filter((rule): rule is Where => typeof rule === 'object')
  return rules.length > 0 ? sql.join<SqlBool>(rules, sql` and `) : sql<SqlBool>`true`
}

function inBin(id: string, { below, accountId }: { below: boolean; accountId: string }): Where {
  if (id === 'none') return sql<SqlBool>`content.bin_id is null`
  if (!below) return sql<SqlBool>`content.bin_id = ${id}`
  return sql<SqlBool>`content.bin_id in (
    with recursive tree as (
      select id from bins where id = ${id} and account_id = ${accountId}
      union all select bins.id from bins join tree on bins.parent_id = tree.id
    ) select id from tree)`
}

function contains(text: string): string {
  return `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`
}

function rateText(text: string): string {
  const rate = parseRate(text)
  return rate ? formatRational(rate) : text
}

/**
 * The view groups the jobs of the accounts that it is asked for: name the one. "Is true" has the
 * items found once and looked up, where a join for one page may go through them for each row.
 */
function analysed(state: NonNullable<ContentFilter['analysed']>, accountId: string): Where {
  const has = (wanted: string): Where =>
    sql<SqlBool>`(content.id in (select a.content_id from content_analysis a
      where a.account_id = ${accountId} and a.state = ${wanted}) is true)`
  if (state === 'running') return has(state)
  if (state === 'failed') return sql<SqlBool>`(${has(state)} or content.check_state = 'refused')`
  return state === 'yes' ? has('done') : sql<SqlBool>`not ${has('done')}`
}

function hasSpeech(wanted: boolean, accountId: string): Where {
  const speech = sql<SqlBool>`(content.id in (select s.content_id from content_with_speech s
    where s.account_id = ${accountId}) is true)`
  return wanted ? speech : sql<SqlBool>`not ${speech}`
}

/** The compared value of each sort, never null, and the type of a cursor's text. */
const sortKeys = {
  added: { key: sql`content.created_at`, type: sql`timestamptz` },
  used: { key: sql`content.last_used_at`, type: sql`timestamptz` },
  name: { key: sql`lower(content.file_name)`, type: sql`text` },
  length: {
    key: sql`coalesce((content.media->>'duration')::double precision, -1)`,
    type: sql`double precision`,
  },
  size: { key: sql`coalesce(content.file_size, -1)`, type: sql`bigint` },
}

export function sorting({ sort = 'added', order }: ContentFilter) {
  const { key, type } = sortKeys[sort]
  const isAscending = (order ?? (sort === 'name' ? 'asc' : 'desc')) === 'asc'
  const direction = isAscending ? sql`asc` : sql`desc`
  const beyond = isAscending ? sql`>` : sql`<`
  return {
    /** The sort's value as text, exact enough to go on behind it. */
    value: sql<string>`(${key})::text`,
    orderBy: sql`${key} ${direction}, content.id ${direction}`,
    after: (cursor: { value: string; id: string }) =>
      sql<SqlBool>`(${key}, content.id) ${beyond} (${cursor.value}::${type}, ${cursor.id}::uuid)`,
    name: `${sort} ${isAscending ? 'asc' : 'desc'}`,
  }
}
