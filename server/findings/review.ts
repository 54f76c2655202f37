/**
 * Saves a person's selects and decisions on findings. A save that names an older version than the
 * saved one is refused; without a version the last save wins. A clip without a job has a review of
 * its own; a job whose review nobody saved begins with that of the clip's job before it, or with
 * the clip's.
 */
import { sql } from 'kysely'
import { emptyReview } from '../../contract/footage/review.ts'
import type { Review, SavedReview } from '../../contract/footage/review.ts'
import type { Context } from '../ground/context.ts'
import { notFound, Refusal, savedMeanwhile } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'

interface Target {
  id: string
  accountId: string
}

export const getReview: Verb<'getReview'> = async (ctx, { accountId }, { params }) =>
  readSaved(ctx, { id: params.id, accountId })

export const getClipReview: Verb<'getClipReview'> = async (ctx, { accountId }, { params }) =>
  readOfClip(ctx, { id: params.id, accountId })

export const saveReview: Verb<'saveReview'> = async (ctx, actor, input) => {
  const { version, ...review } = input.body
  refuseBackwards(review)
  const target = { id: input.params.id, accountId: actor.accountId }
  const saved = await ctx.db
    .updateTable('jobs')
    .set({ review: JSON.stringify(review), review_version: sql`review_version + 1` })
    .where('id', '=', target.id)
    .where('account_id', '=', target.accountId)
    .where('kind', '=', 'analysis')
    .$if(version !== undefined, (query) => query.where('review_version', '=', version!))
    .returning('review_version')
    .executeTakeFirst()
  if (saved) return { review, version: saved.review_version }
  throw savedMeanwhile('another review', await readSaved(ctx, target))
}

export const saveClipReview: Verb<'saveClipReview'> = async (ctx, actor, input) => {
  const { version, ...review } = input.body
  refuseBackwards(review)
  const target = { id: input.params.id, accountId: actor.accountId }
  await readOfClip(ctx, target)
  const saved = await ctx.db
    .insertInto('clip_reviews')
    .values({ content_id: target.id, review: JSON.stringify(review) })
    .onConflict((conflict) =>
      conflict
        .column('content_id')
        .doUpdateSet({ review: JSON.stringify(review), version: sql`clip_reviews.version + 1` })
        .where(
          sql<boolean>`${version ?? null}::int is null or clip_reviews.version = ${version ?? null}`,
        ),
    )
    .returning('version')
    .executeTakeFirst()
  if (saved) return { review, version: saved.version }
  throw savedMeanwhile('another review', await readOfClip(ctx, target))
}

export async function readReview(ctx: Context, target: Target): Promise<Review | null> {
  return (await readRow(ctx, target)).review
}

async function readSaved(ctx: Context, target: Target): Promise<SavedReview> {
  const { review, version } = await readRow(ctx, target)
  return { review: review ?? emptyReview, version }
}

async function readRow(
  ctx: Context,
  { id, accountId }: Target,
): Promise<{ review: Review | null; version: number }> {
  const { rows } = await sql<{ review: Review | null; version: number }>`
    select coalesce(j.review, earlier.review, c.review) as review, j.review_version as version
    from jobs j
    left join lateral (
      select e.review from jobs e
      where e.content_id = j.content_id and e.account_id = j.account_id
        and e.seq < j.seq and e.review is not null
      order by e.seq desc limit 1
    ) earlier on true
    left join clip_reviews c on c.content_id = j.content_id
    where j.id = ${id} and j.account_id = ${accountId} and j.kind = 'analysis'`.execute(ctx.db)
  if (!rows[0]) throw notFound('The job')
  return rows[0]
}

async function readOfClip(ctx: Context, { id, accountId }: Target): Promise<SavedReview> {
  const row = await ctx.db
    .selectFrom('content as c')
    .leftJoin('clip_reviews as r', 'r.content_id', 'c.id')
    .select(['r.review', 'r.version'])
    .where('c.id', '=', id)
    .where('c.account_id', '=', accountId)
    .executeTakeFirst()
  if (!row) throw notFound('The content')
  return { review: row.review ?? emptyReview, version: row.version ?? 0 }
}

function refuseBackwards({ selects }: Review): void {
  if (selects.every((select) => select.end_frame > select.start_frame)) return
  throw new Refusal('invalid', 'A select must end after it starts.', { field: 'selects' })
}
