/** An invoice as one page of A4. */
import { brandName } from '../../domain/money/card-brand.ts'
import { countryName } from '../../domain/money/country-name.ts'
import { formatUsd, fromUsdNumber } from '../../domain/money/money.ts'
import type { Invoice } from '../../contract/account/invoices.ts'
import type { Verb } from '../ground/verb.ts'
import { fontFile, runsOf } from './fonts.ts'
import { findInvoice } from './read.ts'

const margin = 56
const lineGap = 2
const ink = '#12191e'
const quiet = '#4a545a'
const line = '#c9d1d6'

export const downloadInvoice: Verb<'downloadInvoice'> = async (
  ctx,
  { accountId },
  { params },
  { reply },
) => {
  const invoice = await findInvoice(ctx.db, { accountId, number: params.number })
  const pdf = await drawInvoice(invoice)
  reply
    .header('content-disposition', `attachment; filename="${invoice.number}.pdf"`)
    .header('cache-control', 'private, no-store')
    .type('application/pdf')
    .send(pdf)
}

export async function drawInvoice(invoice: Invoice): Promise<Buffer> {
  const isInvoice = invoice.kind === 'invoice'
  const title = isInvoice ? 'Invoice' : 'Credit note'
  // Few processes ever draw one, and it is a tenth of the start.
  const { PDFDocument } = await import('pdfkit')
  const document = new PDFDocument({
    size: 'A4',
    margin,
    info: { Title: `${title} ${invoice.number}`, Author: invoice.seller.name },
    lang: 'en',
  })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((done) => {
    document.on('end', done)
  })
  const width = document.page.width - 2 * margin
  const write = (text: string, x: number, y: number, options: Style = {}): number => {
    document.fontSize(options.size ?? 9.5).fillColor(options.color ?? ink)
    const box = { width: options.width ?? width, align: options.align ?? 'left' }
    let below = y
    // Each line by itself: a break between two faces would be lost.
    for (const part of text.split('\n')) {
      const runs = runsOf(part)
      for (const [index, run] of runs.entries()) {
        const layout = { ...box, continued: index < runs.length - 1 }
        document.font(fontFile(run.face, options.bold ?? false))
        if (index === 0) document.text(run.text, x, below, layout)
        else document.text(run.text, layout)
      }
      below = document.y + lineGap
    }
    return below - lineGap
  }
  const rule = (y: number): void => {
    document
      .moveTo(margin, y)
      .lineTo(margin + width, y)
      .lineWidth(0.7)
      .stroke(line)
  }
  write(invoice.seller.name, margin, margin, { bold: true, size: 12 })
  write(title, margin, margin + 34, { bold: true, size: 22 })
  let y = write(invoice.number, margin, document.y + 4, { color: quiet }) + 22
  const half = width / 2 - 12
  const address = (label: string, lines: string[], x: number): number => {
    const below = write(label, x, y, { color: quiet, width: half })
    return write(lines.filter(Boolean).join('\n'), x, below + 3, { width: half })
  }
  const left = address('Seller', sellerLines(invoice), margin)
  const right = address('Billed to', buyerLines(invoice), margin + width / 2)
  y = Math.max(left, right) + 20
  for (const [label, value] of factsOf(invoice)) {
    write(label, margin, y, { color: quiet, width: 130 })
    y = write(value, margin + 140, y, { width: width - 140 }) + 4
  }
  y += 16
  for (const [label, amount, isTotal] of linesOf(invoice)) {
    rule(y)
    const style = { bold: isTotal, size: isTotal ? 11 : 9.5 }
    write(amount, margin + width - 130, y + 9, { ...style, width: 130, align: 'right' })
    y = write(label, margin, y + 9, { ...style, width: width - 150 }) + 9
  }
  rule(y)
  y = write(invoice.tax_note, margin, y + 12, { color: quiet, size: 9 }) + 8
  write(closingOf(invoice), margin, y, { color: quiet, size: 9 })
  document.end()
  await ended
  return Buffer.concat(chunks)
}

interface Style {
  bold?: boolean
  size?: number
  color?: string
  width?: number
  align?: 'left' | 'right'
}

function sellerLines({ seller }: Invoice): string[] {
  return [seller.name, seller.address, seller.tax_id && `Tax id ${seller.tax_id}`]
}

function buyerLines({ buyer }: Invoice): string[] {
  return [
    buyer.company || buyer.name || '',
    buyer.address,
    buyer.country && countryName(buyer.country),
    buyer.vat_id && `VAT id ${buyer.vat_id}`,
    buyer.email,
  ]
}

function factsOf(invoice: Invoice): [string, string][] {
  const card = invoice.card_last4
    ? `${brandName(invoice.card_brand ?? 'card')} •••• ${invoice.card_last4}`
    : 'Card'
  const how = invoice.is_auto_reload ? ', auto-reload' : ''
  return [
    ['Date', invoice.issued_at.slice(0, 10)],
    ...(invoice.corrects ? ([['Corrects', invoice.corrects]] as [string, string][]) : []),
    [invoice.kind === 'invoice' ? 'Paid by' : 'Returned to', `${card}${how}`],
    ['Payment reference', invoice.reference],
  ]
}

function linesOf(invoice: Invoice): [string, string, boolean][] {
  const amount = formatUsd(fromUsdNumber(invoice.amount_usd))
  const tax: [string, string, boolean] = invoice.tax_usd
    ? ['Tax, included', formatUsd(fromUsdNumber(invoice.tax_usd)), false]
    : ['Tax', 'none', false]
  if (invoice.kind === 'credit_note') {
    return [
      [`Payment for credit package ${invoice.package_name}, returned`, amount, false],
      tax,
      ['Total returned', `${amount} USD`, true],
    ]
  }
  const bonus = formatUsd(fromUsdNumber(invoice.bonus_usd))
  return [
    [`Credit package ${invoice.package_name}`, amount, false],
    ...(invoice.bonus_usd > 0
      ? ([[`Bonus credits of ${bonus}`, 'free', false]] as [string, string, boolean][])
      : []),
    tax,
    ['Total charged', `${amount} USD`, true],
  ]
}

function closingOf(invoice: Invoice): string {
  return invoice.kind === 'invoice'
    ? 'Paid in full. Purchased credits do not expire.'
    : `This note corrects the invoice ${invoice.corrects}.`
}
