import { extractors, fullAnalysis } from '../../../domain/money/catalogue.ts'
import type { ListedJob } from '../../app/answers.ts'
import { contentName, jobState } from '../../app/format.ts'
import { Badge } from '../../ui/badge.tsx'
import type { BadgeTone } from '../../ui/badge.tsx'
import { Progress } from '../../ui/progress.tsx'

const tones: Record<string, BadgeTone> = {
  completed: 'good',
  processing: 'brand',
  queued: 'brand',
  running: 'brand',
  failed: 'bad',
}

export function JobStatusBadge({
  status,
  isPartial = false,
}: {
  status: string
  /** Some of its extractors failed. */
  isPartial?: boolean
}) {
  return (
    <Badge tone={isPartial ? 'warn' : (tones[status] ?? 'neutral')} dot>
      <span className="first-letter:uppercase">{jobState(status, isPartial)}</span>
    </Badge>
  )
}

/** Its state, and the share of its work that is done. */
export function JobStatus({ job }: { job: ListedJob }) {
  return (
    <div>
      <JobStatusBadge status={job.status} isPartial={job.partial} />
      {isAtWork(job.status) && job.progress !== undefined && (
        <div className="mt-1.5 flex min-w-24 items-center gap-2">
          <Progress label={`Progress of ${contentName(job)}`} value={job.progress} />
          <span className="figures text-xs text-ink-3">{Math.floor(job.progress * 100)}%</span>
        </div>
      )}
    </div>
  )
}

/** The extractors of a job by name. */
export function workflowText(workflow: string): string {
  const ids = workflow.split(',')
  const isFull = ids.length === fullAnalysis.length && fullAnalysis.every((id) => ids.includes(id))
  if (isFull) return 'Full analysis'
  return ids.map((id) => extractors.find((item) => item.id === id)?.name ?? id).join(', ')
}

export function isInProgress(status: string): boolean {
  return status === 'queued' || isAtWork(status)
}

/** One that waits has no share of work to show, whatever it took over from earlier jobs. */
export function isAtWork(status: string): boolean {
  return status === 'processing' || status === 'running'
}
