import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../api.ts'
import { usd } from '../../figures.ts'
import { Spinner } from '../../ui/spinner.tsx'

const typingPauseMs = 400

/** What the job will cost against what can be spent, as it is being put together. */
export function QuoteLine({ contentUrl, workflow }: { contentUrl: string; workflow: string }) {
  const asked = useSettled(`${contentUrl}\n${workflow}`)
  const [url = '', ids = ''] = asked.split('\n')
  const { data, error, isFetching } = useQuery({
    queryKey: ['quote', url, ids],
    queryFn: ({ signal }) =>
      api.quoteJob({ body: { content_url: url, workflow: ids } }, { signal }),
    enabled: /^https?:\/\/\S+/.test(url) && ids !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (!url || !ids) {
    return <p className="text-ink-3">The cost appears here before anything is charged.</p>
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
  return (
    <div aria-live="polite" className="rounded-lg border border-line bg-raised px-3 py-2">
      <p className="flex items-baseline gap-2">
        <span className="grow text-ink-2">
          At most, for {quote.seconds} s of media
          {quote.lines.some((line) => line.reused) && ' (known results cost nothing)'}
        </span>
        <span className="timecode text-md font-medium">{usd(quote.total_usd)}</span>
      </p>
      <p className={quote.sufficient ? 'text-xs text-ink-3' : 'text-xs text-bad'}>
        {quote.sufficient
          ? `Your balance: ${usd(quote.available_usd)}`
          : `Your balance of ${usd(quote.available_usd)} is not enough. Buy credits or choose fewer extractors.`}
      </p>
    </div>
  )
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
