/**
 * Search over everything that was found in an account's library: speech word by word, text on
 * screen, shots, talking, cut points and names. Whole words, their stems and beginnings come first, from
 * PostgreSQL's full text search; only where these find nothing, parts of words and misspellings, by
 * trigrams. What people said or wrote is forgiven a wrong letter; what this program wrote about it
 * ("Pause of 0.4 s after …") is found by whole words only.
 */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Media } from '../../contract/findings.ts'
import type { SearchHit } from '../../contract/search.ts'
import {
  canDropFrame,
  parseRate,
  parseTimecode,
  timecodeFormat,
  toTimecode,
} from '../../contract/timecode.ts'
import type { Db } from '../db/open.ts'
import { withStills } from './hit-stills.ts'
import type { Verb } from '../verb.ts'

interface HitRow {
  job_id: string
  content_id: string | null
  content_name: string
  media: Media | null
  kind: SearchHit['kind']
  start_frame: number
  end_frame: number
  start_seconds: number
  text: string
  words: [number, number, number][] | null
  /** The text with marks around what the full text search matched. */
  marked: string
  total: number
}

export const search: Verb<'search'> = async (ctx, actor, input) => {
  const { q, limit, content_id: contentId, project_id: projectId } = input.query
  const tokens = q.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  if (tokens.length === 0) return { hits: [], total: 0 }
  const asked = { accountId: actor.accountId, q, tokens, limit, contentId, projectId }
  const byWords = await findHits(ctx.db, asked, wordMatches(asked))
  const rows = byWords.length > 0 ? byWords : await findAlike(ctx.db, asked)
  const hits = rows.map((row) => toHit(row, tokens))
  return { hits: await withStills(ctx, actor, hits), total: rows[0]?.total ?? 0 }
}

/** One wrong letter in a word of six is forgiven. */
const alikeEnough = '0.45'
/** A word that is said more often cannot be ranked in time, nor read through. */
const maxRanked = 5000
/** A word that is marked has at least this share of letter pairs in common. */
const minLikeness = 0.4

// Private-use characters, which no text that people wrote holds.
const markStart = '\ue000'
const markEnd = '\ue001'
const markOptions = `HighlightAll=true, StartSel=${markStart}, StopSel=${markEnd}`

interface Question {
  accountId: string
  q: string
  tokens: string[]
  limit: number
  contentId: string | undefined
  projectId: string | undefined
}

/** Conditions on a passage `p`, whose terms `asked.query` may match, and on the name of a job `j`. */
interface Matches {
  passage: RawBuilder<boolean>
  name: RawBuilder<boolean>
}

function wordMatches({ q }: Question): Matches {
  return {
    passage: sql`p.terms @@ asked.query`,
    name: sql`j.content_name ilike ${containing(q)}`,
  }
}

async function findAlike(db: Db, question: Question): Promise<HitRow[]> {
  const { q } = question
  return db.transaction().execute(async (trx) => {
    const setting = 'pg_trgm.word_similarity_threshold'
    await sql`select set_config(${setting}, ${alikeEnough}, true)`.execute(trx)
    return findHits(trx, question, {
      passage: sql`p.kind in ('word', 'text', 'screen')
        and (p.text ilike ${containing(q)} or ${q} <% p.text)`,
      name: sql`${q} <% j.content_name`,
    })
  })
}

function containing(q: string): string {
  return `%${q.replace(/[\\%_]/g, String.raw`\$&`)}%`
}

/** The best hits, with the number of all. Only these are looked up in their jobs. */
async function findHits(db: Db, question: Question, matches: Matches): Promise<HitRow[]> {
  const { accountId, q, limit, contentId, projectId } = question
  const beginnings = question.tokens.map((token) => `${token}:*`).join(' & ')
  const sameContent = contentId ? sql`and j.content_id = ${contentId}` : sql``
  const sameProject = projectId
    ? sql`and j.content_id in (select id from content
        where account_id = ${accountId} and project_id = ${projectId})`
    : sql``
  const isShown =
    contentId || projectId
      ? sql`and exists (select from job_extractors e join jobs j on j.id = e.job_id
          where e.result_id = p.result_id ${sameContent} ${sameProject})`
      : sql``
  const { rows } = await sql<HitRow>`
    with asked as (
      select websearch_to_tsquery('english', ${q}) || to_tsquery('simple', ${beginnings}) as query
    ),
    passages as materialized (
      select p.id, p.result_id, p.kind, p.start_frame, p.text, p.terms from asked, job_passages p
      where p.account_id = ${accountId} and ${matches.passage} ${isShown}
      limit ${maxRanked}
    ),
    best as (
      select p.id, ts_rank(p.terms, asked.query)
        + case when p.kind in ('word', 'text', 'screen') then word_similarity(${q}, p.text) else 0 end as rank
      from asked, passages p
      order by rank desc, p.result_id, p.start_frame limit ${limit}
    ),
    names as (
      select distinct on (coalesce(j.content_id::text, j.content_url))
        j.id as job_id, j.content_id, j.content_name, j.media, 'name' as kind, 0 as start_frame,
        0 as end_frame, 0::double precision as start_seconds, j.content_name as text,
        null::json as words, 1 + word_similarity(${q}, j.content_name) as rank
      from jobs j
      where j.account_id = ${accountId} and j.kind = 'analysis' and ${matches.name} ${sameContent} ${sameProject}
      order by coalesce(j.content_id::text, j.content_url), j.seq desc
    ),
    hits as (
      select j.id as job_id, j.content_id, j.content_name, r.media, p.kind, p.start_frame,
        p.end_frame, p.start_seconds, p.text, p.words, best.rank
      from best join job_passages p using (id) join job_results r on r.id = p.result_id
      join lateral (
        select j.id, j.content_id, j.content_name from job_extractors e
        join jobs j on j.id = e.job_id
        where e.result_id = p.result_id ${sameContent} ${sameProject}
        order by j.seq desc limit 1
      ) j on true
      union all select * from names
    )
    select hits.*, ts_headline('english', hits.text, asked.query, ${markOptions}) as marked,
      (select count(*)::int from passages) + (select count(*)::int from names) as total
    from (select * from hits order by rank desc, content_name, start_frame limit ${limit}) hits, asked
    order by rank desc, content_name, start_frame`.execute(db)
  return rows
}

function toHit(row: HitRow, tokens: string[]): SearchHit {
  const highlights = highlightsOf(row, tokens)
  const first = highlights[0]?.[0] ?? 0
  // Speech is found to the word, not to the sentence.
  const word = row.words?.findLast(([offset]) => offset <= first)
  const startFrame = word?.[1] ?? row.start_frame
  return {
    job_id: row.job_id,
    content_id: row.content_id,
    content_name: row.content_name,
    kind: row.kind,
    start_frame: startFrame,
    end_frame: Math.max(row.end_frame, startFrame),
    passage_start_frame: row.start_frame,
    start: word?.[2] ?? row.start_seconds,
    timecode: row.kind === 'text' ? `page ${startFrame + 1}` : timecodeOf(row.media, startFrame),
    text: row.text,
    highlights,
  }
}

/** Matches of the full text search, and words that begin like or look like a token. */
function highlightsOf(row: HitRow, tokens: string[]): [number, number][] {
  const ranges = readMarks(row.marked)
  const words = [...row.text.matchAll(/[\p{L}\p{N}]+/gu)]
  for (const token of tokens) {
    for (const word of words) {
      if (!word[0].toLowerCase().startsWith(token)) continue
      ranges.push([word.index, word.index + word[0].length])
    }
  }
  if (ranges.length === 0 && isByPeople(row.kind)) {
    const likeness = (word: RegExpExecArray): number =>
      Math.max(...tokens.map((token) => likenessOf(token, word[0].toLowerCase())))
    const best = words.toSorted((a, b) => likeness(b) - likeness(a))[0]
    if (best && likeness(best) >= minLikeness) {
      ranges.push([best.index, best.index + best[0].length])
    }
  }
  const sorted = ranges.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])
  return sorted.filter((range, index) => index === 0 || range[0] >= (sorted[index - 1]?.[1] ?? 0))
}

/** Said, written or named by a person, and so spelled in any way. */
function isByPeople(kind: SearchHit['kind']): boolean {
  return kind === 'word' || kind === 'text' || kind === 'screen' || kind === 'name'
}

function readMarks(marked: string): [number, number][] {
  const ranges: [number, number][] = []
  let at = 0
  let from = 0
  for (const part of marked.split(/([\ue000\ue001])/)) {
    if (part === markStart) from = at
    else if (part === markEnd) ranges.push([from, at])
    else at += part.length
  }
  return ranges
}

/** Share of letter pairs that two words have in common. */
function likenessOf(a: string, b: string): number {
  const pairs = (text: string): string[] =>
    Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2))
  const left = pairs(a)
  const right = new Set(pairs(b))
  const shared = left.filter((pair) => right.has(pair)).length
  return (2 * shared) / Math.max(1, left.length + right.size)
}

function timecodeOf(media: Media | null, frame: number): string {
  const rate = parseRate(media?.frame_rate ?? '25/1')
  if (!rate) return ''
  const format = timecodeFormat(rate, Boolean(media?.drop_frame) && canDropFrame(rate))
  const start = media?.start_timecode ? parseTimecode(media.start_timecode, format) : 0
  return toTimecode((start ?? 0) + frame, format)
}
