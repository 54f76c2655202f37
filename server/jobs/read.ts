/** Jobs as the wire shows them. */
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { SelectQueryBuilder } from 'kysely'
import type { Job, ListedJob } from '../../contract/footage/jobs.ts'
import { shownOptions } from '../../domain/job-options.ts'
import { toUsd } from '../../domain/money/money.ts'
import type { Db } from '../ground/database.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { notFound } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'

export const getJob: Verb<'getJob'> = async (ctx, actor, input) => {
  return { job: await readJob(ctx.db, { id: input.params.id, accountId: actor.accountId }) }
}

/** One job of an account; another account's answers as a missing one. */
export async function readJob(db: Db, target: { id: string; accountId: string }): Promise<Job> {
  const job = await findJob(db, target)
  if (!job) throw notFound('The job')
  return job
}

export async function findJob(
  db: Db,
  target: { id: string; accountId: string },
): Promise<Job | null> {
  const row = await withExtractors(db.selectFrom('jobs'))
    .where('id', '=', target.id)
    .where('account_id', '=', target.accountId)
    .executeTakeFirst()
  return row ? toWire(row) : null
}

/** The columns that `toWire` needs; the caller adds its conditions. */
export function withExtractors(query: SelectQueryBuilder<Tables, 'jobs', object>) {
  return forList(query).select('media')
}

/** The columns that `toListed` needs. Syncs are no jobs to a reader. */
export function forList(query: SelectQueryBuilder<Tables, 'jobs', object>) {
  return query
    .where('jobs.kind', '=', 'analysis')
    .select([
      ...([
        'id',
        'seq',
        'status',
        'content_url',
        'content_id',
        'content_name',
        'workflow',
      ] as const),
      ...(['created_at', 'partial', 'error_code', 'error_message', 'held_micros'] as const),
      ...(['cost_micros', 'price_version', 'options'] as const),
      ...(['seconds', 'quoted_seconds', 'retry_of', 'started_at', 'finished_at'] as const),
    ])
    .select(partsLeft.as('parts_left'))
    .select((row) =>
      jsonArrayFrom(
        row
          .selectFrom('job_extractors as e')
          .select([
            ...(['e.extractor', 'e.status', 'e.progress', 'e.cost_micros', 'e.warning'] as const),
            ...(['e.error_code', 'e.error_message', 'e.micros_per_second'] as const),
          ])
          .whereRef('e.job_id', '=', 'jobs.id')
          .orderBy('e.position'),
      ).as('extractors'),
    )
}

/**
 * How many parts of an unfinished film are still to be measured or heard; null for any other job.
 */
const partsLeft = sql<number | null>`case when finished_at is null then (
  select count(*) filter (where state <> 'done' and kind not in ('analyse-frames', 'join'))::int
  from work where job_id = jobs.id and kind <> 'whole' having count(*) > 0) end`

type ListedRow = Awaited<ReturnType<ReturnType<typeof forList>['executeTakeFirstOrThrow']>>
type JobRow = Awaited<ReturnType<ReturnType<typeof withExtractors>['executeTakeFirstOrThrow']>>

export function toWire(row: JobRow): Job {
  return { ...toListed(row), media: row.media }
}

export function toListed(row: ListedRow): ListedJob {
  const isEnded = row.finished_at !== null
  return {
    id: row.id,
    status: row.status,
    content_url: row.content_url,
    created_at: row.created_at.toISOString(),
    workflow: row.workflow,
    content_id: row.content_id,
    content_name: row.content_name,
    progress: row.status === 'completed' ? 1 : overallProgress(row.extractors),
    extractors: row.extractors.map((extractor) => ({
      id: extractor.extractor,
      status: extractor.status,
      progress: extractor.progress,
      cost_usd: toUsd(extractor.cost_micros),
      warning: extractor.warning,
      error: causeOf(extractor),
    })),
    partial: row.partial,
    error: causeOf(row),
    held_usd: toUsd(isEnded ? 0 : row.held_micros),
    cost_usd: toUsd(row.cost_micros),
    price_version: row.price_version,
    ...shownOptions(row.options),
    seconds: row.seconds,
    retry_of: row.retry_of,
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    parts_left: row.parts_left,
  }
}

/** Weighted by price, which follows the work that an extractor makes. */
function overallProgress(
  extractors: readonly { status: string; progress: number; micros_per_second: number }[],
): number {
  let done = 0
  let all = 0
  for (const { status, progress, micros_per_second: weight } of extractors) {
    const isOver = status !== 'waiting' && status !== 'running'
    done += weight * (isOver ? 1 : progress)
    all += weight
  }
  return all > 0 ? Math.min(1, done / all) : 0
}

function causeOf(row: Pick<ListedRow, 'error_code' | 'error_message'>): Job['error'] {
  return row.error_code ? { code: row.error_code, message: row.error_message ?? '' } : null
}
