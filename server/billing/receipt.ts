import { sql } from 'kysely'
import { toUsd } from '../../domain/money/money.ts'
import type { Verb } from '../ground/verb.ts'
import { readInvoicesOf } from '../invoices/read.ts'
import { notFound } from '../ground/refusal.ts'

interface ReceiptRow {
  id: string
  kind: string
  reference: string
  created_at: Date
  email: string
  name: string | null
  package_name: string
  price_micros: number
  bonus_micros: number
}

/** The receipt of one purchase or reload of this account. */
export const getReceipt: Verb<'getReceipt'> = async (ctx, actor, { params }) => {
  const { rows } = await sql<ReceiptRow>`
    select t.id, t.kind, substr(t.key, length(t.kind) + 2) as reference, t.created_at, a.email,
      a.name, t.metadata ->> 'credit_package_name' as package_name,
      paid.granted_micros as price_micros, coalesce(bonus.granted_micros, 0) as bonus_micros
    from ledger_transactions t
    join accounts a on a.id = t.account_id
    join ledger_lots paid on paid.opened_by = t.id and paid.kind = 'paid'
    left join ledger_lots bonus on bonus.opened_by = t.id and bonus.kind = 'bonus'
    where t.id = ${params.id} and t.account_id = ${actor.accountId}
      and t.kind in ('purchase', 'reload')`.execute(ctx.db)
  const row = rows[0]
  if (!row) throw notFound('The receipt')
  const invoices = await readInvoicesOf(ctx.db, {
    accountId: actor.accountId,
    transactionId: row.id,
  })
  const invoice = invoices.find(({ kind }) => kind === 'invoice') ?? null
  return {
    receipt: {
      id: row.id,
      number:
        invoice?.number ??
        `CI-${row.created_at.getUTCFullYear()}-${row.id.slice(0, 8).toUpperCase()}`,
      created_at: row.created_at.toISOString(),
      email: row.email,
      name: row.name,
      package_name: row.package_name,
      price_usd: toUsd(row.price_micros),
      bonus_usd: toUsd(row.bonus_micros),
      credits_usd: toUsd(row.price_micros + row.bonus_micros),
      is_auto_reload: row.kind === 'reload',
      payment_reference: row.reference,
      invoice,
      credit_notes: invoices.filter(({ kind }) => kind === 'credit_note'),
    },
  }
}
