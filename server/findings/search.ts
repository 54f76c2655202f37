/**
 * Searches all findings of an account's library: speech word by word, text on screen, shots,
 * talking, cut points and names. Whole words, their stems and beginnings come first, from
 * PostgreSQL's full text search; only where these match nothing, parts of words and misspellings,
 * by trigrams. A wrong letter is forgiven in people's words, not in the product's own.
 */
import type { SearchHit } from '../../contract/footage/search.ts'
import { formatRational, rational, toNumber } from '../../domain/time/rational.ts'
import type { Rational } from '../../domain/time/rational.ts'
import { sourceNames, sourceTimecode } from '../../domain/time/source-timecode.ts'
import { frameTime, toTimecode } from '../../domain/time/timecode.ts'
import { highlightsOf } from './search-highlights.ts'
import { findAlike, findWords, maxRanked } from './search-statements.ts'
import type { HitRow } from './search-statements.ts'
import { withStills } from './hit-stills.ts'
import { noteFindings } from '../jobs/reads.ts'
import type { Context } from '../ground/context.ts'
import type { Verb } from '../ground/verb.ts'

export const search: Verb<'search'> = async (ctx, actor, input) => {
  const { q, limit, content_id: contentId, project_id: projectId } = input.query
  const tokens = q.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  if (tokens.length === 0) return { hits: [], total: 0, more: false }
  const question = { accountId: actor.accountId, q, tokens, limit, contentId, projectId }
  const byWords = await findWords(ctx.db, question)
  const matches = byWords.length > 0 ? byWords : await findAlike(ctx.db, question)
  const rows = await noteHits(ctx, matches)
  const [first] = rows
  const counted = first ? Math.min(first.passages, maxRanked) + first.names : 0
  return {
    hits: await withStills(
      ctx,
      actor,
      rows.map((row) => toHit(row, tokens)),
    ),
    total: counted,
    more: first !== undefined && first.passages > maxRanked,
  }
}

/** Leaves out hits in jobs that have failed meanwhile. */
async function noteHits(ctx: Context, rows: HitRow[]): Promise<HitRow[]> {
  const open = Map.groupBy(
    rows.filter((row) => row.open_extractor !== null),
    (row) => row.job_id,
  )
  const gone = new Set<string>()
  for (const [jobId, hits] of open) {
    const extractors = [...new Set(hits.flatMap((hit) => hit.open_extractor ?? []))]
    if (!(await noteFindings(ctx, jobId, extractors))) gone.add(jobId)
  }
  return rows.filter((row) => row.open_extractor === null || !gone.has(row.job_id))
}

function toHit(row: HitRow, tokens: string[]): SearchHit {
  const highlights = highlightsOf(row, tokens)
  const first = highlights[0]?.[0] ?? 0
  // Speech is found to the word, not to the sentence.
  const word = row.words?.findLast(([offset]) => offset <= first)
  const startFrame = word?.[1] ?? row.start_frame
  const start = word?.[2] ?? row.start_seconds
  return {
    job_id: row.job_id,
    content_id: row.content_id,
    content_name: row.content_name,
    kind: row.kind,
    start_frame: startFrame,
    end_frame: Math.max(row.end_frame, startFrame),
    passage_start_frame: row.start_frame,
    ...(isMoment(row) ? { passage_timecodes: passageTimecodes(row) } : {}),
    start,
    timecode:
      row.kind === 'text'
        ? `page ${startFrame + 1}`
        : sourceTimecode(row.media, startFrame, exactTime(start)),
    text: row.text,
    highlights,
  }
}

function isMoment({ kind, start_frame: from, end_frame: to }: HitRow): boolean {
  return kind !== 'text' && kind !== 'name' && to > from
}

function passageTimecodes({ media, ...row }: HitRow) {
  const { format, startFrame, countTo } = sourceNames(media)
  // The time of the hit's first frame is known; other frames follow at the clip's rate.
  const from = countTo(row.start_frame, formatRational(exactTime(row.start_seconds)))
  const length = countTo(row.end_frame) - countTo(row.start_frame)
  return {
    in: toTimecode(startFrame + from, format),
    out: toTimecode(startFrame + from + length, format),
    length: toTimecode(length, format),
    seconds: toNumber(frameTime(length, format.rate)),
  }
}

/** Rounds up, so that a time half-way between two frames goes to the later one, as in exports. */
function exactTime(seconds: number): Rational {
  return rational(Math.ceil(seconds * 1e9), 1e9)
}
