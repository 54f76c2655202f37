/**
 * The movements of the provider's balance, kept here so that a daily comparison of books does not
 * read years of them again.
 *
 * INVARIANTS
 *  1. There is no gap: a run begins `overlapMs` before the newest movement that is kept and writes
 *     all that it read in one transaction, or nothing.
 *  2. The provider never changes a movement, so that reading one twice changes nothing.
 *  3. A movement that shows up later than `overlapMs` after its time is found by a whole run, which
 *     puts everything that the provider reports in place of what was kept.
 */
import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import { microsPerCent } from '../../domain/money/money.ts'
import type { Context } from '../ground/context.ts'
import { idOf, providerOf } from './provider.ts'

const overlapMs = 7 * 24 * 3_600_000
const rowsPerStatement = 1000

interface Movement {
  id: string
  moved_at: Date
  payment_intent_id: string | null
  amount_micros: number
  is_marked: boolean
}

/** Brings what is kept up to date. */
export async function keepMovements(
  ctx: Context,
  { isWhole }: { isWhole: boolean },
): Promise<void> {
  const since = isWhole ? null : await windowStart(ctx)
  const movements = await readMovements(ctx, since)
  await ctx.db.transaction().execute(async (trx) => {
    if (since === null) await trx.deleteFrom('provider_movements').execute()
    for (let at = 0; at < movements.length; at += rowsPerStatement) {
      await trx
        .insertInto('provider_movements')
        .values(movements.slice(at, at + rowsPerStatement))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    }
  })
}

/** Start of the window to read again; null if nothing is stored yet. */
async function windowStart(ctx: Context): Promise<Date | null> {
  const { newest } = await ctx.db
    .selectFrom('provider_movements')
    .select((row) => row.fn.max('moved_at').as('newest'))
    .executeTakeFirstOrThrow()
  return newest && new Date(newest.getTime() - overlapMs)
}

async function readMovements(ctx: Context, since: Date | null): Promise<Movement[]> {
  const provider = await providerOf(ctx)
  const list = provider.balanceTransactions.list({
    limit: 100,
    expand: ['data.source'],
    ...(since ? { created: { gte: Math.floor(since.getTime() / 1000) } } : {}),
  })
  const movements: Movement[] = []
  for await (const movement of list) {
    const source = movement.currency === 'usd' ? sourceOf(movement) : null
    const mark = source?.metadata?.['purchase_id'] ?? source?.metadata?.['reload_id']
    movements.push({
      id: movement.id,
      moved_at: new Date(movement.created * 1000),
      payment_intent_id: source ? idOf(source.payment_intent) : null,
      amount_micros: movement.amount * microsPerCent,
      is_marked: mark !== undefined,
    })
  }
  return movements
}

type Source = Stripe.Charge | Stripe.Refund | Stripe.Dispute

/** The charge, refund or dispute that moved the money; a payout or a fee has none. */
function sourceOf({ source }: Stripe.BalanceTransaction): Source | null {
  if (source === null || typeof source === 'string') return null
  const isPayment = ['charge', 'refund', 'dispute'].includes(source.object)
  return isPayment ? (source as Source) : null
}

export interface KeptPayment {
  /** Null for movements that are no payment. */
  payment: string | null
  micros: number
  movements: number
  /** The charge itself is among them; a refund or a dispute does not carry its marks. */
  isMarked: boolean
  firstAt: Date
}

/** Sums of the kept movements, payment by payment. */
export async function readKeptPayments(ctx: Context): Promise<KeptPayment[]> {
  const { rows } = await sql<KeptPayment>`
    select payment_intent_id as payment, sum(amount_micros)::bigint as micros,
      count(*)::int as movements, bool_or(is_marked) as "isMarked", min(moved_at) as "firstAt"
    from provider_movements group by payment_intent_id`.execute(ctx.db)
  return rows
}
