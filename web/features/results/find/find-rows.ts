/** Says of each extractor how far it is in a clip, what came of it, or what it would cost. */
import { extractors } from '../../../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../../../domain/money/catalogue.ts'
import type { Findings } from '../../../../domain/findings/findings.ts'
import type { Job } from '../../../../contract/footage/jobs.ts'
import type { Quote } from '../../../../contract/footage/quotes.ts'
import { counted, usd } from '../../../app/format.ts'

type Run = Job['extractors'][number]

export interface FindRow {
  id: ExtractorId
  name: string
  /** `new` can be chosen; `known` was found by an earlier job and costs nothing. */
  state: 'new' | 'known' | 'waiting' | 'running' | 'done' | 'incomplete' | 'skipped' | 'failed'
  note: string
  /** Its price, or its cost. */
  usd: number | null
  progress: number
}

export function findRows(
  job: Job | null,
  findings: Partial<Findings>,
  lines: Quote['lines'],
): FindRow[] {
  return extractors.map(({ id, name, summary }) => {
    const run = job?.extractors.find((item) => item.id === id)
    if (job && run && !canRunAgain(run, job)) return { id, name, ...rowOf(run, job, findings) }
    const line = lines.find((item) => item.extractor === id)
    const usd = line?.usd ?? null
    if (line && !line.applies) {
      return { id, name, state: 'skipped', note: line.skip_reason ?? '', usd: 0, progress: 0 }
    }
    if (line?.reused) {
      return { id, name, state: 'known', note: 'Found by another analysis', usd: 0, progress: 0 }
    }
    return { id, name, state: 'new', note: summary, usd, progress: 0 }
  })
}

/** Nothing else is kept of a job that was cancelled or failed than what it was charged for. */
function canRunAgain({ status }: Run, job: Job): boolean {
  if (job.status === 'canceled') return status === 'skipped'
  return job.status === 'failed' && status !== 'failed'
}

function rowOf(run: Run, job: Job, findings: Partial<Findings>): Omit<FindRow, 'id' | 'name'> {
  const { progress, cost_usd: cost } = run
  const reason = run.warning ?? run.error?.message ?? ''
  switch (run.status) {
    case 'running':
      // It has its turn, but waits for what others find.
      if (progress === 0) return { state: 'waiting', note: waitText(run, job), usd: null, progress }
      return { state: 'running', note: `${Math.floor(progress * 100)} %`, usd: null, progress }
    case 'waiting':
      return { state: 'waiting', note: waitText(run, job), usd: null, progress }
    case 'failed': {
      const isSaid = reason === job.error?.message
      return { state: 'failed', note: isSaid ? '' : `${reason} Not charged.`, usd: cost, progress }
    }
    case 'skipped':
      return { state: 'skipped', note: `${reason} Not charged.`, usd: cost, progress }
    case 'done':
    case 'reused':
      if (reason)
        return { state: 'incomplete', note: `${reason} Not charged.`, usd: cost, progress }
      return { state: 'done', note: resultText(run.id, findings), usd: cost, progress }
  }
}

function waitText({ id }: Run, job: Job): string {
  const before = ['transcription', 'talking', 'shots']
  const other = job.extractors.find(
    (item) => before.includes(item.id) && (item.status === 'running' || item.status === 'waiting'),
  )
  const name = extractors.find((item) => item.id === other?.id)?.name
  return id === 'cutpoints' && name ? `waits for ${name}` : 'waits'
}

function resultText(id: ExtractorId, findings: Partial<Findings>): string {
  const { thumbnail, transcription, shots, talking, cutpoints, text } = findings
  switch (id) {
    case 'ffprobe':
      return findings.ffprobe ? 'Streams, timecode, colour' : ''
    case 'thumbnail':
      return thumbnail?.sprite ? counted(thumbnail.sprite.count, 'still') : ''
    case 'transcription':
      if (!transcription) return ''
      return transcription.words.length > 0
        ? counted(transcription.words.length, 'word')
        : 'No speech found'
    case 'shots':
      return shots ? counted(shots.shots.length, 'shot') : ''
    case 'talking':
      if (!talking) return ''
      return talking.talking.length > 0
        ? counted(talking.talking.length, 'passage')
        : 'Nobody is seen talking'
    case 'cutpoints':
      return cutpoints ? counted(cutpoints.points.length, 'cut point') : ''
    case 'text':
      return text ? counted(text.lines.length, 'line') : ''
  }
}

/** "$3.15", or nothing while the prices are on their way. */
export function priceText(rows: readonly FindRow[]): string {
  const sum = rows.reduce((total, row) => total + (row.usd ?? NaN), 0)
  return Number.isNaN(sum) ? '' : ` · ${usd(sum)}`
}
