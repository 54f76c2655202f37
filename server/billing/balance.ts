import type { Micros } from '../../domain/money/money.ts'
import type { Db } from '../ground/database.ts'
import { prepare } from '../db/prepared.ts'

export interface AccountBalance {
  /** Credit to spend now; negative only after a chargeback. */
  availableMicros: Micros
  heldMicros: Micros
  freeMicros: Micros
  bonusMicros: Micros
  paidMicros: Micros
  /** Debt in micro-dollars, at most zero. */
  debtMicros: Micros
  /** When the remaining free credit expires; null if there is none. */
  freeExpiresAt: Date | null
}

type Sums = Omit<AccountBalance, 'availableMicros'>

/**
 * The balance as one SQL row, also for an account without a wallet, to be embedded in other
 * queries. `account` and `now` are SQL expressions.
 */
export function balanceSql({ account, now }: { account: string; now: string }): string {
  return `
    select coalesce(max(w.held_micros), 0) as "heldMicros",
      coalesce(max(w.debt_micros), 0) as "debtMicros",
      coalesce(sum(l.available_micros) filter (where l.kind = 'free'), 0)::bigint as "freeMicros",
      coalesce(sum(l.available_micros) filter (where l.kind = 'bonus'), 0)::bigint as "bonusMicros",
      coalesce(sum(l.available_micros) filter (where l.kind = 'paid'), 0)::bigint as "paidMicros",
      min(l.expires_at) as "freeExpiresAt"
    from ledger_wallets w
    left join ledger_lots l on l.account_id = w.account_id and l.spendable
      and (l.expires_at is null or l.expires_at > ${now})
    where w.account_id = ${account}`
}

const selectBalance = prepare<Sums>('balance', balanceSql({ account: '$1', now: '$2' }))

/** Reads the balance at a time. An expired lot does not count, even before the sweep. */
export async function readBalance(
  db: Db,
  { accountId, now }: { accountId: string; now: Date },
): Promise<AccountBalance> {
  const [sums] = await selectBalance(db, [accountId, now])
  if (!sums) throw new Error('A balance query answered nothing.')
  return toBalance(sums)
}

export function toBalance(sums: Sums): AccountBalance {
  const { heldMicros, debtMicros, freeMicros, bonusMicros, paidMicros, freeExpiresAt } = sums
  const availableMicros = freeMicros + bonusMicros + paidMicros + debtMicros
  const lots = { freeMicros, bonusMicros, paidMicros, freeExpiresAt }
  return { availableMicros, heldMicros, debtMicros, ...lots }
}
