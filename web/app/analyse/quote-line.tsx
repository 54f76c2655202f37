import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { extractors } from '../../../domain/money/catalogue.ts'
import type { JobOptions } from '../../../domain/job-options.ts'
import type { Quote } from '../../../contract/footage/quotes.ts'
import { formatUsd } from '../../../domain/money/money.ts'
import { api } from '../api.ts'
import { isMissingCall } from '../failures.ts'
import { balanceUsd, usd } from '../format.ts'
import { keys } from '../queries.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'

export interface JobRequest extends JobOptions {
  content_url: string
  workflow: string
}

const typingPauseMs = 400

/** The price of what is being put together, asked for once typing has paused. */
export function useQuote(request: JobRequest) {
  const settled = useSettled(JSON.stringify(request))
  const asked = JSON.parse(settled) as JobRequest
  return useQuery({
    queryKey: [...keys.quote, asked.content_url, settled],
    queryFn: ({ signal }) => api.quoteJob({ body: asked }, { signal }),
    enabled: isAddress(asked.content_url) && asked.workflow !== '',
    // Another choice on the same footage may keep the old price for a moment, other footage not.
    placeholderData: (before, query) =>
      query?.queryKey[1] === asked.content_url ? before : undefined,
    retry: false,
    // A job that has ended meanwhile changes the price of the next: an old answer is not shown.
    staleTime: 0,
    gcTime: 0,
  })
}

function isAddress(url: string): boolean {
  return /^https?:\/\/\S+/.test(url)
}

/** The price of the job against the balance. */
export function QuoteLine({
  request: { content_url: url, workflow: ids },
  state: { data, error, isFetching },
  onBuyCredits,
}: {
  request: JobRequest
  state: ReturnType<typeof useQuote>
  onBuyCredits: () => void
}) {
  if (!url || !ids) {
    return <p className="text-ink-3">The cost appears here before anything is charged.</p>
  }
  if (!isAddress(url)) {
    return <p className="text-bad">Enter a full URL that begins with http:// or https://.</p>
  }
  if (isMissingCall(error)) return <PricePerSecond ids={ids} />
  if (error) return <p className="text-bad">{error.message}</p>
  if (!data) {
    return (
      <p role="status" className="flex items-center gap-2 text-ink-3">
        {isFetching && <Spinner />} Reading the footage…
      </p>
    )
  }
  const { quote } = data
  return (
    <div aria-live="polite" className="rounded-lg border border-line bg-raised px-3 py-2">
      <p className="flex items-baseline gap-2">
        <span className="grow text-ink-2">
          At most, for {quote.media_seconds.toLocaleString('en-US')} s of media
          {quote.lines.some((line) => line.reused) && ' (results you already have are free)'}
        </span>
        <span className="timecode text-md font-medium">{usd(quote.total_usd)}</span>
      </p>
      {skippedTexts(quote.lines).map((text) => (
        <p key={text} className="text-xs text-ink-3">
          {text}
        </p>
      ))}
      {quote.seconds > quote.media_seconds && (
        <p className="text-xs text-ink-3">
          Footage with more pixels than 8K at 60 fps costs more: {quote.media_seconds} s count as{' '}
          {quote.seconds} s.
        </p>
      )}
      {quote.sufficient ? (
        <p className="text-xs text-ink-3">Your balance: {balanceUsd(quote.available_usd)}</p>
      ) : (
        <NotEnough availableUsd={quote.available_usd} onBuyCredits={onBuyCredits} />
      )}
    </div>
  )
}

export function NotEnough({
  availableUsd,
  onBuyCredits,
}: {
  availableUsd: number
  onBuyCredits: () => void
}) {
  return (
    <div className="mt-1 flex flex-wrap items-center gap-2">
      <p className="grow text-xs text-bad">
        Not enough credit: you have {balanceUsd(availableUsd)}. Buy credits, choose fewer
        extractors, or analyse a range.
      </p>
      <Button onClick={onBuyCredits}>Buy credits</Button>
    </div>
  )
}

/** "Transcription will be skipped (no audio). Not charged.", a sentence for each reason. */
function skippedTexts(lines: Quote['lines']): string[] {
  const skipped = lines.filter((line) => !line.applies)
  return [...Map.groupBy(skipped, (line) => line.skip_reason ?? '')].map(([reason, alike]) => {
    const names = alike.map((line) => nameOf(line.extractor)).join(', ')
    const why = reason.replace(/\.$/, '').toLowerCase()
    return `${names} will be skipped${why && ` (${why})`}. Not charged.`
  })
}

/** All that can be said of the cost where the service gives no quotes. */
function PricePerSecond({ ids }: { ids: string }) {
  const chosen = extractors.filter((item) => ids.split(',').includes(item.id))
  const micros = chosen.reduce((sum, item) => sum + item.microsPerSecond, 0)
  return <p className="text-ink-2">{formatUsd(micros, 3)} for each second of media</p>
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
