import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { maxBatchItems } from '../../../domain/money/catalogue.ts'
import type { BatchQuote } from '../../../contract/footage/batches.ts'
import { formatUsd } from '../../../domain/money/money.ts'
import { api } from '../../app/api.ts'
import { balanceUsd, counted, sumMicros, totalText } from '../../app/format.ts'
import { keys } from '../../app/queries.ts'
import type { JobOptions } from '../../../domain/job-options.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Kbd } from '../../keys/kbd.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'
import { AnalyseDialog } from './analyse-dialog.tsx'
import { isTime, orderOf, readChoice, rememberChoice } from './analysis.ts'
import { ClipList } from './clip-list.tsx'

type Item = BatchQuote['items'][number]

/** One dialog, one quote and one confirmation for every clip that is selected. */
export function AnalyseClips({
  ids: selected,
  project,
  onClose,
  onPlaced,
  onBuyCredits,
}: {
  ids: readonly string[]
  project: { id: string; name: string } | null
  onClose: () => void
  onPlaced: (batchId: string) => void
  onBuyCredits: () => void
}) {
  const projectId = project?.id ?? null
  const ids = selected.slice(0, maxBatchItems)
  const [analysis, setAnalysis] = useState(() => readChoice(projectId))
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const order = orderOf(analysis)
  const { quote, error, isStale } = useBatchQuote(ids, order)
  const items = quote?.items ?? []
  const kept = items.filter((item) => !left.has(item.content_id) && !item.refused)
  const totalMicros = order.workflow === '' ? 0 : sumMicros(kept.map((item) => item.usd))
  const availableMicros = sumMicros([quote?.available_usd ?? 0])
  const body = { content_ids: kept.map((item) => item.content_id), ...order }
  const place = usePlaceBatch(body, onPlaced, onClose)
  const isEnough = totalMicros <= availableMicros
  const isRangeWrong = !isTime(analysis.from) || !isTime(analysis.to)
  const isReady =
    quote && !isStale && isEnough && kept.length > 0 && order.workflow !== '' && !isRangeWrong
  const submit = () => {
    if (!isReady || place.isPending) return
    rememberChoice(projectId, analysis)
    place.mutate()
  }
  const seconds = kept.reduce((sum, item) => sum + item.seconds, 0)
  const fitting = isEnough ? null : whatFits(kept, availableMicros)
  return (
    <AnalyseDialog
      onClose={onClose}
      onSubmit={submit}
      title={`Analyse ${counted(ids.length, 'clip')}`}
      description={
        <>
          {quote &&
            `${totalText(seconds)}${project ? ` in ${project.name}` : ''}, each clip rounded up to a second. `}
          You won’t be charged again for results you already have.
          {selected.length > maxBatchItems &&
            ` One batch takes ${maxBatchItems}: these are the first of ${selected.length.toLocaleString('en-US')}.`}
        </>
      }
      failure={error}
      isStale={isStale}
      find={{
        analysis,
        onChange: (change) => setAnalysis({ ...analysis, ...change }),
        lines: kept.flatMap((item) => item.lines),
        clipCount: ids.length,
        errorOf: (field) => (field === 'part' ? 'Write 90, 1:30 or 1:02:03.' : undefined),
      }}
      footage={
        quote ? (
          <ClipList items={items} left={left} onChange={setLeft} />
        ) : (
          !error && <Skeleton className="h-60" />
        )
      }
      footer={
        <div className="flex w-full flex-wrap items-center gap-x-6 gap-y-2">
          <Figure label="Total" value={quote ? formatUsd(totalMicros) : '…'} isStrong />
          <Figure label="Balance now" value={quote ? balanceUsd(quote.available_usd) : '…'} />
          <Figure
            label="Balance after"
            value={quote ? formatUsd(availableMicros - totalMicros) : '…'}
            isBad={!isEnough}
          />
          <p className="grow text-right text-xs text-ink-3 max-sm:text-left">
            Held now, charged when a clip is done.
            <br />
            What fails is not charged.
          </p>
          {fitting && fitting.size < kept.length && (
            <Button
              size="md"
              onClick={() => setLeft(new Set(ids.filter((id) => !fitting.has(id))))}
            >
              Only what fits: {counted(fitting.size, 'clip')}
            </Button>
          )}
          {!isEnough && (
            <Button size="md" onClick={onBuyCredits}>
              Buy credits
            </Button>
          )}
          <Button
            look="primary"
            size="md"
            className="max-sm:h-12! max-sm:w-full"
            busy={place.isPending}
            disabled={!isReady}
            onClick={submit}
          >
            {kept.length === 0 && quote ? 'Nothing to do' : `Analyse for ${formatUsd(totalMicros)}`}{' '}
            <Kbd>Ctrl ↵</Kbd>
          </Button>
        </div>
      }
    />
  )
}

/** The last numbers stay, marked as stale, while new ones are asked for. */
function useBatchQuote(ids: readonly string[], order: { workflow: string } & JobOptions) {
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['batch-quote', ids, order],
    queryFn: ({ signal }) =>
      api.quoteBatch({ body: { content_ids: [...ids], ...order } }, { signal }),
    enabled: order.workflow !== '',
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
  return { quote: data?.quote ?? null, error, isStale: isFetching && isPlaceholderData }
}

function usePlaceBatch(
  body: { content_ids: string[]; workflow: string } & JobOptions,
  onPlaced: (batchId: string) => void,
  onClose: () => void,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.createBatch({ body }),
    onSuccess: ({ batch, refused }) => {
      void queries.invalidateQueries({ queryKey: keys.batches })
      void queries.invalidateQueries({ queryKey: keys.content })
      void queries.invalidateQueries({ queryKey: keys.me })
      if (refused.length > 0) {
        const [first] = refused
        const message = `${counted(refused.length, 'clip')} left out. ${first?.name ?? ''}: ${first?.message ?? ''}`
        showToast({ type: 'warning', title: 'Some clips were left out', message })
      }
      onPlaced(batch.id)
      onClose()
    },
    meta: { failure: { title: 'Nothing was started' } },
  })
}

/** As many clips as the balance pays for, in their order. */
function whatFits(items: readonly Item[], availableMicros: number): Set<string> {
  const fitting = new Set<string>()
  let micros = 0
  for (const item of items) {
    const more = sumMicros([item.usd])
    if (micros + more > availableMicros) continue
    micros += more
    fitting.add(item.content_id)
  }
  return fitting
}

function Figure({
  label,
  value,
  isStrong = false,
  isBad = false,
}: {
  label: string
  value: string
  isStrong?: boolean
  isBad?: boolean
}) {
  return (
    <p>
      <span className="block text-xs text-ink-3">{label}</span>
      <span
        className={classes('timecode text-md', isStrong && 'font-semibold', isBad && 'text-bad')}
      >
        {value}
      </span>
    </p>
  )
}
