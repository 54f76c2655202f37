import { sql } from 'kysely'
import { jobStatuses } from '../../contract/jobs.ts'
import type { JobStatus } from '../../contract/jobs.ts'
import { badCursor, Refusal } from '../refusal.ts'
import { toWire, withExtractors } from './read.ts'
import type { Verb } from '../verb.ts'

export const listJobs: Verb<'listJobs'> = async (ctx, actor, input) => {
  const { limit, cursor, status, extractor, content_id: contentId, q } = input.query
  let query = withExtractors(ctx.db.selectFrom('jobs'))
    .where('account_id', '=', actor.accountId)
    .orderBy('seq', 'desc')
    .limit(limit + 1)
  if (cursor) query = query.where('seq', '<', readCursor(cursor))
  if (status) query = query.where('status', 'in', readStatuses(status))
  if (contentId) query = query.where('content_id', '=', contentId)
  if (extractor) {
    query = query.where(sql<boolean>`${extractor} = any(string_to_array(workflow, ','))`)
  }
  if (q?.trim()) {
    query = query.where(
      'content_name',
      'ilike',
      `%${q.trim().replace(/[\\%_]/g, String.raw`\$&`)}%`,
    )
  }
  const rows = await query.execute()
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    jobs: page.map(toWire),
    next_cursor: rows.length > limit && last ? String(last.seq) : null,
  }
}

function readCursor(cursor: string): number {
  const seq = Number(cursor)
  if (/^\d{1,15}$/.test(cursor) && Number.isSafeInteger(seq)) return seq
  throw badCursor()
}

function readStatuses(text: string): JobStatus[] {
  return text.split(',').map((item) => {
    const known = jobStatuses.find((status) => status === item.trim())
    if (known) return known
    throw new Refusal('invalid', `There is no job status "${item.trim()}".`, { field: 'status' })
  })
}
