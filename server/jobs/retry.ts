import { optionsOf } from '../../domain/job-options.ts'
import type { Verb } from '../ground/verb.ts'
import { Refusal } from '../ground/refusal.ts'
import { keyOf, placeJob } from './create.ts'
import { planJob } from './quote.ts'
import { findJob, readJob } from './read.ts'

/** A terminal state is final: a retry is a new job that names the old one. */
export const retryJob: Verb<'retryJob'> = async (ctx, actor, input, { effectId }) => {
  const { accountId } = actor
  const placed = effectId ? await findJob(ctx.db, { id: effectId, accountId }) : null
  if (placed) return { job: placed }
  const old = await readJob(ctx.db, { id: input.params.id, accountId })
  if (!old.finished_at) {
    throw new Refusal('conflict', 'The job has not ended yet. Wait for it, or cancel it first.')
  }
  const plan = await planJob(ctx, accountId, {
    ...(old.content_id ? { content_id: old.content_id } : { content_url: old.content_url }),
    workflow: old.workflow,
    ...optionsOf(old),
  })
  const placing = { id: effectId, retryOf: old.id, keyId: keyOf(actor) }
  return { job: await placeJob(ctx, plan, placing) }
}
