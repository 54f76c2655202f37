import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { extractorIds, maxBatchItems } from '../../../../domain/money/catalogue.ts'
import type { BatchQuote } from '../../../../contract/footage/batches.ts'
import type { ExtractorId } from '../../../../domain/money/catalogue.ts'
import { formatUsd } from '../../../../domain/money/money.ts'
import type { Project } from '../../../../contract/footage/projects.ts'
import { api } from '../../../app/api.ts'
import { messageOf } from '../../../app/failures.ts'
import { balanceUsd, counted, sumMicros } from '../../../app/format.ts'
import { keys } from '../../../app/queries.ts'
import type { JobOptions } from '../../../../domain/job-options.ts'
import { chosenSpeech, noSpeechChoice, SpeechFields } from '../../../app/speech-fields.tsx'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Kbd } from '../../../keys/kbd.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { BatchClips } from './batch-clips.tsx'
import { BatchExtractors } from './batch-extractors.tsx'
import { totalText } from '../../../clips/clip-text.ts'
import { readChoice, rememberChoice } from './extractor-memory.ts'

type Item = BatchQuote['items'][number]

/** One dialog, one quote and one confirmation for everything that is selected. */
export function BatchDialog({
  ids: selected,
  project,
  onClose,
  onPlaced,
  onBuyCredits,
}: {
  ids: readonly string[]
  project: Project | null
  onClose: () => void
  onPlaced: (batchId: string) => void
  onBuyCredits: () => void
}) {
  const projectId = project?.id ?? null
  const ids = selected.slice(0, maxBatchItems)
  const [chosen, setChosen] = useState<readonly ExtractorId[]>(() => readChoice(projectId))
  const [speech, setSpeech] = useState(noSpeechChoice)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const workflow = extractorIds.filter((id) => chosen.includes(id)).join(',')
  const isTranscribed = chosen.includes('transcription')
  const order = { workflow, ...(isTranscribed ? chosenSpeech(speech) : {}) }
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['batch-quote', ids, order],
    queryFn: ({ signal }) => api.quoteBatch({ body: { content_ids: ids, ...order } }, { signal }),
    enabled: workflow !== '',
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
  const quote = data?.quote ?? null
  const items = quote?.items ?? []
  const kept = items.filter((item) => !left.has(item.content_id) && !item.refused)
  const totalMicros = workflow === '' ? 0 : sumMicros(kept.map((item) => item.usd))
  const availableMicros = sumMicros([quote?.available_usd ?? 0])
  const body = { content_ids: kept.map((item) => item.content_id), ...order }
  const place = usePlaceBatch(body, onPlaced, onClose)
  const isStale = isFetching && isPlaceholderData
  const isEnough = totalMicros <= availableMicros
  const isReady = quote && !isStale && isEnough && kept.length > 0 && workflow !== ''
  const submit = () => {
    if (!isReady || place.isPending) return
    rememberChoice(projectId, chosen)
    place.mutate()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit()
  }
  const seconds = kept.reduce((sum, item) => sum + item.seconds, 0)
  const fitting = isEnough ? null : whatFits(kept, availableMicros)
  return (
    <Dialog
      width="widest"
      onClose={onClose}
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
    >
      {/* The key works wherever the focus is inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        onKeyDown={onKeyDown}
        aria-busy={isStale}
        className={classes(
          'grid gap-y-4 md:-my-4 md:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]',
          isStale && 'opacity-60',
        )}
      >
        {error && (
          <p role="alert" className="col-span-full text-bad md:pt-4">
            {messageOf(error, 'The cost could not be read. Please try again.')}
          </p>
        )}
        <BatchExtractors items={kept} chosen={chosen} onChange={setChosen}>
          {isTranscribed && (
            <div className="pb-3">
              <SpeechFields
                choice={speech}
                speakersLabel="Speakers in each clip"
                onChange={setSpeech}
              />
            </div>
          )}
        </BatchExtractors>
        {quote ? (
          <BatchClips items={items} left={left} onChange={setLeft} />
        ) : (
          !error && <Skeleton className="h-60 md:my-4 md:ml-5" />
        )}
      </div>
    </Dialog>
  )
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
