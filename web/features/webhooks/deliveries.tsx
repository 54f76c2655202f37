import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Webhook, WebhookDelivery } from '../../../contract/account/webhooks.ts'
import { api } from '../../app/api.ts'
import { counted, dateTime } from '../../app/format.ts'
import { Badge } from '../../ui/badge.tsx'
import type { BadgeTone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'

const tones: Record<WebhookDelivery['state'], BadgeTone> = {
  delivered: 'good',
  waiting: 'warn',
  failed: 'bad',
}
const lookEveryMs = 3000
const dayMs = 24 * 3_600_000
/** Events are kept for 30 days. */
const periods = [
  { value: '1', label: 'The last 24 hours' },
  { value: '7', label: 'The last 7 days' },
  { value: '30', label: 'The last 30 days' },
]

/** Deliveries to one webhook with its answers, newest first. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const queries = useQueryClient()
  const queryKey = ['webhooks', webhook.id, 'deliveries']
  const params = { id: webhook.id }
  const log = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      api.listWebhookDeliveries(
        { params, query: pageParam ? { cursor: pageParam } : {} },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: lookEveryMs,
  })
  const redeliver = useMutation({
    mutationFn: (body: { delivery_id: string } | { since: string }) =>
      api.redeliverWebhook({ params, body }),
    onSuccess: ({ redelivered }) => {
      const message = `${counted(redelivered, 'event')} will be sent again`
      showToast({ type: 'success', title: 'Success', message })
    },
    meta: { failure: { fallback: 'That failed' } },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
  if (log.isPending) return <Skeleton className="mt-3 h-16" />
  if (!log.data) return <LoadFailure onRetry={() => void log.refetch()} />
  const deliveries = log.data.pages.flatMap((page) => page.deliveries)
  return (
    <div className="mt-3 flex flex-col gap-2">
      {deliveries.length === 0 ? (
        <p className="text-ink-3">Nothing was sent yet. Send a test to try it.</p>
      ) : (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {deliveries.map((delivery) => (
            <li key={delivery.id} className="flex flex-wrap items-start gap-2 px-3 py-2">
              <Delivery delivery={delivery} />
              {webhook.enabled && delivery.state !== 'waiting' && (
                <Button onClick={() => redeliver.mutate({ delivery_id: delivery.id })}>
                  Send again
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {log.hasNextPage && (
        <Button
          className="self-start"
          busy={log.isFetchingNextPage}
          onClick={() => void log.fetchNextPage()}
        >
          Show more
        </Button>
      )}
      {webhook.enabled && (
        <SendAgain
          isBusy={redeliver.isPending && 'since' in redeliver.variables}
          onSend={(since) => redeliver.mutate({ since })}
        />
      )}
    </div>
  )
}

function SendAgain({ isBusy, onSend }: { isBusy: boolean; onSend: (since: string) => void }) {
  const [days, setDays] = useState('1')
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Select
        label="Send everything again"
        value={days}
        onChange={(event) => setDays(event.target.value)}
        options={periods}
      />
      <Button
        size="md"
        busy={isBusy}
        onClick={() => onSend(new Date(Date.now() - Number(days) * dayMs).toISOString())}
      >
        Send all
      </Button>
    </div>
  )
}

function Delivery({ delivery }: { delivery: WebhookDelivery }) {
  const [last] = delivery.attempts
  return (
    <details className="min-w-0 grow basis-60">
      <summary
        aria-label={`${delivery.type}, ${delivery.state}, ${dateTime(delivery.created_at)}`}
        className="cursor-pointer pointer-coarse:py-2.5"
      >
        <span className="[&>*]:mr-2">
          <code>{delivery.type}</code>
          <Badge tone={tones[delivery.state]}>{delivery.state}</Badge>
          <span className="text-xs text-ink-3">
            {dateTime(delivery.created_at)}
            {last && ` · ${last.status ?? 'no answer'} in ${last.ms} ms`}
          </span>
        </span>
      </summary>
      <div className="mt-2 flex flex-col gap-2 text-xs">
        <pre className="overflow-x-auto rounded-md border border-line bg-page p-2" tabIndex={0}>
          {delivery.body}
        </pre>
        {delivery.attempts.map((attempt) => (
          <p key={attempt.at} className="wrap-anywhere text-ink-2">
            {dateTime(attempt.at)} · {attempt.status ?? 'no answer'} · {attempt.ms} ms
            {attempt.answer && ` · ${attempt.answer}`}
          </p>
        ))}
        {delivery.next_at && (
          <p className="text-ink-3">Next attempt {dateTime(delivery.next_at)}</p>
        )}
      </div>
    </details>
  )
}
