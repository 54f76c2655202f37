/** Places a batch: all holds and jobs of the items that can be analysed in one transaction. */
import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import { grantFreeCredit } from '../billing/grant.ts'
import { touchContent } from '../content/open.ts'
import type { Tables } from '../ground/generated-tables.ts'
import type { Verb } from '../ground/verb.ts'
import { keyOf, notHeld, placePriced, rehearse } from '../jobs/create.ts'
import type { Cause } from '../jobs/cause.ts'
import { pricePlan } from '../jobs/quote.ts'
import type { JobPlan, PricedPlan } from '../jobs/quote.ts'
import { lockResults } from '../results/reuse.ts'
import { checkAutoReload } from '../payments/auto-reload.ts'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'
import { planBatch } from './plan.ts'
import type { PlannedItem } from './plan.ts'
import { findBatch, readBatch } from './read.ts'

type Refused = Cause & { content_id: string; name: string | null }

export const createBatch: Verb<'createBatch'> = async (ctx, actor, { body }, { effectId }) => {
  const { accountId } = actor
  const id = effectId ?? randomUUID()
  const items = await planBatch(ctx, accountId, body)
  const now = ctx.now()
  // Runs before the transaction: a refusal must not undo the month's grant.
  await grantFreeCredit(ctx.db, { accountId, now })
  const placed = await ctx.db.transaction().execute(async (trx) => {
    await lockResults(trx, accountId)
    if (await findBatch(trx, { id, accountId })) return []
    const { plans, refused } = await dropDeleted(trx, items)
    if (plans.length === 0) throw nothingToAnalyse(refused)
    const batch = { id, accountId, keyId: keyOf(actor), workflow: body.workflow, plans, now }
    await placeJobs(ctx, trx, batch)
    await checkAutoReload(ctx, accountId, trx)
    return plans
  })
  for (const { source } of placed) {
    if (source.contentId) await touchContent(ctx, source.contentId)
  }
  const batch = await readBatch(ctx.db, { id, accountId })
  const analysed = new Set(batch.jobs.map((job) => job.content_id))
  const refused = items
    .filter((item) => !analysed.has(item.contentId))
    .map((item) => refusalOf(item))
  return { batch, refused }
}

/** Items may be deleted while the batch is planned; the rows that are left are kept by a lock. */
async function dropDeleted(
  trx: Transaction<Tables>,
  items: readonly PlannedItem[],
): Promise<{ plans: JobPlan[]; refused: Refused[] }> {
  const ids = items.map((item) => item.contentId)
  const rows = await trx
    .selectFrom('content')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forShare()
    .execute()
  const present = new Set(rows.map((row) => row.id))
  const plans: JobPlan[] = []
  const refused: Refused[] = []
  for (const item of items) {
    if ('plan' in item.outcome && present.has(item.contentId)) plans.push(item.outcome.plan)
    else refused.push(refusalOf(item))
  }
  return { plans, refused }
}

function refusalOf({ contentId, name, outcome }: PlannedItem): Refused {
  const cause: Cause =
    'refused' in outcome
      ? outcome.refused
      : { code: 'not_found', message: 'The content was deleted in the meantime.' }
  return { content_id: contentId, name, ...cause }
}

function nothingToAnalyse(refused: readonly Refused[]): Refusal {
  const [first] = refused
  const reason = first ? ` ${first.name ?? 'The first item'}: ${first.message}` : ''
  return new Refusal('unsupported_source', `None of these items can be analysed.${reason}`)
}

async function placeJobs(
  ctx: Context,
  trx: Transaction<Tables>,
  batch: {
    id: string
    accountId: string
    keyId: string | null
    workflow: string
    plans: JobPlan[]
    now: Date
  },
): Promise<void> {
  const { accountId, keyId, now } = batch
  const priced: { plan: JobPlan; priced: PricedPlan }[] = []
  for (const plan of batch.plans) {
    const prepared = plan.isTest ? await rehearse(ctx, trx, plan) : undefined
    priced.push({ plan, priced: await pricePlan(trx, plan, prepared) })
  }
  const totalMicros = priced.reduce((sum, item) => sum + item.priced.totalMicros, 0)
  await trx
    .insertInto('batches')
    .values({
      id: batch.id,
      account_id: accountId,
      workflow: batch.workflow,
      open_jobs: priced.length,
      canceled_at: null,
      created_at: now,
      finished_at: null,
    })
    .execute()
  let heldMicros = 0
  for (const item of priced) {
    const id = randomUUID()
    const job = { ...item, id, retryOf: null, keyId, batchId: batch.id, now }
    const held = await placePriced(ctx, trx, job)
    if (!held.ok) {
      const availableMicros = held.availableMicros + heldMicros
      throw notHeld({ ...held, requiredMicros: totalMicros, availableMicros }, 'This batch')
    }
    heldMicros += item.priced.totalMicros
  }
}
