/** Plans each item of a batch, or says why it is left out. Nothing is stored here. */
import type { BatchRequest } from '../../contract/footage/batches.ts'
import type { Cause } from '../jobs/cause.ts'
import { planJob } from '../jobs/quote.ts'
import type { JobPlan } from '../jobs/quote.ts'
import { parseWorkflow } from '../jobs/price.ts'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'

export interface PlannedItem {
  contentId: string
  name: string | null
  outcome: { plan: JobPlan } | { refused: Cause }
}

/** Addresses are probed over the network, so a few items are planned in parallel. */
const itemsAtOnce = 8

export async function planBatch(
  ctx: Context,
  accountId: string,
  request: BatchRequest,
): Promise<PlannedItem[]> {
  // A wrong workflow is wrong for every item, so it is refused first.
  parseWorkflow(request.workflow)
  const { content_ids: ids, ...job } = request
  const unique = [...new Set(ids)]
  const names = await readNames(ctx, accountId, unique)
  const items: PlannedItem[] = []
  for (let first = 0; first < unique.length; first += itemsAtOnce) {
    const chunk = unique.slice(first, first + itemsAtOnce)
    const planned = chunk.map(async (contentId): Promise<PlannedItem> => {
      const name = names.get(contentId) ?? null
      try {
        const plan = await planJob(ctx, accountId, { ...job, content_id: contentId })
        return { contentId, name, outcome: { plan } }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const refused = { code: error.code, message: error.message }
        return { contentId, name, outcome: { refused } }
      }
    })
    items.push(...(await Promise.all(planned)))
  }
  return items
}

async function readNames(
  ctx: Context,
  accountId: string,
  ids: string[],
): Promise<Map<string, string>> {
  const rows = await ctx.db
    .selectFrom('content')
    .select(['id', 'file_name'])
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row.file_name]))
}
