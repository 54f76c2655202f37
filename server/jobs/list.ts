import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { api } from '../../contract/api.ts'
import { jobStatuses } from '../../contract/footage/jobs.ts'
import type { Job, JobStatus } from '../../contract/footage/jobs.ts'
import type { Context } from '../ground/context.ts'
import type { Db } from '../ground/database.ts'
import { readRowCursor, Refusal } from '../ground/refusal.ts'
import { forList, toListed, toWire, withExtractors } from './read.ts'
import type { Prefetch } from '../db/prefetch.ts'
import type { Actor } from '../ground/actor.ts'
import type { Verb } from '../ground/verb.ts'

type Query = Parameters<typeof listJobs>[2]['query']
type Filters = Omit<Query, 'limit'>

export const listJobs: Verb<'listJobs'> = async (ctx, actor, input) => {
  const { limit, ...filters } = input.query
  const page = { accountId: actor.accountId, limit: limit + 1 }
  const { rows, open } =
    (isFirst(filters) && known.get(actor)) || (await readPage(ctx.db, page, filters))
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    jobs: shown.map(toListed),
    next_cursor: rows.length > limit && last ? String(last.seq) : null,
    in_progress: open,
  }
}

interface JobPage {
  rows: NewestRow[]
  /** Jobs that have not ended, on all pages. */
  open: number
}

async function readPage(
  db: Db,
  page: { accountId: string; limit: number },
  filters: Filters,
): Promise<JobPage> {
  const [rows, counted] = await Promise.all([
    filtered(newest(db, page), filters).execute(),
    countOpen(sql.val(page.accountId)).execute(db),
  ])
  return { rows, open: counted.rows[0]?.open ?? 0 }
}

/** The index `jobs_open` holds these rows only. */
function countOpen(accountId: RawBuilder<unknown>): RawBuilder<{ open: number }> {
  return sql`select count(*)::int as open from jobs
    where account_id = ${accountId} and kind = 'analysis' and finished_at is null`
}

const exportedAtOnce = 100

/** Every job of an account with its media, newest first. */
export async function* readAllJobs(db: Db, accountId: string): AsyncGenerator<Job> {
  const page = withExtractors(db.selectFrom('jobs'))
    .where('account_id', '=', accountId)
    .orderBy('seq', 'desc')
    .limit(exportedAtOnce)
  let rows = await page.execute()
  while (rows.length > 0) {
    yield* rows.map(toWire)
    rows = await page.where('seq', '<', rows.at(-1)!.seq).execute()
  }
}

function newest(db: Db, page: { accountId: string | RawBuilder<string>; limit: number }) {
  return forList(db.selectFrom('jobs'))
    .where('account_id', '=', page.accountId)
    .orderBy('seq', 'desc')
    .limit(page.limit)
}

type NewestRow = Awaited<ReturnType<ReturnType<typeof newest>['execute']>>[number]

/** First pages that came with the credential of the caller. */
const known = new WeakMap<Actor, JobPage>()
const prefetches = new Map<number, Prefetch>()

/** The page that the dashboard polls; null for one that is filtered or not the first. */
export function prefetchFirstJobs({ db }: Context, raw: unknown): Prefetch | null {
  const query = api.listJobs.query.safeParse(raw)
  const { limit, ...filters } = query.data ?? { limit: 0 }
  if (!query.success || !isFirst(filters)) return null
  const prefetch = prefetches.get(limit) ?? preparePage(db, limit)
  prefetches.set(limit, prefetch)
  return prefetch
}

function preparePage(db: Db, limit: number): Prefetch {
  const accountId = sql.ref<string>('caller.id')
  const page = newest(db, { accountId, limit: limit + 1 }).compile()
  const open = countOpen(accountId).compile(db)
  return {
    name: 'with_jobs',
    group: String(limit),
    // As one JSON text: reading thirty columns of each row takes the driver three times as long.
    columns: 'page.jobs, counted.open',
    join: (account) => `cross join lateral (select ${account} as id) caller
      cross join lateral (select json_agg(job) as jobs from (${page.sql}) job) page
      cross join lateral (${open.sql}) counted`,
    values: page.parameters,
    keep(actor, [row]) {
      const { jobs, open } = row as { jobs: JsonRow[] | null; open: number }
      known.set(actor, { rows: (jobs ?? []).map(withDates), open })
    },
  }
}

/** JSON has no dates. */
type JsonRow = {
  [Key in keyof NewestRow]: NewestRow[Key] extends infer Value
    ? Value extends Date
      ? string
      : Value
    : never
}

/** In place: copying thirty fields of each row would cost as much as reading them. */
function withDates(row: JsonRow): NewestRow {
  return Object.assign(row, {
    created_at: new Date(row.created_at),
    started_at: row.started_at === null ? null : new Date(row.started_at),
    finished_at: row.finished_at === null ? null : new Date(row.finished_at),
  })
}

function isFirst(filters: Filters): boolean {
  return Object.values(filters).every((value) => value === undefined)
}

function filtered(
  query: ReturnType<typeof newest>,
  { cursor, status, extractor, content_id: contentId, q }: Filters,
): ReturnType<typeof newest> {
  if (cursor) query = query.where('seq', '<', readRowCursor(cursor))
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

function readStatuses(text: string): JobStatus[] {
  return text.split(',').map((item) => {
    const known = jobStatuses.find((status) => status === item.trim())
    if (known) return known
    throw new Refusal('invalid', `There is no job status "${item.trim()}".`, { field: 'status' })
  })
}
