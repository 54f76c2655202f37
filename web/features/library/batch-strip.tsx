import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Batch } from '../../../contract/footage/batches.ts'
import { formatUsd } from '../../../domain/money/money.ts'
import { api } from '../../app/api.ts'
import { counted, sumMicros, usd } from '../../app/format.ts'
import { keys } from '../../app/queries.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { X } from 'lucide-react'

const refreshMs = 3000

/** The progress of running batches; the result of the last until it is dismissed. */
export function BatchStrip({
  placedId,
  onShowFailed,
}: {
  /** The batch that this visit placed last: its end is news, however soon it comes. */
  placedId: string | null
  onShowFailed: () => void
}) {
  const [dismissed, setDismissed] = useState<string | null>(null)
  const [seen, setSeen] = useState<string | null>(null)
  const { data } = useQuery({
    queryKey: keys.batches,
    queryFn: ({ signal }) => api.listBatches({ query: { limit: 5 } }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.batches.some((batch) => batch.status === 'running') ? refreshMs : false,
  })
  const batches = data?.batches ?? []
  const running = batches.filter((batch) => batch.status === 'running')
  const [latest] = batches
  if (running[0] && seen !== running[0].id) setSeen(running[0].id)
  if (running.length > 0) return <Running batches={running} onShowFailed={onShowFailed} />
  // A batch that ended before this visit is history, not news.
  if (!latest || (latest.id !== seen && latest.id !== placedId) || latest.id === dismissed)
    return null
  return (
    <Ended batch={latest} onShowFailed={onShowFailed} onDismiss={() => setDismissed(latest.id)} />
  )
}

function Running({
  batches,
  onShowFailed,
}: {
  batches: readonly Batch[]
  onShowFailed: () => void
}) {
  const jobs = batches.flatMap((batch) => batch.jobs)
  const count = countsOf(jobs)
  const heldMicros = sumMicros(batches.map((batch) => batch.held_usd))
  const costMicros = sumMicros(batches.map((batch) => batch.cost_usd))
  const cancel = useCancel(batches)
  const title =
    batches.length === 1
      ? `Analysing ${counted(jobs.length, 'clip')}`
      : `Analysing ${counted(jobs.length, 'clip')} in ${batches.length} batches`
  return (
    <section
      aria-label="Batch progress"
      className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-1 text-sm"
    >
      <span className="flex items-center gap-2 font-medium">
        <Spinner /> {title}
      </span>
      <Cells jobs={jobs} />
      <span className="figures text-ink-2" role="status">
        {wordsOf(count)}
      </span>
      <span className="figures text-ink-3">
        {formatUsd(costMicros)} of {formatUsd(costMicros + heldMicros)}
      </span>
      {count.failed > 0 && (
        <Button look="quiet" onClick={onShowFailed}>
          Show failed
        </Button>
      )}
      <Button look="quiet" busy={cancel.isPending} onClick={() => cancel.mutate()}>
        Cancel
      </Button>
    </section>
  )
}

function Ended({
  batch,
  onShowFailed,
  onDismiss,
}: {
  batch: Batch
  onShowFailed: () => void
  onDismiss: () => void
}) {
  const count = countsOf(batch.jobs)
  return (
    <section
      aria-label="Batch result"
      className="flex min-h-10 shrink-0 items-center gap-4 border-b border-line px-4 text-sm"
    >
      <span role="status">
        {counted(count.done, 'clip')} analysed
        {count.failed > 0 && `, ${count.failed} failed`}
        {count.canceled > 0 && `, ${count.canceled} cancelled`}, {usd(batch.cost_usd)}
      </span>
      {count.failed > 0 && (
        <Button look="quiet" onClick={onShowFailed}>
          Show failed
        </Button>
      )}
      <IconButton label="Dismiss" className="ml-auto" onClick={onDismiss}>
        <X size={14} aria-hidden />
      </IconButton>
    </section>
  )
}

function useCancel(batches: readonly Batch[]) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      for (const { id } of batches) await api.cancelBatch({ params: { id } })
    },
    meta: { failure: { title: 'Not cancelled' } },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: keys.batches })
      void queries.invalidateQueries({ queryKey: keys.me })
    },
  })
}

const fills = {
  done: 'bg-brand',
  running: 'bg-brand/50',
  waiting: 'bg-line',
  failed: 'bg-bad',
  canceled: 'bg-line-strong',
}
const maxCells = 120

/** One cell for each clip, as wide as its length; above a hundred one smooth bar. */
function Cells({ jobs }: { jobs: Batch['jobs'] }) {
  if (jobs.length > maxCells) {
    const share = jobs.filter((job) => isEnded(job)).length / jobs.length
    return (
      <span aria-hidden className="h-2 min-w-30 grow bg-line">
        <span className="block h-full bg-brand" style={{ width: `${share * 100}%` }} />
      </span>
    )
  }
  return (
    <span aria-hidden className="flex h-2 min-w-30 grow gap-px">
      {jobs.map((job) => (
        <span
          key={job.id}
          title={job.content_name}
          className={`min-w-0.5 ${fills[kindOf(job)]}`}
          style={{ flexGrow: job.seconds }}
        />
      ))}
    </span>
  )
}

type BatchJob = Batch['jobs'][number]

function isEnded({ status }: BatchJob): boolean {
  return status === 'completed' || status === 'failed' || status === 'canceled'
}

function kindOf({ status }: BatchJob): keyof typeof fills {
  if (status === 'completed') return 'done'
  if (status === 'failed' || status === 'canceled') return status
  return status === 'queued' ? 'waiting' : 'running'
}

function countsOf(jobs: readonly BatchJob[]): Record<keyof typeof fills, number> {
  const counts = { done: 0, running: 0, waiting: 0, failed: 0, canceled: 0 }
  for (const job of jobs) counts[kindOf(job)] += 1
  return counts
}

function wordsOf(counts: Record<keyof typeof fills, number>): string {
  return (['done', 'running', 'waiting', 'failed'] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind]} ${kind}`)
    .join(' · ')
}
