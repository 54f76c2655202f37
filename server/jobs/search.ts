/**
 * Search over everything that was found in an account's library: speech word by word, text on
 * screen, shots, talking, cut points and names. Whole words, their stems and beginnings come first, from
 * PostgreSQL's full text search; only where these find nothing, parts of words and misspellings, by
 * trigrams. What people said or wrote is forgiven a wrong letter; what this program wrote about it
 * ("Pause of 0.4 s after …") is found by whole words only.
 */
import type { SearchHit } from '../../contract/search.ts'
import { sourceTimecode } from '../../contract/source-timecode.ts'
import { findAlike, findWords, markEnd, markStart, maxRanked } from './find-passages.ts'
import type { HitRow } from './find-passages.ts'
import { withStills } from './hit-stills.ts'
import type { Verb } from '../verb.ts'

export const search: Verb<'search'> = async (ctx, actor, input) => {
  const { q, limit, content_id: contentId, project_id: projectId } = input.query
  const tokens = q.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  if (tokens.length === 0) return { hits: [], total: 0, more: false }
  const question = { accountId: actor.accountId, q, tokens, limit, contentId, projectId }
  const byWords = await findWords(ctx.db, question)
  const rows = byWords.length > 0 ? byWords : await findAlike(ctx.db, question)
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

/** A word that is marked has at least this share of letter pairs in common. */
const minLikeness = 0.4

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
    timecode:
      row.kind === 'text' ? `page ${startFrame + 1}` : sourceTimecode(row.media, startFrame),
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
