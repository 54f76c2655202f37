import * as z from 'zod'
import { spendLimits } from '../../domain/money/catalogue.ts'
import { defineEndpoints } from '../define-endpoints.ts'
import { Invoice } from './invoices.ts'
import { Cursor, limitOf, NextCursor, Timestamp, Usd } from '../fields.ts'
import { Id } from '../../domain/fields.ts'

export const BillingStats = z
  .object({
    total_spent_usd: Usd.meta({ description: 'Money charged to cards.' }),
    total_bonus_credits_usd: Usd,
    total_credits_purchased_usd: Usd.meta({ description: 'Credits bought, bonus included.' }),
    month_usage_usd: Usd.meta({ description: 'Charged to jobs in the current UTC month.' }),
    month_jobs: z.int(),
    month_seconds: z.number().meta({ description: 'Seconds of media analysed this UTC month.' }),
  })
  .meta({ id: 'BillingStats' })
export type BillingStats = z.infer<typeof BillingStats>

export const Transaction = z
  .object({
    id: Id,
    description: z.string(),
    amount_usd: Usd.meta({ description: 'Positive: credit. Negative: debit.' }),
    created_at: Timestamp,
    metadata: z.string().meta({ description: 'JSON text.', example: '{"is_auto_reload":true}' }),
    credit_package_bonus_percentage: z.number().nullable(),
    job_id: Id.nullable(),
    kind: z
      .string()
      .meta({ description: 'What it is in the ledger: grant, purchase, reload, capture …' }),
  })
  .meta({ id: 'Transaction' })
export type Transaction = z.infer<typeof Transaction>

export const Receipt = z
  .object({
    id: Id,
    number: z.string(),
    created_at: Timestamp,
    email: z.string(),
    name: z.string().nullable(),
    package_name: z.string(),
    price_usd: Usd,
    bonus_usd: Usd,
    credits_usd: Usd,
    is_auto_reload: z.boolean(),
    payment_reference: z.string(),
    invoice: Invoice.nullable().meta({ description: 'The invoice, as it was issued.' }),
    credit_notes: z.array(Invoice),
  })
  .meta({ id: 'Receipt' })
export type Receipt = z.infer<typeof Receipt>

export const AccountLimit = z
  .object({
    monthly_usd: Usd.nullable().meta({ description: 'Null: no limit.' }),
    spent_usd: Usd.meta({ description: 'Cost and holds of this UTC month’s jobs.' }),
  })
  .meta({ id: 'AccountLimit' })
export type AccountLimit = z.infer<typeof AccountLimit>

export const billingEndpoints = defineEndpoints('Billing', 'key', {
  getSpendLimit: {
    method: 'GET',
    path: '/user/spend-limit',
    summary: 'The account’s monthly spend limit',
    scope: 'billing:read',
    reply: AccountLimit,
  },
  saveSpendLimit: {
    method: 'PUT',
    path: '/user/spend-limit',
    summary: 'Set or remove the monthly spend limit',
    description:
      'Jobs that would spend more in a calendar month (UTC) are refused with 402, whoever places them. Held credit counts; what a job does not use returns.',
    auth: 'session',
    body: z.strictObject({
      monthly_usd: z.number().min(0).max(spendLimits.maxUsd).multipleOf(0.01).nullable(),
    }),
    reply: AccountLimit,
    example: { body: { monthly_usd: 200 } },
  },
  getBillingStats: {
    method: 'GET',
    path: '/user/billing-stats',
    summary: 'Totals of what was bought and spent',
    scope: 'billing:read',
    reply: BillingStats,
  },
  listBillingHistory: {
    method: 'GET',
    path: '/user/billing-history',
    summary: 'Transactions, newest first',
    description:
      '`type=credit`: grants, purchases, reloads and refunds. `type=charge`: what jobs cost.',
    scope: 'billing:read',
    query: z.strictObject({
      limit: limitOf(10),
      type: z.enum(['credit', 'charge']).optional(),
      cursor: Cursor,
    }),
    reply: z.object({ transactions: z.array(Transaction), next_cursor: NextCursor }),
  },
  downloadBillingHistory: {
    method: 'GET',
    path: '/user/billing-history.csv',
    summary: 'Every transaction as CSV, in full precision',
    scope: 'billing:read',
    rawReply: { contentType: 'text/csv', description: 'One row for each transaction.' },
  },
  downloadUsage: {
    method: 'GET',
    path: '/user/usage.csv',
    summary: 'What was spent in a span of days, by project, key or extractor',
    description:
      'The charges of jobs less their refunds, in full precision; the rows add up to the ledger. Days are UTC; the default is the current month, the longest span 366 days.',
    scope: 'billing:read',
    query: z.strictObject({
      from: z.iso.date().optional(),
      to: z.iso.date().optional(),
      group: z.enum(['project', 'key', 'extractor']).default('project'),
    }),
    rawReply: { contentType: 'text/csv', description: 'One row for each group.' },
  },
  getReceipt: {
    method: 'GET',
    path: '/user/receipts/{id}',
    summary: 'The receipt of one purchase',
    auth: 'session',
    reply: z.object({ receipt: Receipt }),
  },
})
