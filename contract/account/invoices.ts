/** Invoices and credit notes, and what a buyer wants to read on them. */
import * as z from 'zod'
import { defineEndpoints } from '../define-endpoints.ts'
import { Timestamp, Usd } from '../fields.ts'
import { Id } from '../../domain/fields.ts'

export const BillingDetails = z
  .object({
    company: z.string().trim().max(200),
    address: z.string().trim().max(500).meta({ description: 'Lines of the postal address.' }),
    country: z
      .string()
      .regex(/^([A-Z]{2})?$/, 'Please choose a country')
      .meta({ description: 'Two letters (ISO 3166), or empty.', example: 'DE' }),
    vat_id: z
      .string()
      .trim()
      .max(40)
      .meta({ description: 'VAT or tax id; its form is checked, its registration is not.' }),
  })
  .meta({ id: 'BillingDetails' })
export type BillingDetails = z.infer<typeof BillingDetails>

export const Invoice = z
  .object({
    number: z.string(),
    kind: z.enum(['invoice', 'credit_note']),
    transaction_id: Id.meta({ description: 'The purchase; its receipt has the same id.' }),
    corrects: z
      .string()
      .nullable()
      .meta({ description: 'The invoice that a credit note corrects.' }),
    issued_at: Timestamp,
    package_name: z.string(),
    amount_usd: Usd.meta({ description: 'Charged to the card, or returned to it.' }),
    bonus_usd: Usd,
    tax_usd: Usd.nullable().meta({
      description:
        'The tax within the amount, as the payment provider states it. Null: it states none.',
    }),
    tax_note: z.string(),
    card_brand: z.string().nullable(),
    card_last4: z.string().nullable(),
    is_auto_reload: z.boolean(),
    reference: z.string(),
    buyer: BillingDetails.extend({ name: z.string().nullable(), email: z.string() }),
    seller: z.object({ name: z.string(), address: z.string(), tax_id: z.string() }),
  })
  .meta({ id: 'Invoice' })
export type Invoice = z.infer<typeof Invoice>

export const invoiceEndpoints = defineEndpoints('Billing', 'session', {
  getBillingDetails: {
    method: 'GET',
    path: '/user/billing-details',
    summary: 'What invoices show about the buyer',
    reply: z.object({ details: BillingDetails }),
  },
  saveBillingDetails: {
    method: 'PUT',
    path: '/user/billing-details',
    summary: 'Change what invoices show about the buyer',
    description: 'Invoices that were issued before keep what they show.',
    body: z.strictObject(BillingDetails.shape),
    reply: z.object({ details: BillingDetails }),
    example: {
      body: {
        company: 'Schnitt GmbH',
        address: 'Hauptstraße 1\n10115 Berlin',
        country: 'DE',
        vat_id: 'DE136695976',
      },
    },
  },
  listInvoices: {
    method: 'GET',
    path: '/user/invoices',
    summary: 'Invoices and credit notes, newest first',
    reply: z.object({ invoices: z.array(Invoice) }),
  },
  getInvoice: {
    method: 'GET',
    path: '/user/invoices/{number}',
    summary: 'One invoice or credit note',
    params: z.object({ number: z.string().regex(/^C[IN]-\d{4}-[0-9A-F]{4,12}$/) }),
    reply: z.object({ invoice: Invoice }),
  },
  downloadInvoice: {
    method: 'GET',
    path: '/user/invoices/{number}/pdf',
    summary: 'One invoice or credit note as PDF',
    params: z.object({ number: z.string().regex(/^C[IN]-\d{4}-[0-9A-F]{4,12}$/) }),
    rawReply: { contentType: 'application/pdf', description: 'One page of A4.' },
  },
})
