/** Ratings and keywords, which an editor gives to clips. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { clipMarks } from '../../domain/clip-marks.ts'
import { Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'

export const markContent: Verb<'markContent'> = async (ctx, { accountId }, { body }) => {
  const { content_ids: ids, rating, add_keywords: added, remove_keywords: removed } = body
  const marked = await ctx.db
    .updateTable('content')
    .set((eb) => ({
      rating: rating ?? eb.ref('rating'),
      keywords: keywordsOf(sql`${eb.ref('keywords')}`, added, removed),
    }))
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .executeTakeFirst()
    .catch(refuseTooMany)
  return { marked: Number(marked.numUpdatedRows) }
}

export const listKeywords: Verb<'listKeywords'> = async (ctx, { accountId }) => {
  const { rows } = await sql<{ keyword: string; count: number }>`
    select min(keyword) as keyword, count(*)::int as count
    from content, unnest(keywords) as keyword
    where account_id = ${accountId} group by lower(keyword)
    order by count desc, lower(min(keyword)) limit 500`.execute(ctx.db)
  return { keywords: rows }
}

/** Each once, whatever its capitals, in the order in which they came. */
export function keywordsOf(
  present: RawBuilder<unknown>,
  added: string[] = [],
  removed: string[] = [],
): RawBuilder<string[]> {
  return sql<string[]>`(
    select coalesce(array_agg(word order by place), '{}') from (
      select distinct on (lower(word)) word, place
      from unnest(${present} || ${added}::text[]) with ordinality as listed (word, place)
      where not exists (select from unnest(${removed}::text[]) as gone where lower(gone) = lower(word))
      order by lower(word), place
    ) as kept)`
}

/** The table's own limit decides: another request may have added some in between. */
function refuseTooMany(error: { code?: string; constraint?: string }): never {
  if (error.code !== '23514' || error.constraint !== 'content_keywords_check') throw error
  throw new Refusal('invalid', `A clip has at most ${clipMarks.keywords} keywords.`, {
    field: 'add_keywords',
  })
}
