/**
 * Describes the clips of a cut: from the library, from the jobs that read them and, once a clip was
 * deleted, from the record saved with the cut. Findings outlive their clip, so jobs are also looked
 * up by its bytes.
 */
import { sql } from 'kysely'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import type { CutSource, SourcePictures } from '../../contract/footage/cuts.ts'
import type { FindingsOf, Media } from '../../domain/findings/findings.ts'
import { sourceFrames } from '../../domain/cuts/cut-times.ts'
import { knownFrameTimes } from '../../domain/time/source-times.ts'
import type { Context } from '../ground/context.ts'
import type { SavedSource } from '../ground/cut-document.ts'
import { readFindings } from '../findings/results.ts'

/** Returns the address at which a viewer of the cut can fetch a file of a job. */
export type FileAddress = (jobId: string, contentId: string, file: string) => Promise<string>

export interface KnownSource extends SavedSource {
  offline: boolean
  /** The job that found the most in it, and the latest good one of each extractor. */
  jobId: string | null
  jobs: ReadonlyMap<ExtractorId, string>
}

/** Clips that are neither in the library nor among the saved ones are missing in the answer. */
export async function findSources(
  ctx: Context,
  accountId: string,
  input: { contentIds: readonly string[]; saved: readonly SavedSource[] },
): Promise<Map<string, KnownSource>> {
  const ids = [...new Set(input.contentIds)]
  if (ids.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('content')
    .select(['id', 'file_name', 'media', 'sha256', 'check_state'])
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute()
  const here = new Map(rows.map((row) => [row.id, row]))
  const saved = new Map(input.saved.map((source) => [source.content_id, source]))
  const hashes = new Map<string, string>()
  for (const id of ids) {
    const hash = here.get(id)?.sha256?.toString('hex') ?? saved.get(id)?.sha256
    if (hash) hashes.set(id, hash)
  }
  const jobsOfClips = await findJobs(ctx, accountId, ids, hashes)
  const sources = new Map<string, KnownSource>()
  for (const id of ids) {
    const row = here.get(id)
    const jobs = jobsOfClips.get(id)
    const media = jobs?.media ?? row?.media ?? saved.get(id)?.media
    const name = row?.file_name ?? saved.get(id)?.name
    if (name === undefined || !media) continue
    sources.set(id, {
      content_id: id,
      name,
      sha256: hashes.get(id) ?? jobs?.sha256 ?? null,
      media,
      offline: !row,
      jobId: jobs?.bestId ?? null,
      jobs: jobs?.byExtractor ?? new Map(),
    })
  }
  return sources
}

/**
 * The project's oldest video. Sets the rate of a new cut if neither request, project nor its ranges
 * do.
 */
export async function firstVideoOf(
  ctx: Context,
  accountId: string,
  projectId: string,
): Promise<Media | undefined> {
  const row = await ctx.db
    .selectFrom('content')
    .select('media')
    .where('account_id', '=', accountId)
    .where('project_id', '=', projectId)
    .where(sql<string>`media ->> 'kind'`, '=', 'video')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.media ?? undefined
}

interface FoundJobs {
  bestId: string
  byExtractor: Map<ExtractorId, string>
  media: Media
  sha256: string | null
}

interface FoundRow {
  content_id: string | null
  sha256: string | null
  job_id: string
  extractor: ExtractorId
  media: Media
  done: number
}

/** Whole clips before stretches of them, then the latest. */
async function findJobs(
  ctx: Context,
  accountId: string,
  ids: readonly string[],
  hashes: ReadonlyMap<string, string>,
): Promise<Map<string, FoundJobs>> {
  const { rows } = await sql<FoundRow>`
    select j.content_id, j.content_sha256 as sha256, j.id as job_id, e.extractor, r.media,
      count(*) over (partition by j.id) as done
    from jobs j
    join job_extractors e on e.job_id = j.id
    join job_results r on r.id = e.result_id
    where j.account_id = ${accountId} and j.status <> 'failed' and e.status in ('done', 'reused')
      and (j.content_id = any(${ids}::uuid[]) or j.content_sha256 = any(${[...hashes.values()]}))
    order by j.options ?| array['in', 'out'], j.seq desc`.execute(ctx.db)
  const idsOfHash = new Map<string, string[]>()
  for (const [id, hash] of hashes) idsOfHash.set(hash, [...(idsOfHash.get(hash) ?? []), id])
  const byClip = new Map<string, FoundJobs & { done: number }>()
  for (const row of rows) {
    const owners = new Set(row.sha256 ? (idsOfHash.get(row.sha256) ?? []) : [])
    if (row.content_id !== null) owners.add(row.content_id)
    for (const id of owners) {
      const known = byClip.get(id) ?? {
        bestId: row.job_id,
        done: row.done,
        byExtractor: new Map<ExtractorId, string>(),
        media: row.media,
        sha256: row.sha256,
      }
      if (row.done > known.done) [known.bestId, known.done] = [row.job_id, row.done]
      if (!known.byExtractor.has(row.extractor)) known.byExtractor.set(row.extractor, row.job_id)
      byClip.set(id, known)
    }
  }
  return byClip
}

export async function describeSources(
  ctx: Context,
  accountId: string,
  sources: Iterable<KnownSource>,
  addressOf: FileAddress,
): Promise<CutSource[]> {
  return Promise.all(
    [...sources].map(async (source): Promise<CutSource> => ({
      content_id: source.content_id,
      name: source.name,
      offline: source.offline,
      media: source.media,
      frames: sourceFrames(source.media),
      frame_times: await frameTimesOf(ctx, accountId, source),
      transcribed: source.jobs.has('transcription'),
      job_id: source.jobId,
      pictures: await picturesOf(ctx, accountId, source, addressOf),
    })),
  )
}

/** Known times of a source with a variable rate; null where frames last equally long. */
export async function frameTimesOf(
  ctx: Context,
  accountId: string,
  source: KnownSource,
): Promise<CutSource['frame_times']> {
  const { media, jobId } = source
  if (!media.variable_frame_rate) return null
  const findings = jobId ? await readFindings(ctx, { id: jobId, accountId }) : {}
  return knownFrameTimes({ ...findings, media })
}

async function picturesOf(
  ctx: Context,
  accountId: string,
  source: KnownSource,
  addressOf: FileAddress,
): Promise<SourcePictures> {
  const jobId = source.jobs.get('thumbnail')
  const files = jobId
    ? (await readFindings(ctx, { id: jobId, accountId }, 'thumbnail')).thumbnail
    : undefined
  if (!jobId || !files) return { proxy: null, poster_url: null, sprite: null, waveform: null }
  const address = (file: string): Promise<string> => addressOf(jobId, source.content_id, file)
  return {
    proxy: files.proxy && (await proxyOf(files.proxy, address)),
    poster_url: files.poster && (await address(files.poster)),
    sprite: files.sprite && (await spriteOf(files.sprite, address)),
    waveform: files.waveform && (await waveformOf(files.waveform, address)),
  }
}

type Found<K extends keyof FindingsOf<'thumbnail'>> = NonNullable<FindingsOf<'thumbnail'>[K]>
type Address = (file: string) => Promise<string>

async function proxyOf({ file, ...proxy }: Found<'proxy'>, address: Address) {
  return { ...proxy, start_frame: proxy.start_frame ?? 0, url: await address(file) }
}

async function spriteOf({ file, vtt: _, ...sprite }: Found<'sprite'>, address: Address) {
  const urls = await Promise.all(file.map(address))
  return { ...sprite, start_frame: sprite.start_frame ?? 0, urls }
}

async function waveformOf({ file, ...waveform }: Found<'waveform'>, address: Address) {
  return { ...waveform, start: waveform.start ?? 0, url: await address(file) }
}
