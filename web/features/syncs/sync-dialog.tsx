import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { syncLimits } from '../../../domain/money/catalogue.ts'
import { api } from '../../app/api.ts'
import { messageOf } from '../../app/failures.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Quotes a sync of these clips before it is placed. */
export function SyncDialog({
  ids,
  onClose,
  onBuyCredits,
}: {
  ids: readonly string[]
  onClose: () => void
  onBuyCredits?: () => void
}) {
  const navigate = useNavigate()
  const isCountRight = ids.length >= syncLimits.minItems && ids.length <= syncLimits.maxItems
  const { data, error } = useQuery({
    queryKey: ['sync-quote', ...ids],
    queryFn: () => api.quoteSync({ body: { content_ids: [...ids] } }),
    enabled: isCountRight,
    gcTime: 0,
    retry: false,
  })
  const quote = data?.quote
  const make = useMutation({
    mutationFn: () => api.createSync({ body: { content_ids: [...ids], quote_id: quote?.id } }),
    onSuccess: ({ sync }) => {
      onClose()
      void navigate(`/syncs/${sync.id}`)
    },
  })
  const problem = !isCountRight
    ? `Choose ${syncLimits.minItems} to ${syncLimits.maxItems} clips.`
    : (make.error ?? error)
      ? messageOf(make.error ?? error, 'Please check your connection and try again.')
      : null
  const isShort = quote ? !quote.sufficient : false
  return (
    <Dialog
      onClose={onClose}
      title="Sync by sound"
      description="Finds which clips were recorded together, and puts them onto one clock. Held now, charged when it is done. A failed sync is not charged."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {isShort && onBuyCredits ? (
            <Button look="primary" onClick={onBuyCredits}>
              Buy credits
            </Button>
          ) : (
            <Button
              look="primary"
              busy={make.isPending}
              disabled={!quote || isShort}
              onClick={() => make.mutate()}
            >
              {quote ? `Sync for $${quote.total_usd.toFixed(3)}` : 'Sync'}
            </Button>
          )}
        </>
      }
    >
      {problem ? (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      ) : !quote ? (
        <Skeleton className="h-24" />
      ) : (
        <Lines lines={quote.lines} />
      )}
    </Dialog>
  )
}

type Quote = Awaited<ReturnType<typeof api.quoteSync>>['quote']

function Lines({ lines }: Pick<Quote, 'lines'>) {
  return (
    <ul className="divide-y divide-line border-y border-line text-sm">
      {lines.map((line) => (
        <li key={line.content_id} className="flex items-center gap-3 py-1.5">
          <span className="min-w-0 grow truncate">{line.name}</span>
          <span className="figures text-ink-3">
            {line.applies ? `${line.seconds} s` : 'no sound'}
          </span>
          <span className="figures w-16 text-right">${line.usd.toFixed(3)}</span>
        </li>
      ))}
    </ul>
  )
}
