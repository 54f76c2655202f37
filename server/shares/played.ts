/** Reads what a link plays: its version of the cut, the clips of it, and the plan of its proxy. */
import { createHash } from 'node:crypto'
import { newRange } from '../../domain/cuts/cut-edit.ts'
import { cutEvents, cutFormat, sourceClock, sourceFrames } from '../../domain/cuts/cut-times.ts'
import type { CutEvent } from '../../domain/cuts/cut-times.ts'
import type { Cut, CutSource } from '../../contract/footage/cuts.ts'
import type { FrameSpan } from '../../domain/cuts/cut.ts'
import { formatRational, multiply, round, subtract, toNumber } from '../../domain/time/rational.ts'
import { reviewTimeline } from '../../domain/cuts/review-cut.ts'
import type { PlayedEvent, RenderOrder } from '../../engine/render-proxy.ts'
import { findCut } from '../cuts/read.ts'
import type { SavedCut } from '../cuts/read.ts'
import { describeSources, findSources } from '../cuts/sources.ts'
import type { KnownSource } from '../cuts/sources.ts'
import { findJob } from '../jobs/read.ts'
import { readFindings } from '../findings/results.ts'
import type { Stretch } from '../../domain/job-options.ts'
import type { Context } from '../ground/context.ts'
import { notFound } from '../ground/refusal.ts'

interface SharedThing {
  accountId: string
  cutId: string | null
  jobId: string | null
}

interface Played {
  saved: SavedCut
  projectName: string | null
  known: ReadonlyMap<string, KnownSource>
  sources: CutSource[]
  /** One for each event, without what was removed or only noted. */
  events: CutEvent[]
  /** The frames of a clip that its job was about, where that was a part of it. */
  stretch: FrameSpan | null
}

/** The newest version unless another is asked for, which may be gone. */
export async function readPlayed(
  ctx: Context,
  share: SharedThing,
  version?: number,
): Promise<Played | null> {
  const { accountId } = share
  const read = share.cutId === null ? await readReviewCut(ctx, share) : null
  const saved = read?.saved ?? (await findCut(ctx.db, { id: share.cutId!, accountId }, version))
  if (!saved) return null
  const { cut } = saved
  const played = cut.ranges.filter((range) => !range.disabled)
  const contentIds = played.map((range) => range.content_id)
  const known = await findSources(ctx, accountId, { contentIds, saved: saved.sources })
  // No address of a clip's own files leaves by a link.
  const sources = await describeSources(ctx, accountId, known.values(), () => Promise.resolve(''))
  return {
    saved,
    projectName: await readProjectName(ctx, cut),
    known,
    sources,
    events: cutEvents(cut, sources),
    stretch: read && stretchOf(read.stretch, sources[0]),
  }
}

async function readProjectName(ctx: Context, cut: Cut): Promise<string | null> {
  if (!cut.project_id) return null
  const project = await ctx.db
    .selectFrom('projects')
    .select('name')
    .where('id', '=', cut.project_id)
    .executeTakeFirst()
  return project?.name ?? null
}

/** The review of a clip is a cut of that one clip, whose comments name its own frames. */
async function readReviewCut(
  ctx: Context,
  { accountId, jobId }: SharedThing,
): Promise<{ saved: SavedCut; stretch: Stretch }> {
  const job = await findJob(ctx.db, { id: jobId ?? '', accountId })
  const media = job?.media
  if (!job || !media) throw notFound('The clip')
  const row = await ctx.db
    .selectFrom('jobs')
    .select(['content_sha256', 'options'])
    .where('id', '=', job.id)
    .executeTakeFirstOrThrow()
  const contentId = job.content_id ?? job.id
  const cut: Cut = {
    id: job.id,
    project_id: null,
    name: job.content_name,
    ...reviewTimeline(media),
    frame_size: null,
    target_seconds: null,
    ranges: [newRange({ content_id: contentId, in: 0, out: sourceFrames(media) })],
    version: 1,
    created_at: job.created_at,
    updated_at: job.created_at,
  }
  const source = {
    content_id: contentId,
    name: job.content_name,
    sha256: row.content_sha256,
    media,
  }
  return {
    saved: { cut, sources: [source] },
    stretch: row.options,
  }
}

/** As an analysis begins and ends: at the frames that are on the screen at these seconds. */
function stretchOf(
  { in: start, out: end }: Stretch,
  source: CutSource | undefined,
): FrameSpan | null {
  if (!source || (start === undefined && end === undefined)) return null
  const clock = sourceClock(source)
  const frameAt = (seconds: number): number => {
    let [low, high] = [0, source.frames]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (toNumber(clock(middle)) <= seconds + 1e-6) low = middle
      else high = middle - 1
    }
    return low
  }
  return {
    in: start === undefined ? 0 : Math.min(frameAt(start), source.frames - 1),
    out: end === undefined ? source.frames : frameAt(end),
  }
}

/** True if a link shows this frame of a clip. */
export function isPlayed({ events, stretch }: Played, contentId: string, frame: number): boolean {
  if (stretch && (frame < stretch.in || frame >= stretch.out)) return false
  return events.some(
    (event) => event.contentId === contentId && frame >= event.in && frame < event.out,
  )
}

export interface Plan {
  /** For the engine; its files are keys of the store. */
  order: Omit<RenderOrder, 'workDir'>
  sha256: Buffer
  seconds: number
}

/** Plans the proxy; null if nothing has a preview that could be rendered. */
export async function planProxy(
  ctx: Context,
  { accountId }: Pick<SharedThing, 'accountId'>,
  played: Played,
): Promise<Plan | null> {
  const { cut } = played.saved
  const { rate } = cutFormat(cut)
  const own = new Map<string, { file: number; first: number; frames: number }>()
  const files: string[] = []
  for (const source of played.known.values()) {
    const proxy = await findOwnProxy(ctx, accountId, source)
    if (!proxy) continue
    own.set(source.content_id, { file: files.length, first: proxy.first, frames: proxy.frames })
    files.push(proxy.key)
  }
  if (files.length === 0) return null
  const clocks = new Map(played.sources.map((source) => [source.content_id, sourceClock(source)]))
  const events = played.events.flatMap((event): PlayedEvent[] => {
    const proxy = own.get(event.contentId)
    const clock = clocks.get(event.contentId)!
    const black = { file: null, in: 0, out: 0 }
    const whole = { recordIn: event.recordIn, recordOut: event.recordOut }
    if (!proxy) return [{ ...black, ...whole }]
    const { first, frames, file } = proxy
    const from = Math.max(event.in, first, played.stretch?.in ?? 0)
    const to = Math.min(event.out, first + frames, played.stretch?.out ?? Infinity)
    if (from >= to) return [{ ...black, ...whole }]
    const recordOf = (frame: number): number => {
      const since = multiply(subtract(clock(frame), clock(event.in)), rate)
      return Math.min(event.recordOut, event.recordIn + Number(round(since)))
    }
    const [start, end] = [
      from === event.in ? event.recordIn : recordOf(from),
      to === event.out ? event.recordOut : recordOf(to),
    ]
    return [
      { ...black, recordIn: event.recordIn, recordOut: start },
      { file, in: from - first, out: to - first, recordIn: start, recordOut: end },
      { ...black, recordIn: end, recordOut: event.recordOut },
    ].filter(({ recordIn, recordOut }) => recordOut > recordIn)
  })
  const order = { files, rate: formatRational(rate), events }
  const sha256 = createHash('sha256').update(JSON.stringify(order)).digest()
  const seconds = (events.at(-1)?.recordOut ?? 0) / toNumber(rate)
  return seconds > 0 ? { order, sha256, seconds } : null
}

/** True if the larger plan plays all frames of the smaller. */
export function isWithin(smaller: Plan['order'], larger: Plan['order']): boolean {
  const spans = Map.groupBy(
    larger.events.filter((event) => event.file !== null).sort((a, b) => a.in - b.in),
    (event) => larger.files[event.file!],
  )
  return smaller.events.every((event) => {
    if (event.file === null) return true
    let at = event.in
    for (const span of spans.get(smaller.files[event.file]) ?? []) {
      if (span.in <= at) at = Math.max(at, span.out)
    }
    return at >= event.out
  })
}

/** The proxy of a clip's best job, of which the link's own one is made. */
async function findOwnProxy(ctx: Context, accountId: string, source: KnownSource) {
  const jobId = source.jobs.get('thumbnail')
  if (!jobId) return null
  const { thumbnail } = await readFindings(ctx, { id: jobId, accountId }, 'thumbnail')
  const proxy = thumbnail?.proxy
  if (!proxy) return null
  const file = await ctx.db
    .selectFrom('job_extractors as e')
    .innerJoin('job_result_files as f', 'f.result_id', 'e.result_id')
    .select('f.storage_key')
    .where('e.job_id', '=', jobId)
    .where('e.extractor', '=', 'thumbnail')
    .where('f.name', '=', proxy.file)
    .executeTakeFirst()
  return file && { key: file.storage_key, first: proxy.start_frame ?? 0, frames: proxy.frames }
}
