/**
 * Spending as CSV: the ledger's charges and refunds of jobs in a span of days, grouped. Every
 * micro-dollar of the ledger is in exactly one row: what belongs to nothing any more (a deleted job
 * or key) is a row of its own, so the sum is the ledger's sum.
 */
import { sql } from 'kysely'
import { toUsdText } from '../../domain/money/money.ts'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'
import { spreadsheetLine } from '../../domain/spreadsheet-text.ts'

const dayMs = 24 * 3_600_000
const maxDays = 366

export const downloadUsage: Verb<'downloadUsage'> = async (
  ctx,
  { accountId },
  { query },
  { reply },
) => {
  const span = spanOf(query, ctx.now())
  const rows = await readUsage(ctx, { accountId, group: query.group, ...span })
  const header = [`${query.group}_id`, query.group, 'jobs', 'amount_usd']
  const cells = rows.map((row) => [row.id ?? '', row.name, `${row.jobs}`, toUsdText(row.micros)])
  reply
    .header('content-disposition', 'attachment; filename="cutindex-usage.csv"')
    .header('cache-control', 'private, no-store')
    .type('text/csv; charset=utf-8')
    .send([header, ...cells].map((row) => spreadsheetLine(row)).join(''))
}

export type UsageGroup = 'project' | 'key' | 'extractor'

export interface UsageRow {
  id: string | null
  name: string
  jobs: number
  /** Charged, less what was refunded. */
  micros: number
}

/** From the first moment of `from` to the last one of the day before `until`, UTC. */
export async function readUsage(
  ctx: Context,
  wanted: { accountId: string; group: UsageGroup; from: Date; until: Date },
): Promise<UsageRow[]> {
  const moved = sql`select t.job_id, -t.amount_micros as micros
    from ledger_transactions t
    where t.account_id = ${wanted.accountId} and t.kind in ('capture', 'refund')
      and t.amount_micros <> 0
      and t.created_at >= ${wanted.from} and t.created_at < ${wanted.until}`
  const grouped = {
    project: sql`select p.id::text as id, coalesce(p.name, 'No project') as name, m.job_id, m.micros
      from moved m
      left join jobs j on j.id = m.job_id and j.account_id = ${wanted.accountId}
      left join content c on c.id = j.content_id
      left join projects p on p.id = c.project_id and p.account_id = ${wanted.accountId}`,
    key: sql`select s.key_id::text as id,
        case when s.key_id is null then 'Signed in' else coalesce(k.name, 'Deleted key') end as name,
        m.job_id, m.micros
      from moved m
      left join spends s on s.job_id = m.job_id
      left join api_keys k on k.id = s.key_id and k.account_id = ${wanted.accountId}`,
    // A job's parts add up to its charge; what they do not explain (a refund, a deleted job) is the
    // difference, shown under a name of its own.
    extractor: sql`select e.extractor as id, e.extractor as name, e.job_id, e.cost_micros as micros
        from job_extractors e
        join (select distinct job_id from moved where micros > 0) m on m.job_id = e.job_id
        where e.cost_micros > 0
      union all
      select null, 'Other', m.job_id, m.micros - coalesce((
        select sum(e.cost_micros) from job_extractors e where e.job_id = m.job_id and m.micros > 0
      ), 0)::bigint
      from moved m`,
  }
  const { rows } = await sql<UsageRow>`
    with moved as materialized (${moved}), parts as (${grouped[wanted.group]})
    select id, name, count(distinct job_id) as jobs, sum(micros)::bigint as micros
    from parts where micros <> 0
    group by id, name order by sum(micros) desc, name, id`.execute(ctx.db)
  return rows
}

function spanOf(query: { from?: string; to?: string }, now: Date): { from: Date; until: Date } {
  const monthStart = now.toISOString().slice(0, 8).concat('01')
  const from = new Date(`${query.from ?? monthStart}T00:00:00Z`)
  const last = new Date(`${query.to ?? now.toISOString().slice(0, 10)}T00:00:00Z`)
  const until = new Date(last.getTime() + dayMs)
  if (until <= from) {
    throw new Refusal('invalid', 'The day "to" must not be before "from".', { field: 'to' })
  }
  if (until.getTime() - from.getTime() > maxDays * dayMs) {
    throw new Refusal('invalid', `Ask for at most ${maxDays} days at a time.`, { field: 'from' })
  }
  return { from, until }
}
