import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { extractors } from '../../../contract/catalogue.ts'
import { api } from '../../app/api.ts'
import { balanceUsd, usd } from '../../app/figures.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'

/** What a job is asked to do; in and out in seconds, where it is only a part. */
export interface JobRequest {
  content_url: string
  workflow: string
  in?: number
  out?: number
}

const typingPauseMs = 400

/** What the job will cost against what can be spent, as it is being put together. */
export function QuoteLine({
  request,
  onBuyCredits,
}: {
  request: JobRequest
  onBuyCredits: () => void
}) {
  const settled = useSettled(JSON.stringify(request))
  const asked = JSON.parse(settled) as JobRequest
  const { content_url: url, workflow: ids } = asked
  const isAddress = /^https?:\/\/\S+/.test(url)
  const { data, error, isFetching } = useQuery({
    queryKey: ['quote', url, settled],
    queryFn: ({ signal }) => api.quoteJob({ body: asked }, { signal }),
    enabled: isAddress && ids !== '',
    // Another choice on the same footage may keep the old price for a moment, other footage not.
    placeholderData: (before, query) => (query?.queryKey[1] === url ? before : undefined),
    retry: false,
    // A job that has ended meanwhile changes the price of the next: an old answer is not shown.
    staleTime: 0,
    gcTime: 0,
  })
  if (!url || !ids) {
    return <p className="text-ink-3">The cost appears here before anything is charged.</p>
  }
  if (!isAddress) {
    return <p className="text-bad">Enter a full URL that begins with http:// or https://.</p>
  }
  if (error) return <p className="text-bad">{error.message}</p>
  if (!data) {
    return (
      <p role="status" className="flex items-center gap-2 text-ink-3">
        {isFetching && <Spinner />} Looking at the footage…
      </p>
    )
  }
  const { quote } = data
  const skipped = quote.lines.flatMap((line) => (line.applies ? [] : [nameOf(line.extractor)]))
  return (
    <div aria-live="polite" className="rounded-lg border border-line bg-raised px-3 py-2">
      <p className="flex items-baseline gap-2">
        <span className="grow text-ink-2">
          At most, for {quote.seconds} s of media
          {quote.lines.some((line) => line.reused) && ' (known results cost nothing)'}
        </span>
        <span className="timecode text-md font-medium">{usd(quote.total_usd)}</span>
      </p>
      {skipped.length > 0 && (
        <p className="text-xs text-ink-3">
          Nothing to find here, at no cost: {skipped.join(', ')}.
        </p>
      )}
      {quote.sufficient ? (
        <p className="text-xs text-ink-3">Your balance: {balanceUsd(quote.available_usd)}</p>
      ) : (
        <div className="mt-1 flex flex-wrap items-center gap-2">
          <p className="grow text-xs text-bad">
            Your balance of {balanceUsd(quote.available_usd)} is not enough. Buy credits, or choose
            fewer extractors or only a part.
          </p>
          <Button onClick={onBuyCredits}>Buy credits</Button>
        </div>
      )}
    </div>
  )
}

function nameOf(id: string): string {
  return extractors.find((item) => item.id === id)?.name ?? id
}

/** The value once it has not changed for a moment, so that typing asks nothing. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typingPauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
