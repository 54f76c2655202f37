import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BatchQuote } from '../../../contract/batches.ts'
import { extractorIds, extractors } from '../../../contract/catalogue.ts'
import type { ExtractorId } from '../../../contract/catalogue.ts'
import { formatUsd } from '../../../contract/money.ts'
import { api, messageOf } from '../../app/api.ts'
import { balanceUsd, counted, sumMicros, usd } from '../../app/figures.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'
import { lengthText } from './clip-text.ts'
import { readChoice, rememberChoice } from './extractor-memory.ts'

type Item = BatchQuote['items'][number]

/** One dialog, one quote and one confirmation for everything that is selected. */
export function BatchDialog({
  ids,
  projectId,
  onClose,
  onPlaced,
  onBuyCredits,
}: {
  ids: readonly string[]
  projectId: string | null
  onClose: () => void
  onPlaced: (batchId: string) => void
  onBuyCredits: () => void
}) {
  const [chosen, setChosen] = useState<readonly ExtractorId[]>(() => readChoice(projectId))
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const workflow = extractorIds.filter((id) => chosen.includes(id)).join(',')
  const wanted = ids.filter((id) => !left.has(id))
  const body = { content_ids: wanted, workflow }
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['batch-quote', body],
    queryFn: ({ signal }) =>
      api.quoteBatch({ body: { content_ids: [...ids], workflow } }, { signal }),
    enabled: workflow !== '',
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
  const quote = data?.quote ?? null
  const items = quote?.items ?? []
  const kept = items.filter((item) => !left.has(item.content_id) && !item.refused)
  const totalMicros = sumMicros(kept.map((item) => item.usd))
  const availableMicros = sumMicros([quote?.available_usd ?? 0])
  const place = usePlaceBatch(body, onPlaced, onClose)
  const isStale = isFetching && isPlaceholderData
  const isEnough = totalMicros <= availableMicros
  const submit = () => {
    rememberChoice(projectId, chosen)
    place.mutate()
  }
  return (
    <Dialog
      open
      width="wide"
      onOpenChange={(open) => !open && onClose()}
      title={`Analyse ${counted(ids.length, 'clip')}`}
      description="Choose what to find. You won't be charged again for results you already have."
      footer={
        <div className="flex w-full flex-wrap items-center gap-x-6 gap-y-2">
          <Figure label="Total" value={quote ? money(totalMicros) : '…'} isStrong />
          <Figure label="Balance now" value={quote ? balanceUsd(quote.available_usd) : '…'} />
          <Figure
            label="Balance after"
            value={quote ? money(availableMicros - totalMicros) : '…'}
            isBad={!isEnough}
          />
          <p className="grow text-right text-xs text-ink-3">
            Held now, charged when a clip is done.
            <br />
            What fails is not charged.
          </p>
          {!isEnough && <Button onClick={onBuyCredits}>Buy credits</Button>}
          <Button
            look="primary"
            size="md"
            busy={place.isPending}
            disabled={!quote || isStale || !isEnough || kept.length === 0 || workflow === ''}
            onClick={submit}
          >
            {kept.length === 0 && quote ? 'Nothing to do' : `Analyse for ${money(totalMicros)}`}
          </Button>
        </div>
      }
    >
      {error && (
        <p className="text-bad">
          {messageOf(error, 'The cost could not be read. Please try again.')}
        </p>
      )}
      <div
        className={classes(
          'grid gap-x-6 gap-y-4 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]',
          isStale && 'opacity-60',
        )}
        aria-busy={isStale}
      >
        <ExtractorList
          items={items.filter((item) => !left.has(item.content_id))}
          chosen={chosen}
          onChange={setChosen}
        />
        {quote ? (
          <ClipList items={items} left={left} onChange={setLeft} />
        ) : (
          !error && <Skeleton className="h-60" />
        )}
      </div>
    </Dialog>
  )
}

function usePlaceBatch(
  body: { content_ids: string[]; workflow: string },
  onPlaced: (batchId: string) => void,
  onClose: () => void,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.createBatch({ body }),
    onSuccess: ({ batch, refused }) => {
      void queries.invalidateQueries({ queryKey: ['batches'] })
      void queries.invalidateQueries({ queryKey: ['content'] })
      void queries.invalidateQueries({ queryKey: ['me'] })
      if (refused.length > 0) {
        const [first] = refused
        const message = `${counted(refused.length, 'clip')} left out. ${first?.name ?? ''}: ${first?.message ?? ''}`
        showToast({ type: 'warning', title: 'Some clips were left out', message })
      }
      onPlaced(batch.id)
      onClose()
    },
    onError: (error) =>
      showToast({
        type: 'error',
        title: 'Nothing was started',
        message: messageOf(error, 'Please check your connection and try again.'),
      }),
  })
}

function ExtractorList({
  items,
  chosen,
  onChange,
}: {
  items: readonly Item[]
  chosen: readonly ExtractorId[]
  onChange: (chosen: readonly ExtractorId[]) => void
}) {
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Extractors</legend>
      <ul className="divide-y divide-line">
        {extractors.map((extractor) => {
          const isOn = chosen.includes(extractor.id)
          const lines = items.flatMap((item) =>
            item.lines.filter((line) => line.extractor === extractor.id),
          )
          return (
            <li key={extractor.id} className="flex items-center gap-3 py-2">
              <label className="grid min-w-0 grow grid-cols-[auto_minmax(0,1fr)] gap-x-2.5">
                <input
                  type="checkbox"
                  checked={isOn}
                  onChange={() =>
                    onChange(
                      isOn ? chosen.filter((id) => id !== extractor.id) : [...chosen, extractor.id],
                    )
                  }
                  className="mt-0.5 size-4 accent-brand pointer-coarse:size-6"
                />
                <span className="text-sm font-medium">{extractor.name}</span>
                <span className="figures col-start-2 text-xs text-ink-3">
                  {formatUsd(extractor.microsPerSecond, 3)} per second
                </span>
              </label>
              <span className="w-32 shrink-0 max-sm:hidden">{isOn && <Cells lines={lines} />}</span>
              <span className="figures w-16 shrink-0 text-right text-sm">
                {isOn ? money(sumMicros(lines.map((line) => line.usd))) : ''}
              </span>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}

/** One cell for each clip while they can be told apart, and the counts in words. */
function Cells({ lines }: { lines: Item['lines'] }) {
  const kinds = lines.map((line) => (line.skipped ? 'skipped' : line.reused ? 'known' : 'new'))
  const count = (kind: string): number => kinds.filter((item) => item === kind).length
  const text = ['new', 'known', 'skipped']
    .filter((kind) => count(kind) > 0)
    .map((kind) => `${count(kind)} ${kind}`)
    .join(' · ')
  const fills = { new: 'bg-brand', known: 'bg-line-strong', skipped: 'border border-line-strong' }
  return (
    <>
      <span aria-hidden className="flex h-2 gap-px">
        {kinds.length <= 24
          ? kinds.map((kind, index) => (
              // Cells have no identity beyond their place.
              // oxlint-disable-next-line react/no-array-index-key
              <span key={index} className={`min-w-0 grow rounded-[1px] ${fills[kind]}`} />
            ))
          : (['new', 'known', 'skipped'] as const).map((kind) => (
              <span key={kind} className={fills[kind]} style={{ flexGrow: count(kind) }} />
            ))}
      </span>
      <span className="text-xs text-ink-3">{text}</span>
    </>
  )
}

function ClipList({
  items,
  left,
  onChange,
}: {
  items: readonly Item[]
  left: ReadonlySet<string>
  onChange: (left: ReadonlySet<string>) => void
}) {
  const toggle = (id: string) => {
    const next = new Set(left)
    if (!next.delete(id)) next.add(id)
    onChange(next)
  }
  return (
    <ul aria-label="Clips" className="max-h-90 overflow-y-auto">
      {items.map((item) => (
        <li key={item.content_id}>
          <label className="flex min-h-7.5 items-center gap-2 text-sm pointer-coarse:min-h-11">
            <input
              type="checkbox"
              disabled={item.refused !== null}
              checked={!item.refused && !left.has(item.content_id)}
              onChange={() => toggle(item.content_id)}
              className="size-3.5 accent-brand pointer-coarse:size-6"
            />
            <span className="min-w-0 grow truncate" title={item.name ?? undefined}>
              {item.name ?? 'Deleted clip'}
            </span>
            <span className="shrink-0 truncate text-xs text-warn" title={item.refused?.message}>
              {noteOf(item)}
            </span>
            <span className="figures w-12 shrink-0 text-right text-ink-3">
              {item.refused ? '' : lengthText(item.seconds)}
            </span>
            <span className="figures w-16 shrink-0 text-right">
              {item.refused ? '' : usd(item.usd)}
            </span>
          </label>
        </li>
      ))}
    </ul>
  )
}

function noteOf({ refused, lines }: Item): string {
  if (refused) return 'left out'
  if (lines.every((line) => line.reused || line.skipped)) return 'all known'
  const skipped = lines.filter((line) => line.skipped).length
  return skipped > 0 ? `${skipped} skipped` : ''
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

function money(micros: number): string {
  return formatUsd(micros)
}
