import { useEffect, useState } from 'react'
import type { Job } from '../../../contract/footage/jobs.ts'
import { focusOn, isNowhere } from '../../dom/kept-focus.ts'
import { isEnded } from '../../features/results/job-data.ts'
import { showStateInIcon } from '../../features/results/state-icon.ts'

/** Shows the progress in the title and the icon, for a tab in the background. */
export function useStateInTitle(job: Job | null, name: string): void {
  useEffect(() => {
    document.title = `${job ? `${stateInTitle(job)} ` : ''}${name} · CutIndex`
    if (!job) return undefined
    return showStateInIcon(job.status, job.status === 'queued' ? 0 : job.progress)
  }, [job, name])
}

function stateInTitle(job: Job): string {
  if (isEnded(job)) return job.status === 'completed' ? '✓' : '✕'
  return job.status === 'queued' ? 'Queued ·' : `${Math.floor(job.progress * 100)}%`
}

/** Announces the end of a job; the focus may have gone with its progress. */
export function useNewsOfEnd(job: Job | null): string {
  const [watched, setWatched] = useState<string | null>(null)
  const isRunning = job !== null && !isEnded(job)
  if (isRunning && watched !== job.id) setWatched(job.id)
  const hasEnded = job !== null && !isRunning && watched === job.id
  useEffect(() => {
    const heading = document.querySelector('h1')
    if (hasEnded && heading && isNowhere()) focusOn(heading)
  }, [hasEnded])
  if (!hasEnded) return ''
  if (job.status === 'completed') return 'The analysis is done.'
  return job.status === 'failed' ? (job.error?.message ?? 'The job failed.') : 'Cancelled.'
}
