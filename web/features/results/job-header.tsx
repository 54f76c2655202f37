import { Braces, Download, RotateCcw } from 'lucide-react'
import { Link } from 'react-router'
import { shownIdLength } from '../../../contract/catalogue.ts'
import type { Job } from '../../../contract/jobs.ts'
import { parseRate, rateLabel } from '../../../contract/timecode.ts'
import { usd } from '../../figures.ts'
import { Badge } from '../../ui/badge.tsx'
import type { BadgeTone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { isEnded } from './job-data.ts'
import { duration } from './job-progress.tsx'

const tones: Record<string, BadgeTone> = { completed: 'good', failed: 'bad', canceled: 'neutral' }

export function JobHeader({
  job,
  canExport,
  isRetrying,
  onApi,
  onRetry,
  onExport,
}: {
  job: Job
  canExport: boolean
  isRetrying: boolean
  onApi: () => void
  onRetry: () => void
  onExport: () => void
}) {
  return (
    <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line bg-panel px-3 py-1.5">
      <Link to="/jobs" className="rounded-sm text-ink-3 hover:text-ink">
        Jobs /
      </Link>
      <h1 className="max-w-full truncate font-semibold">{job.content_name}</h1>
      <Badge tone={tones[job.status] ?? 'brand'} dot>
        <span className="capitalize">{job.status}</span>
        {job.partial && ' in part'}
      </Badge>
      <span className="timecode flex items-center text-ink-3">
        {job.id.slice(0, shownIdLength)}
        <CopyButton text={job.id} label="Copy the job’s id" />
      </span>
      <span className="figures hidden grow truncate text-ink-3 xl:inline">{describe(job)}</span>
      <span className="grow xl:hidden" />
      <span className="figures text-ink-3">
        Cost <strong className="text-ink">{usd(isEnded(job) ? job.cost_usd : job.held_usd)}</strong>
        {runSeconds(job) !== null && (
          <span className="max-sm:hidden">{` · ${duration(runSeconds(job) ?? 0)}`}</span>
        )}
      </span>
      <Button onClick={onApi}>
        <Braces size={14} aria-hidden /> API
      </Button>
      {isEnded(job) && (
        <Button busy={isRetrying} onClick={onRetry}>
          <RotateCcw size={14} aria-hidden /> Re-run
        </Button>
      )}
      <Button look="primary" disabled={!canExport} onClick={onExport}>
        <Download size={14} aria-hidden /> Export{' '}
        <span className="max-sm:hidden">
          <Kbd>E</Kbd>
        </span>
      </Button>
    </header>
  )
}

function describe(job: Job): string {
  const media = job.media
  if (!media) return ''
  const rate = media.frame_rate ? parseRate(media.frame_rate) : null
  return [
    `${media.duration.toFixed(1)} s`,
    rate && `${rateLabel(rate)} fps`,
    media.width && media.height && `${media.width}×${media.height}`,
    media.video_codec ?? media.audio[0]?.codec,
  ]
    .filter(Boolean)
    .join(' · ')
}

function runSeconds(job: Job): number | null {
  if (!job.started_at || !job.finished_at) return null
  return Math.round((Date.parse(job.finished_at) - Date.parse(job.started_at)) / 1000)
}
