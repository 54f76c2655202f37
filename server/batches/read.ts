import { sql } from 'kysely'
import type { Batch } from '../../contract/footage/batches.ts'
import { toUsd } from '../../domain/money/money.ts'
import type { Db } from '../ground/database.ts'
import type { Verb } from '../ground/verb.ts'
import { toWire, withExtractors } from '../jobs/read.ts'
import { badCursor, notFound } from '../ground/refusal.ts'

export const getBatch: Verb<'getBatch'> = async (ctx, { accountId }, { params }) => ({
  batch: await readBatch(ctx.db, { id: params.id, accountId }),
})

export const listBatches: Verb<'listBatches'> = async (ctx, { accountId }, { query }) => {
  let page = ctx.db
    .selectFrom('batches')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
  if (query.cursor !== undefined) {
    const last = await findLast(ctx.db, { id: query.cursor, accountId })
    page = page.where(
      sql<boolean>`(created_at, id) < (${last.created_at}::timestamptz, ${last.id}::uuid)`,
    )
  }
  if (query.running !== undefined) {
    page = page.where('finished_at', query.running === 'true' ? 'is' : 'is not', null)
  }
  const rows = await page.execute()
  const ids = rows.slice(0, query.limit).map(({ id }) => id)
  const batches = await Promise.all(ids.map((id) => readBatch(ctx.db, { id, accountId })))
  return { batches, next_cursor: rows.length > query.limit ? (ids.at(-1) ?? null) : null }
}

/** The cursor is the last batch of the page before. */
async function findLast(db: Db, { id, accountId }: { id: string; accountId: string }) {
  const isId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)
  const last = isId
    ? await db
        .selectFrom('batches')
        .select([sql<string>`created_at::text`.as('created_at'), 'id'])
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
    : undefined
  if (!last) throw badCursor()
  return last
}

export async function readBatch(db: Db, key: { id: string; accountId: string }): Promise<Batch> {
  const batch = await findBatch(db, key)
  if (!batch) throw notFound('The batch')
  return batch
}

export async function findBatch(
  db: Db,
  key: { id: string; accountId: string },
): Promise<Batch | null> {
  const row = await db
    .selectFrom('batches')
    .selectAll()
    .where('id', '=', key.id)
    .where('account_id', '=', key.accountId)
    .executeTakeFirst()
  if (!row) return null
  const jobs = await withExtractors(db.selectFrom('jobs'))
    .where('batch_id', '=', key.id)
    .orderBy('seq')
    .execute()
  const wire = jobs.map((job) => ({ ...toWire(job), quotedSeconds: job.quoted_seconds }))
  const seconds = wire.reduce((sum, job) => sum + job.quotedSeconds, 0)
  const done = wire.reduce(
    (sum, job) => sum + job.quotedSeconds * (job.finished_at ? 1 : job.progress),
    0,
  )
  return {
    id: row.id,
    workflow: row.workflow,
    status: !row.finished_at ? 'running' : row.canceled_at ? 'canceled' : 'completed',
    progress: row.finished_at || seconds === 0 ? 1 : Math.min(1, done / seconds),
    held_usd: toUsd(jobs.reduce((sum, job) => sum + (job.finished_at ? 0 : job.held_micros), 0)),
    cost_usd: toUsd(jobs.reduce((sum, job) => sum + job.cost_micros, 0)),
    jobs: wire.map((job) => ({
      id: job.id,
      content_id: job.content_id,
      content_name: job.content_name,
      status: job.status,
      partial: job.partial,
      progress: job.progress,
      seconds: job.quotedSeconds,
      cost_usd: job.cost_usd,
      error: job.error,
    })),
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}
