import { Braces, Download, Link2, RotateCcw } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { shownIdLength } from '../../../domain/money/catalogue.ts'
import type { Findings, Media } from '../../../domain/findings/findings.ts'
import type { Job } from '../../../contract/footage/jobs.ts'
import { parseRate, rateLabel } from '../../../domain/time/timecode.ts'
import { counted, jobState, usd } from '../../app/format.ts'
import { Badge } from '../../ui/badge.tsx'
import type { BadgeTone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Kbd } from '../../keys/kbd.tsx'
import { isEnded } from './job-data.ts'
import { duration } from './job-progress.tsx'
import { codecName } from './viewer/media-names.ts'
import { reelOf } from './viewer/reel.ts'

const tones: Record<string, BadgeTone> = { completed: 'good', failed: 'bad', canceled: 'neutral' }

export function ClipHeader({
  name,
  job,
  project,
  media,
  detected,
  canExport,
  canShare,
  onOpen,
}: {
  name: string
  job: Job | null
  project: { id: string; name: string } | null
  media: Media | null
  /** As the machine found it. */
  detected: Partial<Findings>
  canExport: boolean
  canShare: boolean
  onOpen: (dialog: 'api' | 'rerun' | 'share' | 'export') => void
}) {
  const facts = useMemo(() => media && describe(media, detected), [media, detected])
  const linkClass =
    'min-w-0 truncate rounded-sm text-ink-3 hover:text-ink pointer-coarse:leading-[2.75rem]'
  return (
    <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line bg-panel px-3 py-1.5 min-[900px]:flex-nowrap">
      <p className="flex max-w-full min-w-0 items-center gap-2">
        <Link to={project ? `/library?project_id=${project.id}` : '/library'} className={linkClass}>
          {project?.name ?? 'Library'}
        </Link>
        <span className="text-ink-3">/</span>
        <Title name={name} />
      </p>
      {job ? (
        <Badge tone={job.partial ? 'warn' : (tones[job.status] ?? 'brand')} dot>
          <span className="first-letter:uppercase">{jobState(job.status, job.partial)}</span>
        </Badge>
      ) : (
        <Badge>Not analysed</Badge>
      )}
      {job && (
        <span className="timecode flex shrink-0 items-center text-ink-3">
          {job.id.slice(0, shownIdLength)}
          <CopyButton text={job.id} label="Copy the job’s id" />
        </span>
      )}
      <span className="figures hidden min-w-0 shrink-[3] truncate text-ink-3 xl:inline">
        {facts}
      </span>
      {job && (
        <>
          <Cost job={job} />
          <Actions job={job} canExport={canExport} canShare={canShare} onOpen={onOpen} />
        </>
      )}
    </header>
  )
}

function Actions({
  job,
  canExport,
  canShare,
  onOpen,
}: Pick<Parameters<typeof ClipHeader>[0], 'canExport' | 'canShare' | 'onOpen'> & { job: Job }) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1.5 max-sm:w-full max-sm:gap-x-1.5 min-[900px]:shrink-0 min-[900px]:flex-nowrap">
      <Button onClick={() => onOpen('api')}>
        <Braces size={14} aria-hidden /> API
      </Button>
      {/* A job that failed offers its retry where it says why. */}
      {job.status === 'completed' && (
        <Button onClick={() => onOpen('rerun')}>
          <RotateCcw size={14} aria-hidden /> Re-run
        </Button>
      )}
      {canShare && (
        <Button onClick={() => onOpen('share')}>
          <Link2 size={14} aria-hidden /> Share
        </Button>
      )}
      {(canExport || !isEnded(job)) && (
        <Button look="primary" disabled={!canExport} onClick={() => onOpen('export')}>
          <Download size={14} aria-hidden /> Export{' '}
          <span className="max-sm:hidden">
            <Kbd>E</Kbd>
          </span>
        </Button>
      )}
    </div>
  )
}

/** A long name is cut before its end, where takes and versions stand. */
function Title({ name }: { name: string }) {
  const letters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment)
  const tail = letters.length > 40 ? letters.slice(-14).join('') : ''
  return (
    <h1 className="flex min-w-0 font-semibold whitespace-pre" title={name} aria-label={name}>
      <span className="truncate">{name.slice(0, name.length - tail.length)}</span>
      {tail && <span className="shrink-0">{tail}</span>}
    </h1>
  )
}

function Cost({ job }: { job: Job }) {
  const seconds = runSeconds(job)
  return (
    <span className="figures ml-auto shrink-0 text-ink-3">
      {isEnded(job) ? 'Cost ' : 'At most '}
      <strong className="text-ink">{usd(isEnded(job) ? job.cost_usd : job.held_usd)}</strong>
      {seconds !== null && <span className="max-sm:hidden">{` · ${duration(seconds)}`}</span>}
    </span>
  )
}

function describe(media: Media, detected: Partial<Findings>): string {
  const rate = media.kind === 'video' && media.frame_rate ? parseRate(media.frame_rate) : null
  const codec = media.video_codec ?? media.audio[0]?.codec
  const reel = reelOf(media, detected)
  return [
    media.duration > 0 && reel.length([{ start: 0, end: reel.frames }]),
    rate && `${rateLabel(rate)} fps`,
    media.kind === 'audio' && 'Sound only',
    media.width && media.height && `${media.width}×${media.height}`,
    media.pages && counted(media.pages, 'page'),
    codec && codecName(codec),
  ]
    .filter(Boolean)
    .join(' · ')
}

function runSeconds(job: Job): number | null {
  if (!job.started_at || !job.finished_at) return null
  return Math.round((Date.parse(job.finished_at) - Date.parse(job.started_at)) / 1000)
}
