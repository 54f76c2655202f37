import { toUsd } from '../../domain/money/money.ts'
import type { Invoice } from '../../contract/account/invoices.ts'
import { isEuCountry } from '../../domain/money/vat.ts'
import type { Db } from '../ground/database.ts'
import { notFound } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'

const maxListed = 1000

export const listInvoices: Verb<'listInvoices'> = async (ctx, { accountId }) => ({
  invoices: await readInvoices(ctx.db, accountId),
})

export const getInvoice: Verb<'getInvoice'> = async (ctx, { accountId }, { params }) => ({
  invoice: await findInvoice(ctx.db, { accountId, number: params.number }),
})

export async function readInvoices(db: Db, accountId: string): Promise<Invoice[]> {
  const rows = await invoicesOf(db, accountId)
    .orderBy('issued_at', 'desc')
    .orderBy('number', 'desc')
    .limit(maxListed)
    .execute()
  return rows.map(present)
}

/** Reads every invoice, newest number first, for the account's export. */
export async function* readAllInvoices(db: Db, accountId: string): AsyncGenerator<Invoice> {
  const page = invoicesOf(db, accountId).orderBy('number', 'desc').limit(maxListed)
  let rows = await page.execute()
  while (rows.length > 0) {
    yield* rows.map(present)
    rows = await page.where('number', '<', rows.at(-1)!.number).execute()
  }
}

/** Reads the invoice of one purchase and the credit notes that correct it. */
export async function readInvoicesOf(
  db: Db,
  purchase: { accountId: string; transactionId: string },
): Promise<Invoice[]> {
  const rows = await invoicesOf(db, purchase.accountId)
    .where('transaction_id', '=', purchase.transactionId)
    .orderBy('issued_at')
    .orderBy('number')
    .execute()
  return rows.map(present)
}

export async function findInvoice(
  db: Db,
  wanted: { accountId: string; number: string },
): Promise<Invoice> {
  const row = await invoicesOf(db, wanted.accountId)
    .where('number', '=', wanted.number)
    .executeTakeFirst()
  if (!row) throw notFound('This invoice')
  return present(row)
}

function invoicesOf(db: Db, accountId: string) {
  return db.selectFrom('invoices').selectAll().where('account_id', '=', accountId)
}

type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof invoicesOf>['executeTakeFirst']>>>

function present(row: Row): Invoice {
  return {
    number: row.number,
    kind: row.kind,
    transaction_id: row.transaction_id,
    corrects: row.corrects,
    issued_at: row.issued_at.toISOString(),
    package_name: row.package_name,
    amount_usd: toUsd(row.amount_micros),
    bonus_usd: toUsd(row.bonus_micros),
    tax_usd: row.tax_micros === null ? null : toUsd(row.tax_micros),
    tax_note: taxNote(row),
    card_brand: row.card_brand,
    card_last4: row.card_last4,
    is_auto_reload: row.is_auto_reload,
    reference: row.reference,
    buyer: row.buyer,
    seller: row.seller,
  }
}

/** Says what we know: the provider's tax, or that none was charged. Advice is a tax office's. */
function taxNote({ tax_micros: tax, buyer }: Pick<Row, 'tax_micros' | 'buyer'>): string {
  if (tax) return 'Tax as calculated by the payment provider, included in the total.'
  if (buyer.vat_id && isEuCountry(buyer.country)) {
    return `No tax charged. VAT id of the customer: ${buyer.vat_id}. Where VAT is due, the customer owes it (reverse charge).`
  }
  return 'No tax charged.'
}
