/**
 * Spend limits: how much a key and an account may spend in a calendar month (UTC) or in all.
 *
 * INVARIANTS
 *  1. Each hold has one row in `spends`: the held sum while its job is open, its cost afterwards.
 *  2. A limited hold is checked under the lock of the account's wallet and counted in the same
 *     transaction, so the sum of rows is never above a limit, however many holds are placed at
 *     once.
 *  3. Deleting a job or a key changes no sum of the account.
 */
import { sql } from 'kysely'
import type { Micros } from '../../domain/money/money.ts'
import type { Db } from '../ground/database.ts'

export interface Spender {
  accountId: string
  /** Null if a person spends. */
  keyId: string | null
}

export interface LimitReached {
  ok: false
  reason: 'key_limit' | 'account_limit'
  period: 'month' | 'total'
  requiredMicros: Micros
  /** Credit left to spend. */
  availableMicros: Micros
  limitMicros: Micros
}

interface Limit {
  reason: LimitReached['reason']
  period: LimitReached['period']
  limitMicros: Micros
}

/**
 * Returns the limit that the hold would exceed; null if none. Locks the wallet if there is a limit.
 */
export async function findReachedLimit(
  db: Db,
  hold: Spender & { jobId: string; amountMicros: Micros; now: Date },
): Promise<LimitReached | null> {
  if (hold.amountMicros === 0) return null
  const limits = await readLimits(db, hold)
  if (limits.length === 0) return null
  await sql`select from ledger_wallets where account_id = ${hold.accountId} for update`.execute(db)
  for (const limit of limits) {
    const whose =
      limit.reason === 'key_limit' ? { keyId: hold.keyId } : { accountId: hold.accountId }
    const { jobId: except, now } = hold
    const spentMicros = await readSpent(db, { ...whose, period: limit.period, now, except })
    const availableMicros = Math.max(0, limit.limitMicros - spentMicros)
    if (hold.amountMicros <= availableMicros) continue
    return { ok: false, ...limit, requiredMicros: hold.amountMicros, availableMicros }
  }
  return null
}

async function readLimits(db: Db, { accountId, keyId }: Spender): Promise<Limit[]> {
  const limits: Limit[] = []
  const key = keyId
    ? await db
        .selectFrom('key_spend_limits')
        .select(['limit_micros as limitMicros', 'period'])
        .where('key_id', '=', keyId)
        .executeTakeFirst()
    : undefined
  if (key) limits.push({ reason: 'key_limit', ...key })
  const account = await db
    .selectFrom('accounts')
    .select('monthly_limit_micros as limitMicros')
    .where('id', '=', accountId)
    .executeTakeFirst()
  if (account && account.limitMicros !== null) {
    limits.push({ reason: 'account_limit', period: 'month', limitMicros: account.limitMicros })
  }
  return limits
}

/** Sums up costs and holds of jobs: of one key or a whole account, in a month or in total. */
export async function readSpent(
  db: Db,
  input: {
    accountId?: string
    keyId?: string | null
    period: 'month' | 'total'
    /** A job to leave out, because its hold may be placed already. */
    except?: string
    now: Date
  },
): Promise<Micros> {
  let query = db
    .selectFrom('spends')
    .select((row) => sql<number>`coalesce(sum(${row.ref('micros')}), 0)::bigint`.as('micros'))
  if (input.keyId) query = query.where('key_id', '=', input.keyId)
  if (input.accountId) query = query.where('account_id', '=', input.accountId)
  if (input.except) query = query.where('job_id', '!=', input.except)
  if (input.period === 'month') query = query.where('month', '=', monthOf(input.now))
  return (await query.executeTakeFirstOrThrow()).micros
}

export async function countSpend(
  db: Db,
  hold: Spender & { jobId: string; amountMicros: Micros; now: Date },
): Promise<void> {
  await db
    .insertInto('spends')
    .values({
      job_id: hold.jobId,
      account_id: hold.accountId,
      key_id: hold.keyId,
      month: monthOf(hold.now),
      micros: hold.amountMicros,
    })
    .onConflict((conflict) => conflict.column('job_id').doNothing())
    .execute()
}

/** Settles an ended job: what it did not cost may be spent again. */
export async function settleSpend(db: Db, job: { jobId: string; costMicros: Micros }) {
  await db
    .updateTable('spends')
    .set({ micros: job.costMicros })
    .where('job_id', '=', job.jobId)
    .execute()
}

function monthOf(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01`
}
