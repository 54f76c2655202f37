import { useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { useParams } from 'react-router'
import { api, isOutage } from '../app/api.ts'
import { dateTime, usd } from '../app/figures.ts'
import { supportAddress } from '../app/support.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { MessagePage } from './message-page.tsx'

/** A printable receipt of one purchase. */
export function Receipt() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['receipt', id],
    queryFn: ({ signal }) => api.getReceipt({ params: { id } }, { signal }),
  })
  if (error && !data && isOutage(error)) {
    return (
      <div className="m-auto">
        <LoadFailure onRetry={() => void refetch()} />
      </div>
    )
  }
  if (error && !data) {
    return (
      <MessagePage
        label="Receipt"
        title="This receipt was not found"
        actions={<ButtonLink to="/profile#billing">Back to Billing & Credits</ButtonLink>}
      >
        <p>The link may be mistyped, or the purchase belongs to another account.</p>
      </MessagePage>
    )
  }
  const receipt = data?.receipt
  return (
    <article className="mx-auto my-8 w-full max-w-160 rounded-lg border border-line bg-panel p-8 print:m-0 print:border-0">
      <header className="flex items-start gap-4 border-b border-line pb-5">
        <div className="grow">
          <p className="font-semibold">CutIndex</p>
          <h1 className="mt-1 text-xl font-semibold tracking-tight">Receipt</h1>
          {receipt && <p className="timecode text-ink-3">{receipt.number}</p>}
        </div>
        <div className="flex gap-2 print:hidden">
          <ButtonLink to="/profile#billing">Billing</ButtonLink>
          <Button onClick={() => print()}>
            <Printer size={14} aria-hidden /> Print
          </Button>
        </div>
      </header>
      {receipt ? (
        <>
          <dl className="grid grid-cols-[10rem_1fr] gap-y-2 py-5 [&_dt]:text-ink-3">
            <dt>Date</dt>
            <dd>{dateTime(receipt.created_at)}</dd>
            <dt>Billed to</dt>
            <dd>
              {receipt.name && <span className="block">{receipt.name}</span>}
              {receipt.email}
            </dd>
            <dt>Payment reference</dt>
            <dd className="timecode break-all">{receipt.payment_reference}</dd>
            <dt>Paid by</dt>
            <dd>{receipt.is_auto_reload ? 'Card, auto-reload' : 'Card, at checkout'}</dd>
            <dt>Seller</dt>
            <dd>
              CutIndex
              <span className="block">{supportAddress}</span>
            </dd>
          </dl>
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
              <tr className="border-t border-line font-semibold">
                <td>Total charged</td>
                <td>{usd(receipt.price_usd)}</td>
              </tr>
            </tbody>
          </table>
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
