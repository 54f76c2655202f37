/** Findings of a job as short lists with timecodes, a page at a time. */
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import type { Media, Span } from '../../domain/findings/findings.ts'
import type { Job } from '../../contract/footage/jobs.ts'
import { parseRational, rational, toNumber } from '../../domain/time/rational.ts'
import { slateText } from '../../domain/findings/slates.ts'
import { sourceTimecode } from '../../domain/time/source-timecode.ts'
import { parseRate } from '../../domain/time/timecode.ts'
import type { CutIndex } from '../cutindex.ts'
import { dataNote, pageLength } from './answer.ts'

export interface Range {
  from_seconds?: number | undefined
  to_seconds?: number | undefined
  /** The first frame of the next page. */
  cursor?: number | undefined
}

type Row = { start_frame: number } & Record<string, unknown>

export async function readTranscript(
  client: CutIndex,
  jobId: string,
  range: Range,
): Promise<object> {
  const { job, results, at, within } = await read(client, jobId, 'transcription', range)
  const transcript = results.transcription
  if (!transcript) return missing(job, 'transcription')
  const rows = within(transcript.sentences).map((part) => ({
    start_frame: part.start_frame,
    end_frame: part.end_frame,
    timecode: at(part.start_frame, part.start_time),
    media_text: part.text,
  }))
  return {
    note: dataNote,
    language: transcript.language,
    ...page(rows, range),
    name: job.content_name,
  }
}

export async function readFindings(
  client: CutIndex,
  jobId: string,
  { extractor, ...range }: Range & { extractor: Exclude<ExtractorId, 'transcription'> },
): Promise<object> {
  const { job, results, at, within } = await read(client, jobId, extractor, range)
  if (!results[extractor]) return missing(job, extractor)
  const span = (kind: string) => (part: Span) => ({
    kind,
    start_frame: part.start_frame,
    end_frame: part.end_frame,
    timecode: at(part.start_frame, part.start_time),
    end_timecode: at(part.end_frame, part.end_time),
  })
  if (results.ffprobe) {
    const { conform } = results.ffprobe
    return { note: dataNote, name: job.content_name, media: shortMedia(job.media), conform }
  }
  if (results.thumbnail) return { stills: results.thumbnail.stills.length, files: 'see the job' }
  const rows: Row[] = []
  for (const shot of within(results.shots?.shots)) {
    rows.push({ ...span('shot')(shot), transition: shot.transition, motion: shot.motion })
  }
  const { talking } = results
  rows.push(...within(talking?.talking).map(span('talking')))
  rows.push(...within(talking?.lip_flap).map(span('lip_flap')))
  rows.push(...within(talking?.voice_only).map(span('voice_only')))
  for (const { frame, time, score, reasons } of within(results.cutpoints?.points)) {
    rows.push({ kind: 'cut_point', start_frame: frame, timecode: at(frame, time), score, reasons })
  }
  for (const part of within(results.cutpoints?.removals)) {
    rows.push({ ...span(part.kind)(part), media_text: part.text })
  }
  for (const line of within(results.text?.lines)) {
    rows.push({ ...span('text')(line), media_text: line.text, confidence: line.confidence })
  }
  for (const slate of within(results.text?.slates)) {
    const clap = slate.clap ? { clap_frame: slate.clap.frame } : {}
    rows.push({ ...span('slate')(slate), media_text: slateText(slate), ...clap })
  }
  return { note: dataNote, ...page(rows, range) }
}

async function read(client: CutIndex, jobId: string, extractor: ExtractorId, range: Range) {
  const params = { id: jobId }
  const { job } = await client.api.getJob({ params })
  const varies = job.media?.variable_frame_rate ?? false
  const frames = varies ? { from_frame: range.cursor } : framesOf(job.media, range)
  const query = { extractor, corrected: 'true', ...frames }
  const { results } = await client.api.getJobResults({ params, query })
  return {
    job,
    results,
    /** The timecode of a frame, counted from the source's own first one. */
    at: (frame: number, time: string): string =>
      sourceTimecode(results.media ?? job.media, frame, parseRational(time)),
    /** The service took the range as frames where they last equally long; else it is for us. */
    within: <Part extends Timed>(parts: readonly Part[] = []): readonly Part[] =>
      varies ? parts.filter((part) => isWithin(part, range)) : parts,
  }
}

/** The frames of a range, of a clip whose frames last equally long. */
function framesOf(media: Media | null, range: Range) {
  const rate = toNumber(parseRate(media?.frame_rate ?? '') ?? rational(25))
  const from = range.cursor ?? Math.floor((range.from_seconds ?? 0) * rate)
  const { to_seconds: toSeconds } = range
  const to = toSeconds === undefined ? undefined : Math.max(from + 1, Math.ceil(toSeconds * rate))
  return { from_frame: from, to_frame: to }
}

type Timed = { start: number; end: number } | { seconds: number }

function isWithin(part: Timed, { from_seconds: from = 0, to_seconds: to = Infinity }: Range) {
  const { start, end } = 'seconds' in part ? { start: part.seconds, end: part.seconds } : part
  return start < to && (end > from || start >= from)
}

function page(rows: Row[], { cursor }: Range): object {
  const all = rows
    .filter((row) => row.start_frame >= (cursor ?? 0))
    .sort((a, b) => a.start_frame - b.start_frame)
  let end = Math.min(all.length, pageLength)
  // Rows of one frame stay on one page, so that the next one can begin with a frame.
  while (end < all.length && all[end]?.start_frame === all[end - 1]?.start_frame) end += 1
  const next = all[end]?.start_frame
  return {
    items: all.slice(0, end),
    more: all.length - end,
    ...(next ? { next_cursor: next } : {}),
  }
}

function missing(job: Job, extractor: string): object {
  const advice = `Ask for a quote with the extractor ${extractor}, then analyse.`
  return { items: [], status: job.status, what_to_do: `This job has no ${extractor}. ${advice}` }
}

export function shortMedia(media: Media | null): object | null {
  if (!media) return null
  const { kind, duration, frames, frame_rate, start_timecode, width, height } = media
  return { kind, seconds: duration, frames, frame_rate, start_timecode, width, height }
}
