/**
 * Saves a person's selects and decisions on findings. A save that names an older version than the
 * saved one is refused; without a version the last save wins.
 */
import { sql } from 'kysely'
import type { Review, SavedReview } from '../../contract/footage/review.ts'
import type { Context } from '../ground/context.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'

export const getReview: Verb<'getReview'> = async (ctx, actor, input) => {
  return await readSaved(ctx, { id: input.params.id, accountId: actor.accountId })
}

export const saveReview: Verb<'saveReview'> = async (ctx, actor, input) => {
  const { version, ...review } = input.body
  const backwards = review.selects.find((select) => select.end_frame <= select.start_frame)
  if (backwards) {
    throw new Refusal('invalid', 'A select must end after it starts.', { field: 'selects' })
  }
  const saved = await ctx.db
    .updateTable('jobs')
    .set({ review: JSON.stringify(review), review_version: sql`review_version + 1` })
    .where('id', '=', input.params.id)
    .where('account_id', '=', actor.accountId)
    .where('kind', '=', 'analysis')
    .$if(version !== undefined, (query) => query.where('review_version', '=', version!))
    .returning('review_version')
    .executeTakeFirst()
  if (saved) return { review, version: saved.review_version }
  const other = await readSaved(ctx, { id: input.params.id, accountId: actor.accountId })
  throw new Refusal(
    'conflict',
    'Somebody saved another review in the meantime. Compare both and save again.',
    { saved: other },
  )
}

const untouched: Review = {
  selects: [],
  accepted_cut_frames: [],
  rejected_cut_frames: [],
  shot_threshold: null,
}

export async function readReview(
  ctx: Context,
  target: { id: string; accountId: string },
): Promise<Review | null> {
  return (await readRow(ctx, target)).review
}

async function readSaved(
  ctx: Context,
  target: { id: string; accountId: string },
): Promise<SavedReview> {
  const { review, review_version: version } = await readRow(ctx, target)
  return { review: review ?? untouched, version }
}

async function readRow(ctx: Context, target: { id: string; accountId: string }) {
  const row = await ctx.db
    .selectFrom('jobs')
    .select(['review', 'review_version'])
    .where('id', '=', target.id)
    .where('account_id', '=', target.accountId)
    .where('kind', '=', 'analysis')
    .executeTakeFirst()
  if (!row) throw notFound('The job')
  return row
}
