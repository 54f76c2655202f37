import { Badge } from '../../ui/badge.tsx'
import type { BadgeTone } from '../../ui/badge.tsx'

const tones: Record<string, BadgeTone> = {
  completed: 'good',
  processing: 'brand',
  queued: 'brand',
  running: 'brand',
  failed: 'bad',
}

export function JobStatusBadge({ status }: { status: string }) {
  return (
    <Badge tone={tones[status] ?? 'neutral'} dot>
      <span className="capitalize">{status}</span>
    </Badge>
  )
}

export function isInProgress(status: string): boolean {
  return status === 'processing' || status === 'queued' || status === 'running'
}
