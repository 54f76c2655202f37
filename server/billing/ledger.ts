/**
 * The ledger: the only writer of money and the only source of a balance.
 *
 * INVARIANTS. The database refuses a breach of 1 to 7 from anyone, with whatever SQL
 * (server/db/migrations/0006_ledger.sql); checkLedger recomputes all of them from the entries.
 *  1. Entries of a transaction sum to zero and arrive in one statement.
 *  2. Transactions and entries are never updated or deleted; a mistake is fixed by a reversal.
 *  3. An idempotency key names one transaction forever: `grant:{account}:{yyyy-mm}`,
 *     `purchase:{checkout session}`, `reload:{reload id}`, `hold:{job}`, `capture:{job}`,
 *     `release:{job}`, `expire:{lot}`, `refund:{ref}`, `adjust:{ref}`; and for what went back to a
 *     card and returned, `chargeback:{purchase key}:{n}` and `reinstate:{purchase key}:{n}`.
 *  4. No lot is below zero or above what was granted; no hold is below zero.
 *  5. balance = available lots + debt. Debt comes from chargebacks alone; a hold never leaves the
 *     balance below zero.
 *  6. Wallets, lots and holds are sums of entries, kept by one trigger.
 *  7. An account's transactions are ordered: each states the balance after it, and its time is not
 *     before its predecessor's.
 *  8. Lasting credit that arrives pays debt first, so an account in debt has no lasting credit.
 *
 * BOOKS. The customer's: available (by lot), held (by lot), debt. The house's: cash (cards), free,
 * bonus, adjustment (credit given), revenue (credit used), lapsed (credit expired).
 *
 * LIFE OF CREDIT                                           verb            SQL function
 *   nothing    -> available  free lot until month end      grantFreeCredit ledger_grant_free_credit
 *   nothing    -> available  paid and bonus lots           creditPurchase, ledger_credit_package
 *                                                          creditReload
 *   nothing    -> available  bonus lot, by an operator     adjust          ledger_adjust
 *   available  -> held       soonest expiry, bonus, paid,  placeHold       ledger_place_hold
 *                            oldest first
 *   held       -> revenue    in the same order; the rest is captureHold    ledger_close_hold
 *                            released by the same call
 *   held       -> available  each part to its own lot; or  releaseHold     ledger_close_hold
 *              -> lapsed     if the lot has expired
 *   available  -> lapsed     by the sweep, and by each     expireLots      ledger_lapse
 *                            other operation first
 *   revenue    -> available  last spent first (or lapsed)  refund          ledger_refund
 *   available  -> cash       bonus revoked, own lots, other settleReversal ledger_settle_reversal
 *                            lasting lots, then debt
 *   cash       -> available  new paid and bonus lots       settleReversal  ledger_settle_reversal
 *
 * CONCURRENCY. Each operation is one function call: it locks the account's wallet row, looks for
 * its key, acts, and answers. Run with the pool it is its own transaction; run with a caller's
 * transaction it commits or vanishes with it, and the account stays locked until then. A repeated
 * key answers what it answered the first time; a key repeated with other values is a mistake of the
 * caller and throws. The clock is always a parameter.
 */
import { CompiledQuery, sql } from 'kysely'
import { assertMicros } from '../../domain/money/money.ts'
import type { Micros } from '../../domain/money/money.ts'
import type { Db } from '../ground/database.ts'

export interface Credited {
  ok: true
  transactionId: string
  creditedMicros: Micros
  availableMicros: Micros
}

export interface PackageCredit {
  accountId: string
  packageId: string
  packageName: string
  priceMicros: Micros
  bonusMicros: Micros
  bonusPercent: number
  now: Date
  metadata?: Record<string, unknown>
}

/** Credits a package paid at the provider's checkout. */
export function creditPurchase(
  db: Db,
  input: PackageCredit & { checkoutSessionId: string },
): Promise<Credited> {
  return creditPackage(db, 'purchase', input.checkoutSessionId, input)
}

/** Credits a package charged by auto-reload. */
export function creditReload(
  db: Db,
  input: PackageCredit & { reloadId: string },
): Promise<Credited> {
  return creditPackage(db, 'reload', input.reloadId, {
    ...input,
    metadata: { ...input.metadata, is_auto_reload: true },
  })
}

/** Credits an account for the operator; this credit never expires. */
export function adjust(
  db: Db,
  input: { accountId: string; reference: string; amountMicros: Micros; reason: string; now: Date },
): Promise<Credited> {
  const metadata = JSON.stringify({ reason: input.reason })
  const description = `Credit from support: ${input.reason}`.slice(0, 500)
  return callLedger(db, 'ledger_adjust($1, $2, $3, $4, $5, $6)', [
    input.accountId,
    input.reference,
    positive(input.amountMicros),
    description,
    metadata,
    input.now,
  ])
}

export type Refunded =
  | {
      ok: true
      transactionId: string
      refundedMicros: Micros
      lapsedMicros: Micros
      availableMicros: Micros
    }
  | { ok: false; reason: 'not_captured' }
  | { ok: false; reason: 'exceeds_charge'; refundableMicros: Micros }

/** Refunds what a job was charged: everything left of it, or `amountMicros`. */
export function refund(
  db: Db,
  input: { jobId: string; reference: string; amountMicros?: Micros; reason: string; now: Date },
): Promise<Refunded> {
  const amountMicros = input.amountMicros === undefined ? null : positive(input.amountMicros)
  const metadata = JSON.stringify({ reason: input.reason })
  return callLedger(db, "ledger_refund($1, $2, $3, 'Refund of a job', $4, $5)", [
    input.jobId,
    input.reference,
    amountMicros,
    metadata,
    input.now,
  ])
}

export type ReversalSettled =
  | {
      ok: true
      /** Null if nothing changed. */
      transactionId: string | null
      reversedMicros: Micros
      /** Total bonus of the purchase that was revoked. */
      revokedBonusMicros: Micros
      availableMicros: Micros
    }
  | { ok: false; reason: 'no_purchase' }

/**
 * Sets how much of a purchase was returned to its card to `reversedMicros`, the total that the
 * provider shows now. Repeated calls are safe: they compare states, not events.
 */
export function settleReversal(
  db: Db,
  input: {
    /** Key of the transaction that credited the purchase: `purchase:{session}` or `reload:{id}`. */
    purchaseKey: string
    reversedMicros: Micros
    description: string
    metadata?: Record<string, unknown>
    now: Date
  },
): Promise<ReversalSettled> {
  return callLedger(db, 'ledger_settle_reversal($1, $2, $3, $4, $5)', [
    input.purchaseKey,
    notNegative(input.reversedMicros),
    input.description,
    JSON.stringify(input.metadata ?? {}),
    input.now,
  ])
}

/**
 * Lets go every expired lot. Nothing depends on when it runs: each operation does the same for its
 * own account, and a balance never counts an expired lot.
 */
export async function expireLots(
  db: Db,
  input: { now: Date; accountId?: string },
): Promise<{ accounts: number; lapsedMicros: Micros }> {
  const swept = { accounts: 0, lapsedMicros: 0 }
  for (;;) {
    const due = input.accountId ? [input.accountId] : await accountsDue(db, input.now)
    for (const accountId of due) {
      const result = await callLedger<{ lapsedMicros: Micros }>(db, 'ledger_expire($1, $2)', [
        accountId,
        input.now,
      ])
      swept.accounts += 1
      swept.lapsedMicros += result.lapsedMicros
    }
    if (input.accountId || due.length < sweepBatch) return swept
  }
}

const sweepBatch = 500

async function accountsDue(db: Db, now: Date): Promise<string[]> {
  const due = await sql<{ account_id: string }>`
    select distinct account_id from (
      select account_id from ledger_lots
      where spendable and expires_at is not null and expires_at <= ${now}
      order by expires_at limit ${sweepBatch}
    ) due`.execute(db)
  return due.rows.map((row) => row.account_id)
}

/**
 * Runs one of the ledger's functions. It answers with one JSON object, whose numbers are exact
 * below 2^53. The text is final, so that nothing is compiled on the hot path.
 */
export async function callLedger<T>(
  db: Db,
  call: `ledger_${string}(${string})`,
  parameters: unknown[],
): Promise<T> {
  const query = CompiledQuery.raw(`select ${call} as result`, parameters)
  const { rows } = await db.executeQuery<{ result: T }>(query)
  const row = rows[0]
  if (!row) throw new Error('A ledger function answered nothing.')
  return row.result
}

/** Upper limit on a single movement of money: a million dollars. */
const maxMicros: Micros = 1_000_000_000_000

export function positive(micros: Micros): Micros {
  if (notNegative(micros) === 0) throw new RangeError('An amount of money must be above zero.')
  return micros
}

export function notNegative(micros: Micros): Micros {
  if (assertMicros(micros) < 0 || micros > maxMicros) {
    throw new RangeError(`An amount of money is out of range: ${micros}`)
  }
  return micros
}

function creditPackage(
  db: Db,
  kind: 'purchase' | 'reload',
  reference: string,
  input: PackageCredit,
): Promise<Credited> {
  const description = `${input.packageName} credit package`
  const metadata = JSON.stringify({
    ...input.metadata,
    credit_package_id: input.packageId,
    credit_package_name: input.packageName,
  })
  return callLedger(db, 'ledger_credit_package($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
    kind,
    input.accountId,
    reference,
    positive(input.priceMicros),
    notNegative(input.bonusMicros),
    input.bonusPercent,
    description,
    metadata,
    input.now,
  ])
}
