/**
 * Lists changes of an account's credit, newest first. Holds and plain releases change nothing that
 * a person owns and are not listed; the amounts of all listed rows sum to available + held.
 */
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Transaction } from '../../contract/account/billing.ts'
import { toUsd, toUsdText } from '../../domain/money/money.ts'
import type { Context } from '../ground/context.ts'
import type { Db } from '../ground/database.ts'
import type { Verb } from '../ground/verb.ts'
import { badCursor } from '../ground/refusal.ts'
import { grantFreeCredit } from './grant.ts'
import { spreadsheetLine } from '../../domain/spreadsheet-text.ts'

export const listBillingHistory: Verb<'listBillingHistory'> = async (ctx, actor, input) => {
  const { limit, type, cursor } = input.query
  const before = cursor === undefined ? null : readCursor(cursor)
  const page = { accountId: actor.accountId, type, before, limit: limit + 1 }
  // A screen asks for balance and history at once: both must know of this month's free credit.
  if (!before) await grantFreeCredit(ctx.db, { accountId: actor.accountId, now: ctx.now() })
  const rows = await readHistory(ctx.db, page)
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    transactions: shown.map(transactionOf),
    next_cursor: last ? `${last.at_micros}-${last.seq}` : null,
  }
}

export const downloadBillingHistory: Verb<'downloadBillingHistory'> = async (
  ctx,
  actor,
  _input,
  { reply },
) => {
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="billing-history.csv"')
  await reply.send(Readable.from(historyCsv(ctx, actor.accountId)))
}

const pageRows = 1000
const csvHeader =
  'id,created_at,type,description,amount_usd,job_id,credit_package_bonus_percentage,metadata\r\n'

/** Written page by page, so that a long history never fills the memory. */
async function* historyCsv(ctx: Context, accountId: string): AsyncGenerator<string> {
  yield csvHeader
  for await (const rows of historyPages(ctx, accountId)) yield rows.map(lineOf).join('')
}

/** Reads every transaction, newest first, for the account's export. */
export async function* readAllTransactions(
  ctx: Context,
  accountId: string,
): AsyncGenerator<Transaction> {
  for await (const rows of historyPages(ctx, accountId)) yield* rows.map(transactionOf)
}

async function* historyPages(ctx: Context, accountId: string): AsyncGenerator<HistoryRow[]> {
  let before: Place | null = null
  for (;;) {
    const rows: HistoryRow[] = await readHistory(ctx.db, { accountId, before, limit: pageRows })
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < pageRows) return
    before = { atMicros: last.at_micros, seq: last.seq }
  }
}

interface HistoryRow {
  id: string
  seq: number
  at_micros: number
  kind: string
  description: string
  amount_micros: number
  created_at: Date
  metadata: string
  bonus_percentage: number | null
  job_id: string | null
}

interface Place {
  atMicros: number
  seq: number
}

async function readHistory(
  db: Db,
  page: {
    accountId: string
    type?: 'credit' | 'charge'
    before: Place | null
    limit: number
  },
): Promise<HistoryRow[]> {
  const ofType = {
    credit: sql`and t.amount_micros > 0`,
    charge: sql`and t.kind = 'capture'`,
  }
  const before = page.before
    ? sql`and (t.created_at, t.seq) <
        ('epoch'::timestamptz + ${page.before.atMicros} * interval '1 microsecond',
          ${page.before.seq}::bigint)`
    : sql``
  // Joins the job for the footage's name, which goes with the job; the ledger, kept for years, has
  // no names.
  const { rows } = await sql<HistoryRow>`
    select t.id, t.seq, (extract(epoch from t.created_at) * 1000000)::bigint as at_micros, t.kind,
      coalesce(j.content_name || ': ', '') || t.description as description, t.amount_micros,
      t.created_at, t.metadata::text as metadata, t.bonus_percentage, t.job_id
    from ledger_transactions t
    left join job_names j on j.job_id = t.job_id and j.account_id = t.account_id
    where t.account_id = ${page.accountId} and t.amount_micros <> 0
      ${page.type ? ofType[page.type] : sql``} ${before}
    order by t.created_at desc, t.seq desc limit ${page.limit}`.execute(db)
  return rows
}

function readCursor(cursor: string): Place {
  const match = /^(\d{1,16})-(\d{1,15})$/.exec(cursor)
  if (!match) throw badCursor()
  return { atMicros: Number(match[1]), seq: Number(match[2]) }
}

function transactionOf(row: HistoryRow): Transaction {
  return {
    id: row.id,
    description: row.description,
    amount_usd: toUsd(row.amount_micros),
    created_at: row.created_at.toISOString(),
    metadata: row.metadata,
    credit_package_bonus_percentage: row.bonus_percentage,
    job_id: row.job_id,
    kind: row.kind,
  }
}

function lineOf(row: HistoryRow): string {
  return spreadsheetLine([
    row.id,
    row.created_at.toISOString(),
    row.kind,
    row.description,
    toUsdText(row.amount_micros),
    row.job_id ?? '',
    row.bonus_percentage === null ? '' : String(row.bonus_percentage),
    row.metadata,
  ])
}
