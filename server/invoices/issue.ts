/**
 * Issues an invoice in the transaction that moves the money: the number, the purchase and the
 * ledger commit together or not at all. The counter's row is locked until then, so the numbers of a
 * series follow each other without a gap, whatever is undone. It is the last lock that a payment
 * takes.
 */
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import { microsPerCent } from '../../domain/money/money.ts'
import type { Tables } from '../ground/generated-tables.ts'
import type { Context } from '../ground/context.ts'
import { readBillingDetails } from './details.ts'

export interface InvoiceInput {
  accountId: string
  transactionId: string
  packageName: string
  priceMicros: number
  bonusMicros: number
  taxMicros: number | null
  card: { brand: string; last4: string } | null
  isAutoReload: boolean
  reference: string
}

/** Issues the invoice of one purchase; returns its number. */
export async function issueInvoice(
  ctx: Context,
  trx: Transaction<Tables>,
  input: InvoiceInput,
): Promise<string> {
  const known = await trx
    .selectFrom('invoices')
    .select('number')
    .where('transaction_id', '=', input.transactionId)
    .where('kind', '=', 'invoice')
    .executeTakeFirst()
  if (known) return known.number
  const buyer = await readBuyer(trx, input.accountId)
  const numbered = await takeNumber(trx, 'CI', ctx.now())
  await trx
    .insertInto('invoices')
    .values({
      ...numbered,
      kind: 'invoice',
      account_id: input.accountId,
      transaction_id: input.transactionId,
      corrects: null,
      issued_at: ctx.now(),
      package_name: input.packageName,
      amount_micros: input.priceMicros,
      bonus_micros: input.bonusMicros,
      tax_micros: input.taxMicros,
      card_brand: input.card?.brand ?? null,
      card_last4: input.card?.last4 ?? null,
      is_auto_reload: input.isAutoReload,
      reference: input.reference,
      buyer: JSON.stringify(buyer),
      seller: JSON.stringify(ctx.config.seller),
    })
    .execute()
  return numbered.number
}

/** Credits what went back to the card since the last note of an invoice; zero issues none. */
export async function issueCreditNote(
  ctx: Context,
  trx: Transaction<Tables>,
  input: { reference: string; returnedMicros: number },
): Promise<string | null> {
  if (input.returnedMicros === 0) return null
  const invoice = await trx
    .selectFrom('invoices')
    .selectAll()
    .where('reference', '=', input.reference)
    .where('kind', '=', 'invoice')
    .executeTakeFirst()
  if (!invoice) return null
  const taxMicros = await returnedTax(trx, invoice, input.returnedMicros)
  const numbered = await takeNumber(trx, 'CN', ctx.now())
  await trx
    .insertInto('invoices')
    .values({
      ...invoice,
      ...numbered,
      kind: 'credit_note',
      corrects: invoice.number,
      issued_at: ctx.now(),
      amount_micros: input.returnedMicros,
      bonus_micros: 0,
      tax_micros: taxMicros,
      buyer: JSON.stringify(invoice.buyer),
      seller: JSON.stringify(invoice.seller),
    })
    .execute()
  return numbered.number
}

/**
 * The tax within a return, in proportion to the returned amount. Shares are counted from the
 * invoice on, so that parts that return everything return all of the tax.
 */
async function returnedTax(
  trx: Transaction<Tables>,
  invoice: { number: string; amount_micros: number; tax_micros: number | null },
  returnedMicros: number,
): Promise<number | null> {
  if (invoice.tax_micros === null) return null
  const before = await trx
    .selectFrom('invoices')
    .select([
      sql<number>`coalesce(sum(amount_micros), 0)::bigint`.as('amountMicros'),
      sql<number>`coalesce(sum(tax_micros), 0)::bigint`.as('taxMicros'),
    ])
    .where('corrects', '=', invoice.number)
    .executeTakeFirstOrThrow()
  const share = (before.amountMicros + returnedMicros) / invoice.amount_micros
  const cents = Math.round((invoice.tax_micros * share) / microsPerCent)
  return cents * microsPerCent - before.taxMicros
}

async function takeNumber(
  trx: Transaction<Tables>,
  prefix: 'CI' | 'CN',
  now: Date,
): Promise<{ number: string; series: string; ordinal: number }> {
  const series = `${prefix}-${now.getUTCFullYear()}`
  const { last: ordinal } = await trx
    .insertInto('invoice_counters')
    .values({ series, last: 1 })
    .onConflict((conflict) =>
      conflict.column('series').doUpdateSet({ last: sql`invoice_counters.last + 1` }),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return { number: `${series}-${String(ordinal).padStart(6, '0')}`, series, ordinal }
}

async function readBuyer(trx: Transaction<Tables>, accountId: string) {
  const account = await trx
    .selectFrom('accounts')
    .select(['name', 'email'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return { ...account, ...(await readBillingDetails(trx, accountId)) }
}
