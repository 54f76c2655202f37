import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Micros } from '../../contract/money.ts'
import type { Db } from '../db/open.ts'

export interface AccountBalance {
  /** What can be spent now; negative only after a chargeback. */
  availableMicros: Micros
  heldMicros: Micros
  freeMicros: Micros
  bonusMicros: Micros
  paidMicros: Micros
  /** At most zero. */
  debtMicros: Micros
  /** When the free credit that is left expires. */
  freeExpiresAt: Date | null
}

type Sums = Omit<AccountBalance, 'availableMicros'>

/** The balance at a moment. An expired lot does not count, whether it was swept or not. */
export async function readBalance(
  db: Db,
  input: { accountId: string; now: Date },
): Promise<AccountBalance> {
  const { rows } = await selectBalance(input).execute(db)
  if (!rows[0]) throw new Error('A balance query answered nothing.')
  return toBalance(rows[0])
}

/** One row, also for an account without a wallet; part of a larger query where one is enough. */
export function selectBalance(input: { accountId: string; now: Date }): RawBuilder<Sums> {
  return sql<Sums>`
    select coalesce(max(w.held_micros), 0) as "heldMicros",
      coalesce(max(w.debt_micros), 0) as "debtMicros",
      coalesce(sum(l.available_micros) filter (where l.kind = 'free'), 0)::bigint as "freeMicros",
      coalesce(sum(l.available_micros) filter (where l.kind = 'bonus'), 0)::bigint as "bonusMicros",
      coalesce(sum(l.available_micros) filter (where l.kind = 'paid'), 0)::bigint as "paidMicros",
      min(l.expires_at) as "freeExpiresAt"
    from ledger_wallets w
    left join ledger_lots l on l.account_id = w.account_id and l.spendable
      and (l.expires_at is null or l.expires_at > ${input.now})
    where w.account_id = ${input.accountId}`
}

export function toBalance(sums: Sums): AccountBalance {
  const { heldMicros, debtMicros, freeMicros, bonusMicros, paidMicros, freeExpiresAt } = sums
  const availableMicros = freeMicros + bonusMicros + paidMicros + debtMicros
  const lots = { freeMicros, bonusMicros, paidMicros, freeExpiresAt }
  return { availableMicros, heldMicros, debtMicros, ...lots }
}
