import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Job } from '../../../contract/footage/jobs.ts'
import { fromUsdNumber, toUsd } from '../../../domain/money/money.ts'
import { api } from '../../app/api.ts'
import { cancelTerms } from '../../app/cancel-terms.ts'
import { usd } from '../../app/format.ts'
import { keys } from '../../app/queries.ts'
import { serverNow } from '../../session/server-clock.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { isEnded } from './job-data.ts'

/** How far the job is, the time it takes, what it costs so far, and the way to stop it. */
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
    <section aria-label="Progress" className="border-t border-line p-3">
      <div className="flex items-end gap-2">
        <p className="grow font-medium">
          {isQueued ? 'Waiting in the queue' : 'Analysing'}
          <span className="figures block text-xs font-normal text-ink-3">
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
    </section>
  )
}

/** The job itself is charged at its end; what has finished by now is owed already. */
function costSoFar(job: Job): number {
  return toUsd(job.extractors.reduce((sum, item) => sum + fromUsdNumber(item.cost_usd), 0))
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
