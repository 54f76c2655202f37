import { useQuery } from '@tanstack/react-query'
import { Download, Printer } from 'lucide-react'
import { useParams } from 'react-router'
import { brandName } from '../../domain/money/card-brand.ts'
import { api as endpoints } from '../../contract/api.ts'
import { api } from '../app/api.ts'
import { dateTime, usd } from '../app/format.ts'
import { countryName } from '../../domain/money/country-name.ts'
import { saveFile } from '../app/save-file.ts'
import { supportAddress } from '../app/support.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Absent, MessagePage } from './message-page.tsx'

/** A printable receipt of one purchase. */
export function Receipt() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['receipt', id],
    queryFn: ({ signal }) => api.getReceipt({ params: { id } }, { signal }),
  })
  if (error && !data) {
    return (
      <Absent noun="receipt" error={error} onRetry={refetch}>
        <MessagePage
          label="Receipt"
          title="This receipt was not found"
          actions={<ButtonLink to="/profile#billing">Back to Billing & Credits</ButtonLink>}
        >
          <p>The link may be mistyped, or the purchase belongs to another account.</p>
        </MessagePage>
      </Absent>
    )
  }
  const receipt = data?.receipt
  const invoice = receipt?.invoice
  return (
    <article className="mx-auto my-8 w-full max-w-160 rounded-lg border border-line bg-panel p-8 max-sm:p-5 print:m-0 print:border-0">
      <header className="flex items-start gap-4 border-b border-line pb-5">
        <div className="grow">
          <p className="font-semibold">CutIndex</p>
          <h1 className="mt-1 text-xl font-semibold tracking-tight">Receipt</h1>
          {receipt && <p className="timecode text-ink-3">{receipt.number}</p>}
        </div>
        <div className="flex flex-wrap justify-end gap-2 print:hidden">
          <ButtonLink to="/profile#billing">Billing</ButtonLink>
          {invoice && <PdfButton number={invoice.number} />}
          <Button onClick={() => print()}>
            <Printer size={14} aria-hidden /> Print
          </Button>
        </div>
      </header>
      {receipt ? (
        <>
          <Facts receipt={receipt} />
          <Sums receipt={receipt} />
          {invoice && <p className="mt-3 text-xs text-ink-3">{invoice.tax_note}</p>}
          {(receipt.credit_notes ?? []).map((note) => (
            <div key={note.number} className="mt-3 flex items-center gap-3">
              <p className="grow">
                Credit note <span className="timecode">{note.number}</span>: {usd(note.amount_usd)}{' '}
                returned on {dateTime(note.issued_at)}
                {note.tax_usd ? `, with ${usd(note.tax_usd)} of tax` : ''}
              </p>
              <PdfButton number={note.number} />
            </div>
          ))}
          <p className="mt-5 text-ink-2">
            {usd(receipt.credits_usd)} of credits were added to the balance. Purchased credits never
            expire.
          </p>
        </>
      ) : (
        <Skeleton className="mt-5 h-48" />
      )}
    </article>
  )
}

type Paid = Awaited<ReturnType<typeof api.getReceipt>>['receipt']

function Facts({ receipt }: { receipt: Paid }) {
  const { invoice } = receipt
  const buyer = invoice?.buyer
  return (
    <dl className="grid grid-cols-[10rem_1fr] gap-y-2 max-sm:grid-cols-[7.5rem_1fr] py-5 [&_dt]:text-ink-3">
      <dt>Date</dt>
      <dd>{dateTime(receipt.created_at)}</dd>
      <dt>Billed to</dt>
      <dd>
        {buyer?.company ? (
          <span className="block">{buyer.company}</span>
        ) : (
          receipt.name && <span className="block">{receipt.name}</span>
        )}
        {buyer?.address && <span className="block whitespace-pre-line">{buyer.address}</span>}
        {buyer?.country && <span className="block">{countryName(buyer.country)}</span>}
        {buyer?.vat_id && <span className="block">VAT id {buyer.vat_id}</span>}
        {receipt.email}
      </dd>
      <dt>Payment reference</dt>
      <dd className="timecode break-all">{receipt.payment_reference}</dd>
      <dt>Paid by</dt>
      <dd>
        {invoice?.card_last4
          ? `${brandName(invoice.card_brand ?? 'card')} •••• ${invoice.card_last4}`
          : 'Card'}
        {receipt.is_auto_reload ? ', auto-reload' : ', at checkout'}
      </dd>
      <dt>Seller</dt>
      <dd>
        {invoice?.seller.name ?? 'CutIndex'}
        {invoice?.seller.address && (
          <span className="block whitespace-pre-line">{invoice.seller.address}</span>
        )}
        {invoice?.seller.tax_id && <span className="block">Tax id {invoice.seller.tax_id}</span>}
        <span className="block">{supportAddress}</span>
      </dd>
    </dl>
  )
}

function Sums({ receipt }: { receipt: Paid }) {
  const { invoice } = receipt
  return (
    <table className="w-full border-t border-line text-left [&_td]:py-2 [&_td:last-child]:text-right [&_td:last-child]:timecode">
      <tbody>
        <tr>
          <td>Credit package {receipt.package_name}</td>
          <td>{usd(receipt.price_usd)}</td>
        </tr>
        {receipt.bonus_usd > 0 && (
          <tr className="text-ink-2">
            <td>Bonus credits of {usd(receipt.bonus_usd)}</td>
            <td>free</td>
          </tr>
        )}
        {invoice && (
          <tr className="text-ink-2">
            <td>{invoice.tax_usd ? 'Tax, included' : 'Tax'}</td>
            <td>{invoice.tax_usd ? usd(invoice.tax_usd) : 'none'}</td>
          </tr>
        )}
        <tr className="border-t border-line font-semibold">
          <td>Total charged</td>
          <td>{usd(receipt.price_usd)}</td>
        </tr>
      </tbody>
    </table>
  )
}

function PdfButton({ number }: { number: string }) {
  const save = () =>
    saveFile(endpoints.downloadInvoice, { name: `${number}.pdf`, params: { number } })
  return (
    <Button onClick={() => void save()}>
      <Download size={14} aria-hidden /> PDF
    </Button>
  )
}
