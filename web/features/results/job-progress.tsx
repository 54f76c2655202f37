import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { extractors } from '../../../domain/money/catalogue.ts'
import type { Job } from '../../../contract/footage/jobs.ts'
import { fromUsdNumber, toUsd } from '../../../domain/money/money.ts'
import { api } from '../../app/api.ts'
import { cancelTerms } from '../../app/cancel-terms.ts'
import { usd } from '../../app/format.ts'
import { keys } from '../../app/queries.ts'
import { serverNow } from '../../session/server-clock.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Badge } from '../../ui/badge.tsx'
import type { BadgeTone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { isEnded } from './job-data.ts'

const tones: Record<string, BadgeTone> = {
  done: 'good',
  reused: 'good',
  failed: 'bad',
  skipped: 'warn',
  incomplete: 'warn',
  running: 'brand',
}

/** How far each extractor is, the time it takes, what it costs so far, and the way to stop it. */
export function JobProgress({ job }: { job: Job }) {
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const cancel = useMutation({
    mutationFn: () => api.cancelJob({ params: { id: job.id } }),
    onSuccess: ({ job: canceled }) =>
      queries.setQueryData([...keys.job, job.id], { job: canceled }),
    meta: { failure: {} },
    onSettled: () => setAsking(false),
  })
  const elapsed = useElapsedSeconds(job)
  const isQueued = job.status === 'queued'
  const remaining =
    !isQueued && job.progress > 0.03
      ? Math.round((elapsed * (1 - job.progress)) / job.progress)
      : null
  return (
    <section aria-label="Progress" className="border-b border-line bg-panel px-4 py-3">
      <div className="flex flex-wrap items-center gap-3">
        <p className="grow font-medium">
          {isQueued ? 'Waiting in the queue' : 'Analysing'}
          <span className="figures ml-2 font-normal text-ink-3">
            {duration(elapsed)} elapsed
            {remaining !== null && ` · about ${duration(remaining)} left`} · {usd(costSoFar(job))}{' '}
            so far, at most {usd(job.held_usd)}
          </span>
        </p>
        <Button busy={cancel.isPending} onClick={() => setAsking(true)}>
          Cancel
        </Button>
      </div>
      <AlertDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Cancel this job?"
        question={cancelTerms(job.held_usd)}
        confirmLabel="Cancel Job"
        dismissLabel="Keep Running"
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate()}
      />
      {!isQueued && (
        <div className="mt-2">
          <Progress label="Whole job" value={job.progress} />
        </div>
      )}
      <ExtractorList job={job} />
    </section>
  )
}

export function ExtractorList({ job }: { job: Job }) {
  return (
    <ul className="mt-3 grid gap-x-6 gap-y-2 sm:grid-cols-2 lg:grid-cols-3">
      {job.extractors.map((item) => (
        <li key={item.id}>
          <p className="flex items-center gap-2">
            <span className="grow">{nameOf(item.id)}</span>
            {isOver(item) && (
              <span className="timecode text-xs text-ink-3">{usd(item.cost_usd)}</span>
            )}
            <Badge tone={tones[stateOf(item)] ?? 'neutral'}>{stateOf(item)}</Badge>
          </p>
          {stateOf(item) === 'running' && (
            <Progress label={`Progress of ${item.id}`} value={item.progress} />
          )}
          {reasonOf(item, job) && <p className="text-xs text-ink-3">{reasonOf(item, job)}</p>}
        </li>
      ))}
    </ul>
  )
}

type Extractor = Job['extractors'][number]

/** One that has its turn but waits for what others find has not moved yet. */
function stateOf(item: Extractor): string {
  return item.status === 'running' && item.progress === 0 ? 'waiting' : item.status
}

function isOver({ status }: Extractor): boolean {
  return status !== 'running' && status !== 'waiting'
}

/** Why it came to nothing, unless that is said of the whole job already. */
function reasonOf(item: Extractor, job: Job): string | null {
  const reason = item.warning ?? item.error?.message ?? null
  return reason === job.error?.message ? null : reason
}

/** The job itself is charged at its end; what has finished by now is owed already. */
function costSoFar(job: Job): number {
  return toUsd(job.extractors.reduce((sum, item) => sum + fromUsdNumber(item.cost_usd), 0))
}

/** Lists the extractors of a completed job without a result, and why; none was charged. */
export function Shortfalls({ job, onRetry }: { job: Job; onRetry: () => void }) {
  const items = job.extractors.filter(
    ({ status, warning }) => status === 'failed' || status === 'skipped' || warning !== null,
  )
  if (items.length === 0) return null
  const alike = Map.groupBy(items, (item) => item.error?.message ?? item.warning ?? '')
  return (
    <ul
      aria-label="Without a result"
      className="flex flex-wrap gap-x-6 gap-y-1 border-b border-line bg-panel px-3 py-1.5"
    >
      {[...alike].map(([reason, group]) => {
        const names = group.map(({ id }) => nameOf(id)).join(', ')
        const state = group[0]?.status === 'done' ? 'incomplete' : (group[0]?.status ?? '')
        return (
          <li key={reason} className="flex flex-wrap items-center gap-x-2">
            <Badge tone={tones[state] ?? 'neutral'}>{state}</Badge>
            <span>{names}</span>
            <span className="text-ink-3">{reason} Not charged.</span>
            {/* What was skipped has nothing to find in this file, however often it runs. */}
            {state !== 'skipped' && (
              <Button aria-label={`Retry ${names}`} onClick={onRetry}>
                Retry
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function nameOf(id: string): string {
  return extractors.find((item) => item.id === id)?.name ?? id
}

function useElapsedSeconds(job: Job): number {
  const [now, setNow] = useState(serverNow)
  const isRunning = !isEnded(job)
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => setNow(serverNow()), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  return Math.max(
    0,
    Math.round((now - new Date(job.started_at ?? job.created_at).getTime()) / 1000),
  )
}

export function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}
