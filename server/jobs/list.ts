import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { jobStatuses } from '../../contract/jobs.ts'
import type { Job, JobStatus } from '../../contract/jobs.ts'
import type { Db } from '../db/open.ts'
import { prepareTogether } from '../db/prepared.ts'
import { badCursor, Refusal } from '../refusal.ts'
import { forList, toListed, toWire, withExtractors } from './read.ts'
import type { Verb } from '../verb.ts'

type Filters = Omit<Parameters<typeof listJobs>[2]['query'], 'limit'>

export const listJobs: Verb<'listJobs'> = async (ctx, actor, input) => {
  const { limit } = input.query
  const page = { accountId: actor.accountId, limit: limit + 1 }
  const { limit: _, ...filters } = input.query
  const isFirst = Object.values(filters).every((value) => value === undefined)
  const rows = isFirst
    ? await firstPage(ctx.db, page)
    : await filtered(newest(ctx.db, page), filters).execute()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    jobs: shown.map(toListed),
    next_cursor: rows.length > limit && last ? String(last.seq) : null,
  }
}

const exportedAtOnce = 100

/** Every job of an account with its media, newest first. */
export async function readAllJobs(db: Db, accountId: string): Promise<Job[]> {
  const jobs: Job[] = []
  const page = withExtractors(db.selectFrom('jobs'))
    .where('account_id', '=', accountId)
    .orderBy('seq', 'desc')
    .limit(exportedAtOnce)
  let rows = await page.execute()
  while (rows.length > 0) {
    jobs.push(...rows.map(toWire))
    rows = await page.where('seq', '<', rows.at(-1)!.seq).execute()
  }
  return jobs
}

function newest(db: Db, page: { accountId: string | RawBuilder<string>; limit: number }) {
  return forList(db.selectFrom('jobs'))
    .where('account_id', '=', page.accountId)
    .orderBy('seq', 'desc')
    .limit(page.limit)
}

type NewestRow = Awaited<ReturnType<ReturnType<typeof newest>['execute']>>[number]
type SelectFirst = ReturnType<typeof prepareTogether<NewestRow & { sought: string }>>

let selectFirst: SelectFirst | undefined
const firstValues = new Map<number, readonly unknown[]>()

/** What the dashboards ask for again and again: those of one moment are read together. */
async function firstPage(
  db: Db,
  { accountId, limit }: { accountId: string; limit: number },
): Promise<NewestRow[]> {
  let values = firstValues.get(limit)
  if (!values) {
    const page = newest(db, { accountId: sql.ref<string>('wanted.id'), limit }).compile()
    selectFirst ??= prepareTogether(
      'first_jobs',
      `select wanted.id as sought, page.*
        from unnest($${page.parameters.length + 1}::uuid[]) as wanted (id)
        cross join lateral (${page.sql}) page`,
    )
    values = page.parameters
    firstValues.set(limit, values)
  }
  const rows = await selectFirst!(db, { sought: accountId, values, group: String(limit) })
  return rows.toSorted((a, b) => b.seq - a.seq)
}

function filtered(
  query: ReturnType<typeof newest>,
  { cursor, status, extractor, content_id: contentId, q }: Filters,
): ReturnType<typeof newest> {
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
  return query
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
