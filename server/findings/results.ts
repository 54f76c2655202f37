import type { ExtractorId } from '../../domain/money/catalogue.ts'
import type { Findings } from '../../domain/findings/findings.ts'
import { correctFindings } from '../../domain/findings/correct.ts'
import { nameSpeakers } from '../../domain/findings/speakers.ts'
import type { Context } from '../ground/context.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import { readSaved } from '../results/saved-corrections.ts'
import { noteFindings } from '../jobs/reads.ts'
import { paramsKey } from '../results/reuse.ts'
import type { Verb } from '../ground/verb.ts'

export type PartialFindings = Partial<Findings>

/** Findings so far, complete once the job has ended. */
export const getJobResults: Verb<'getJobResults'> = async (ctx, actor, input) => {
  const { extractor, from_frame: fromFrame = 0, to_frame: toFrame = Infinity } = input.query
  if (fromFrame >= toFrame) {
    throw new Refusal('invalid', 'The first frame must be before the last.', { field: 'to_frame' })
  }
  const target = { id: input.params.id, accountId: actor.accountId }
  const results = input.query.corrected
    ? await readCorrected(ctx, target, extractor)
    : await readFindings(ctx, target, extractor)
  const isWhole = fromFrame === 0 && toFrame === Infinity
  return { results: isWhole ? results : withinFrames(results, { fromFrame, toFrame }) }
}

/** Drops list items outside of the frames; items without a frame stay. */
function withinFrames<T>(value: T, frames: { fromFrame: number; toFrame: number }): T {
  if (Array.isArray(value)) {
    const inside = value.filter((item) => reaches(item, frames))
    return inside.map((item: unknown) => withinFrames(item, frames)) as T
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, item]) => [name, withinFrames(item, frames)])
  return Object.fromEntries(entries) as T
}

function reaches(item: unknown, frames: { fromFrame: number; toFrame: number }): boolean {
  if (typeof item !== 'object' || item === null) return true
  const {
    frame,
    start_frame: start = frame,
    end_frame: end = start,
  } = item as {
    frame?: number
    start_frame?: number
    end_frame?: number
  }
  if (start === undefined || end === undefined) return true
  return start < frames.toFrame && Math.max(end, start + 1) > frames.fromFrame
}

export async function readFindings(
  ctx: Context,
  target: { id: string; accountId: string },
  extractor?: ExtractorId,
  /** Extractor whose findings the caller shows; null: none. */
  shown: ExtractorId | 'all' | null = extractor ?? 'all',
): Promise<PartialFindings> {
  const job = await ctx.db
    .selectFrom('jobs')
    .select(['media', 'finished_at'])
    .where('id', '=', target.id)
    .where('account_id', '=', target.accountId)
    .where('kind', '=', 'analysis')
    .executeTakeFirst()
  if (!job) throw notFound('The job')
  let query = ctx.db
    .selectFrom('job_extractors as e')
    .innerJoin('job_results as r', 'r.id', 'e.result_id')
    .select(['e.extractor', 'r.findings', 'r.media'])
    .where('e.job_id', '=', target.id)
    .orderBy('e.position')
  if (extractor) query = query.where('e.extractor', 'in', [extractor, ...joinedTo(extractor)])
  let rows = await query.execute()
  if (job.finished_at === null && shown !== null) {
    const read = rows.map((row) => row.extractor).filter((id) => shown === 'all' || id === shown)
    if (!(await noteFindings(ctx, target.id, read))) rows = []
  }
  // The analysis measures the media exactly; the probe at upload may not have.
  const media = rows.at(-1)?.media ?? job.media ?? undefined
  const stored: PartialFindings = Object.fromEntries(
    rows.map((row) => [row.extractor, row.findings]),
  )
  const named = nameSpeakers(stored)
  const asked = extractor && named[extractor] ? { [extractor]: named[extractor] } : {}
  return { ...(media ? { media } : {}), ...(extractor ? asked : named) }
}

/** Extractors whose findings are needed to read those of another. */
function joinedTo(extractor: ExtractorId): ExtractorId[] {
  return extractor === 'transcription' ? ['talking'] : []
}

/** Findings under the corrections that a person saved for this media. */
export async function readCorrected(
  ctx: Context,
  target: { id: string; accountId: string },
  extractor?: ExtractorId,
): Promise<PartialFindings> {
  const stored = await readFindings(ctx, target, undefined, extractor)
  const job = await ctx.db
    .selectFrom('jobs')
    .select(['content_sha256', 'options'])
    .where('id', '=', target.id)
    .executeTakeFirstOrThrow()
  const { corrections } = await readSaved(ctx.db, {
    accountId: target.accountId,
    sha256: job.content_sha256 ?? '',
    params: paramsKey(job.options),
  })
  const { findings } = correctFindings(stored, corrections)
  if (!extractor) return findings
  const { media, [extractor]: asked } = findings
  return { ...(media ? { media } : {}), ...(asked ? { [extractor]: asked } : {}) }
}
