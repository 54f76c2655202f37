/** What a person decided while looking at the findings. The last save wins. */
import type { Review } from '../../contract/review.ts'
import type { Context } from '../process/context.ts'
import { notFound, Refusal } from '../refusal.ts'
import type { Verb } from '../verb.ts'

export const getReview: Verb<'getReview'> = async (ctx, actor, input) => {
  const of = { id: input.params.id, accountId: actor.accountId }
  return { review: (await readReview(ctx, of)) ?? untouched }
}

export const saveReview: Verb<'saveReview'> = async (ctx, actor, input) => {
  const review = input.body
  const backwards = review.selects.find((select) => select.end_frame <= select.start_frame)
  if (backwards) {
    throw new Refusal('invalid', 'A select must end after it starts.', { field: 'selects' })
  }
  const saved = await ctx.db
    .updateTable('jobs')
    .set({ review: JSON.stringify(review) })
    .where('id', '=', input.params.id)
    .where('account_id', '=', actor.accountId)
    .where('kind', '=', 'analysis')
    .executeTakeFirst()
  if (saved.numUpdatedRows === 0n) throw notFound('The job')
  return { review }
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
  const row = await ctx.db
    .selectFrom('jobs')
    .select('review')
    .where('id', '=', target.id)
    .where('account_id', '=', target.accountId)
    .where('kind', '=', 'analysis')
    .executeTakeFirst()
  if (!row) throw notFound('The job')
  return row.review
}
