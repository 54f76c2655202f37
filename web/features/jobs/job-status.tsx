import { jobState } from '../../app/format.ts'
import { Badge } from '../../ui/badge.tsx'
import type { BadgeTone } from '../../ui/badge.tsx'

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

export function isInProgress(status: string): boolean {
  return status === 'queued' || isAtWork(status)
}

/** One that waits has no share of work to show, whatever it took over from earlier jobs. */
export function isAtWork(status: string): boolean {
  return status === 'processing' || status === 'running'
}
