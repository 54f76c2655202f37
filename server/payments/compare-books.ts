/**
 * Compares the ledger's cash with the provider's balance transactions, payment by payment and in
 * sum. Amounts are gross: the provider's fees are the house's cost and no customer's credit. It
 * changes no money; each difference says what to do about it. Of the provider only the last
 * movements are read each day (provider-movements.ts), all of them once a month and for the
 * operator.
 *
 * The provider books a charge up to hours after it was paid, and we hear of it a moment after it
 * was booked. So a payment that only one side has is left out while it is new, of the sums too; one
 * that both have is compared at once.
 */
import { sql } from 'kysely'
import { toUsd } from '../../domain/money/money.ts'
import type { Context } from '../ground/context.ts'
import { keepMovements, readKeptPayments } from './provider-movements.ts'

const newForMs = 6 * 3_600_000

export interface BooksDifference {
  /** The provider's payment intent; null for the sum of all. */
  payment: string | null
  /** The ledger's key of the credit, where there is one. */
  purchase: string | null
  provider_usd: number
  ledger_usd: number
  difference_usd: number
  what_to_do: string
}

export interface BooksComparison {
  ok: boolean
  payments: number
  provider_usd: number
  ledger_usd: number
  /** Movements of the provider's balance that are no payment here: payouts, other products. */
  others: number
  /** New payments that only one side has yet. They are in no sum. */
  waiting: number
  differences: BooksDifference[]
}

interface ProviderBooks {
  payments: Map<string, { cashMicros: number; isCharged: boolean; firstAt: Date }>
  others: number
}

interface LedgerBooks {
  /** By payment intent. */
  payments: Map<string, { purchase: string; cashMicros: number; creditedAt: Date }>
  /** Total of all entries, whatever they belong to. */
  totalMicros: number
}

export async function compareWithProvider(
  ctx: Context,
  { isWhole = true }: { isWhole?: boolean } = {},
): Promise<BooksComparison> {
  // The ledger first: what is credited while the provider is read must not look like too little.
  const ledger = await readLedgerCash(ctx)
  await keepMovements(ctx, { isWhole })
  const provider = await readProviderCash(ctx, new Set(ledger.payments.keys()))
  const all = new Set([...ledger.payments.keys(), ...provider.payments.keys()])
  const newSince = new Date(ctx.now().getTime() - newForMs)
  const waiting = [...all].filter((payment) => isAwaited(payment, { ledger, provider, newSince }))
  for (const payment of waiting) {
    ledger.totalMicros -= ledger.payments.get(payment)?.cashMicros ?? 0
    provider.payments.delete(payment)
    all.delete(payment)
  }
  const differences = [...all].flatMap((payment) => {
    const booked = ledger.payments.get(payment)
    const paid = provider.payments.get(payment)
    const [providerMicros, ledgerMicros] = [paid?.cashMicros ?? 0, booked?.cashMicros ?? 0]
    if (providerMicros === ledgerMicros) return []
    const advice = adviceFor(payment, { isBooked: !!booked, isPaid: !!paid })
    return [difference(payment, booked?.purchase ?? null, providerMicros, ledgerMicros, advice)]
  })
  const providerMicros = sum([...provider.payments.values()].map(({ cashMicros }) => cashMicros))
  if (providerMicros !== ledger.totalMicros) {
    const advice =
      'Settle the payments that are listed. If none is, the ledger holds cash that belongs to no ' +
      'payment: run ledger-check and look for cash entries without a purchase.'
    differences.push(difference(null, null, providerMicros, ledger.totalMicros, advice))
  }
  return {
    ok: differences.length === 0,
    payments: all.size,
    provider_usd: toUsd(providerMicros),
    ledger_usd: toUsd(ledger.totalMicros),
    others: provider.others,
    waiting: waiting.length,
    differences,
  }
}

/** New, and only one side has it: the other one follows. */
function isAwaited(
  payment: string,
  books: { ledger: LedgerBooks; provider: ProviderBooks; newSince: Date },
): boolean {
  const booked = books.ledger.payments.get(payment)
  const paid = books.provider.payments.get(payment)
  if (booked) return !paid?.isCharged && booked.creditedAt > books.newSince
  return paid !== undefined && paid.firstAt > books.newSince
}

/** The daily task: every difference is a line of level 50 in the log. */
export async function watchBooks(
  ctx: Context,
): Promise<Pick<BooksComparison, 'ok' | 'payments'> & { differences: number }> {
  const isWhole = ctx.now().getUTCDate() === 1
  const { ok, payments, differences } = await compareWithProvider(ctx, { isWhole })
  logDifferences(ctx, differences)
  return { ok, payments, differences: differences.length }
}

export function logDifferences(ctx: Context, differences: readonly BooksDifference[]): void {
  for (const difference of differences) {
    ctx.log.error(difference, 'the books differ from the provider')
  }
}

function adviceFor(payment: string, is: { isBooked: boolean; isPaid: boolean }): string {
  const settle = `npm run -s operator -- settle ${payment}`
  if (!is.isPaid) {
    return (
      'The provider knows no such payment. Check that STRIPE_SECRET_KEY is of the account that took ' +
      'it; if it is, the credit has no money behind it: look at the account that got it.'
    )
  }
  if (!is.isBooked) {
    return `Paid but not credited. Run ${settle}`
  }
  return (
    `Run ${settle} and compare again. If it stays, the ledger was changed by hand: compare the ` +
    "payment's chargeback and reinstate transactions with its refunds and disputes at the provider."
  )
}

function difference(
  payment: string | null,
  purchase: string | null,
  providerMicros: number,
  ledgerMicros: number,
  whatToDo: string,
): BooksDifference {
  return {
    payment,
    purchase,
    provider_usd: toUsd(providerMicros),
    ledger_usd: toUsd(ledgerMicros),
    difference_usd: toUsd(ledgerMicros - providerMicros),
    what_to_do: whatToDo,
  }
}

async function readLedgerCash(ctx: Context): Promise<LedgerBooks> {
  return ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const { rows } = await sql<{ key: string; intent: string; cash: number; at: Date }>`
        select p.key, p.metadata ->> 'payment_intent_id' as intent, p.created_at as at,
          -coalesce(sum(e.amount_micros), 0)::bigint as cash
        from ledger_transactions p
        join ledger_transactions t on t.id = p.id or t.reverses = p.id
        join ledger_entries e on e.transaction_id = t.id and e.book = 'cash'
        where p.kind in ('purchase', 'reload') and p.metadata ->> 'payment_intent_id' is not null
        group by p.id`.execute(trx)
      const total = await sql<{ cash: number }>`
        select -coalesce(sum(amount_micros), 0)::bigint as cash from ledger_entries
        where book = 'cash'`.execute(trx)
      const payments = rows.map(
        ({ key, intent, cash, at }) =>
          [intent, { purchase: key, cashMicros: cash, creditedAt: at }] as const,
      )
      return { payments: new Map(payments), totalMicros: total.rows[0]?.cash ?? 0 }
    })
}

async function readProviderCash(ctx: Context, known: ReadonlySet<string>): Promise<ProviderBooks> {
  const books: ProviderBooks = { payments: new Map(), others: 0 }
  for (const { payment, micros, movements, isMarked, firstAt } of await readKeptPayments(ctx)) {
    // A refund does not carry the payment's marks, so the charge says whose both are.
    const isOurs = payment !== null && (isMarked || known.has(payment))
    if (isOurs) books.payments.set(payment, { cashMicros: micros, isCharged: isMarked, firstAt })
    else books.others += movements
  }
  return books
}

function sum(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}
