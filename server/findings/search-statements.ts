/**
 * The statements of a search. Words are looked up shelf by shelf, the newest first, until there are
 * more matches than are ranked; one shelf holds few enough passages that its index is read at once
 * (server/db/migrations/0018_jobs.sql). So a common word costs as little as a rare one, and of more
 * than `maxRanked` matches the newest are ranked. That statement is prepared and takes all values
 * through `asked`: a plan for any value is as good as one for these.
 */
import { CompiledQuery } from 'kysely'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import type { Media } from '../../domain/findings/findings.ts'
import type { SearchHit } from '../../contract/footage/search.ts'
import type { Db } from '../ground/database.ts'
import { prepare } from '../db/prepared.ts'

export interface Question {
  accountId: string
  q: string
  /** The words in lower case: letters and digits only. */
  tokens: string[]
  limit: number
  contentId: string | undefined
  projectId: string | undefined
}

/** Fields of the media that place a frame of known time in timecode. */
const timingFields = [
  'frame_rate',
  'drop_frame',
  'start_timecode',
  'variable_frame_rate',
] as const satisfies readonly (keyof Media)[]

export interface HitRow {
  job_id: string
  content_id: string | null
  content_name: string
  /** Extractor of the finding, if its job has not ended. */
  open_extractor: ExtractorId | null
  media: Pick<Media, (typeof timingFields)[number]> | null
  kind: SearchHit['kind']
  start_frame: number
  end_frame: number
  start_seconds: number
  text: string
  words: [number, number, number][] | null
  /**
   * The text with marks around matches; unmarked if each word of the query begins one of its words.
   */
  marked: string
  /** Number of matching passages, at most one more than are ranked, and of matching names. */
  passages: number
  names: number
}

/** Upper limit on passages that are ranked and counted. */
export const maxRanked = 500

// Private-use characters, which do not occur in written text.
export const markStart = '\ue000'
export const markEnd = '\ue001'
const markOptions = `HighlightAll=true, StartSel=${markStart}, StopSel=${markEnd}`
const shelfMark = '\ue002'

/** Low enough to forgive one wrong letter in a word of six. */
const alikeEnough = '0.45'
const byPeople = `('word', 'text', 'screen')`

type Filter = 'all' | 'content' | 'project'

const words = byFilter((filter) =>
  prepare<HitRow>(
    `search_words_${filter}`,
    statementText(filter, {
      // The words of one item are read through: they are few.
      passages:
        filter === 'content'
          ? `job_passages p where p.account_id = asked.account_id and p.terms @@ asked.query
          and ${isShown(filter)}`
          : `lateral (select id from job_shelves where account_id = asked.account_id order by id desc) shelf,
        lateral (
          select * from job_passages p
          where p.account_id = asked.account_id and job_shelved_terms(p.shelf, p.terms)
            @@ replace(asked.shelved_query, '${shelfMark}', to_hex(shelf.id))::tsquery
            and ${isShown(filter)}
          limit ${maxRanked + 1}
        ) p`,
      // Speech and written text rank above generated text, whole words above their beginnings.
      rank: `case when p.kind in ${byPeople} then 1 else 0 end
    + ts_rank(p.terms, asked.whole_words)`,
      name: `j.content_name ilike asked.pattern`,
    }),
  ),
)

// Not prepared: the planner needs the account to choose between trigrams and all passages.
const alike: Record<Filter, string> = byFilter((filter) =>
  statementText(filter, {
    passages: `job_passages p where p.account_id = $1 and p.kind in ${byPeople}
      and (p.text ilike asked.pattern or asked.q <% p.text) and ${isShown(filter)}`,
    rank: `word_similarity(asked.q, p.text)`,
    name: `asked.q <% j.content_name`,
  }),
)

/** Finds whole words, their stems and beginnings; a name matches by any part of it. */
export async function findWords(db: Db, question: Question): Promise<HitRow[]> {
  return words[filterOf(question)](db, valuesOf(question))
}

/** Finds parts of words and misspellings. */
export async function findAlike(db: Db, question: Question): Promise<HitRow[]> {
  const statement = CompiledQuery.raw(alike[filterOf(question)], valuesOf(question))
  return (await db.executeQuery<HitRow>(statement)).rows
}

function filterOf({ contentId, projectId }: Question): Filter {
  return contentId ? 'content' : projectId ? 'project' : 'all'
}

function valuesOf({ accountId, q, tokens, limit, contentId, projectId }: Question): unknown[] {
  const beginnings = tokens.map((token) => `${token}:*`).join(' & ')
  const pattern = `%${q.replace(/[\\%_]/g, String.raw`\$&`)}%`
  const begun = tokens.map((token) => String.raw`\m${token}`)
  const values = [accountId, q, beginnings, tokens.join(' & '), pattern, limit]
  return [...values, contentId ?? null, projectId ?? null, begun]
}

function byFilter<T>(make: (filter: Filter) => T): Record<Filter, T> {
  return { all: make('all'), content: make('content'), project: make('project') }
}

/** A way to find and rank passages: SQL on a passage `p`, a job `j` and the values of `asked`. */
interface Way {
  passages: string
  rank: string
  name: string
}

function isSameItem(filter: Filter): string {
  if (filter === 'all') return 'true'
  const isInProject = `j.content_id in (select id from content
    where account_id = asked.account_id and project_id = asked.project_id)`
  if (filter === 'project') return isInProject
  return `j.content_id = asked.content_id and (asked.project_id is null or ${isInProject})`
}

function isShown(filter: Filter): string {
  if (filter === 'all') return 'true'
  return `p.result_id in (select e.result_id from jobs j join job_extractors e on e.job_id = j.id
    where j.account_id = asked.account_id and ${isSameItem(filter)})`
}

/** The best hits, with the total count. Only these are joined with their jobs. */
function statementText(filter: Filter, { passages, rank, name }: Way): string {
  return `
    with asked as materialized (
      select *, regexp_replace(query::text, '''((?:[^'']|'''')*)''', '''${shelfMark}/\\1''', 'g')
        as shelved_query
      from (
        -- A word is among its beginnings; stems are other words.
        select *, case when stems::text = whole_words::text then beginnings
          else stems || beginnings end as query
        from (
          select $1::uuid as account_id, $2::text as q,
            websearch_to_tsquery('english', $2) as stems, to_tsquery('simple', $3) as beginnings,
            to_tsquery('simple', $4) as whole_words, $5::text as pattern, $6::int as max_hits,
            $7::uuid as content_id, $8::uuid as project_id, $9::text[] as begun,
            set_config('pg_trgm.word_similarity_threshold', '${alikeEnough}', true)
        ) value
      ) value
    ),
    passages as materialized (
      select p.id, p.shelf, ${rank} as rank from asked, ${passages} limit ${maxRanked + 1}
    ),
    best as (
      select id, rank from passages order by rank desc, shelf desc, id
      limit (select max_hits from asked)
    ),
    names as (
      select distinct on (coalesce(j.content_id::text, j.content_url))
        j.id as job_id, j.content_id, j.content_name,
        null::text as open_extractor, ${timing('j')}, 'name' as kind,
        0 as start_frame, 0 as end_frame, 0::double precision as start_seconds,
        j.content_name as text, null::json as words,
        3 + word_similarity(asked.q, j.content_name) as rank
      from asked, jobs j
      where j.account_id = asked.account_id and j.kind = 'analysis' and ${name}
        and ${isSameItem(filter)}
      order by coalesce(j.content_id::text, j.content_url), j.seq desc
    ),
    hits as (
      select j.id as job_id, j.content_id, j.content_name, j.open_extractor, ${timing('r')},
        p.kind, p.start_frame,
        p.end_frame, p.start_seconds, p.text, p.words, best.rank
      from asked cross join best
      join job_passages p using (id) join job_results r on r.id = p.result_id
      join lateral (
        select j.id, j.content_id, j.content_name,
          case when j.finished_at is null then e.extractor end as open_extractor
        from job_extractors e
        join jobs j on j.id = e.job_id
        where e.result_id = p.result_id and ${isSameItem(filter)}
        order by j.seq desc limit 1
      ) j on true
      union all select * from names
    )
    select hits.*, case when hits.text ~* all (asked.begun) then hits.text
        else ts_headline('english', hits.text, asked.query, '${markOptions}') end as marked,
      (select count(*)::int from passages) as passages, (select count(*)::int from names) as names
    from asked, (
      select * from hits order by rank desc, content_name, start_frame
      limit (select max_hits from asked)
    ) hits
    order by rank desc, content_name, start_frame`
}

function timing(from: 'j' | 'r'): string {
  const pairs = timingFields.map((field) => `'${field}', ${from}.media->'${field}'`).join(', ')
  return `case when ${from}.media is not null then jsonb_build_object(${pairs}) end as media`
}
