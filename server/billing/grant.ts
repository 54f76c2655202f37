/** The free tier: one grant for each provider identity and UTC month, at the first touch. */
import { sql } from 'kysely'
import { freeTierMicros } from '../../domain/money/catalogue.ts'
import type { Db } from '../ground/database.ts'
import { callLedger } from './ledger.ts'
import type { Credited } from './ledger.ts'

export type Granted = Credited | { ok: false; reason: 'unverified' | 'identity_used' }

/**
 * Grants the month's free credit. Call it wherever an account shows or spends its balance: once the
 * grant exists, it costs one indexed read and takes no lock.
 */
export async function grantFreeCredit(
  db: Db,
  input: { accountId: string; now: Date },
): Promise<Granted> {
  const earlier = await sql<{ id: string; amount_micros: number; balance_after_micros: number }>`
    select id, amount_micros, balance_after_micros from ledger_transactions
    where key = ${grantKey(input)}`.execute(db)
  const grant = earlier.rows[0]
  if (!grant) {
    return callLedger(db, 'ledger_grant_free_credit($1, $2, $3)', [
      input.accountId,
      freeTierMicros,
      input.now,
    ])
  }
  return {
    ok: true,
    transactionId: grant.id,
    creditedMicros: grant.amount_micros,
    availableMicros: grant.balance_after_micros,
  }
}

/** The key of the month's grant in the ledger. */
function grantKey({ accountId, now }: { accountId: string; now: Date }): string {
  return `grant:${accountId}:${grantMonth(now)}`
}

/** SQL of whether an account has the grant of a month; both are SQL. */
export function isGrantedSql({ account, month }: { account: string; month: string }): string {
  return `exists (
    select 1 from ledger_transactions where key = 'grant:' || ${account} || ':' || ${month}::text
  )`
}

export function grantMonth(now: Date): string {
  return now.toISOString().slice(0, 7)
}
