import { sql } from 'kysely'
import { microsPerUsd } from '../../domain/money/money.ts'
import type { Micros } from '../../domain/money/money.ts'
import type { Db } from '../ground/database.ts'
import { readBalance } from './balance.ts'

export interface LowBalance {
  availableMicros: Micros
  thresholdMicros: Micros
  /** The credit that is running out: one warning for each is enough. */
  creditId: string
}

/** Finds whether an account runs out of credit: below $5 if it ever bought some, else below $1. */
export async function findLowBalance(
  db: Db,
  at: { accountId: string; now: Date },
): Promise<LowBalance | null> {
  const { rows } = await sql<{ id: string; has_bought: boolean }>`
    select (array_agg(id order by seq desc))[1] as id,
      bool_or(kind in ('purchase', 'reload')) as has_bought
    from ledger_transactions
    where account_id = ${at.accountId} and kind in ('grant', 'purchase', 'reload', 'adjust')
      and amount_micros <> 0
    group by account_id`.execute(db)
  const last = rows[0]
  if (!last) return null
  const thresholdMicros = (last.has_bought ? 5 : 1) * microsPerUsd
  const { availableMicros } = await readBalance(db, at)
  if (availableMicros >= thresholdMicros) return null
  return { availableMicros, thresholdMicros, creditId: last.id }
}
