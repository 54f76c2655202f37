import type { BatchQuote } from '../../contract/footage/batches.ts'
import { priceVersion } from '../../domain/money/catalogue.ts'
import { toUsd } from '../../domain/money/money.ts'
import { readBalance } from '../billing/balance.ts'
import { grantFreeCredit } from '../billing/grant.ts'
import { skipReason } from '../jobs/applies.ts'
import { pricePlan } from '../jobs/quote.ts'
import type { JobPlan, PricedPlan } from '../jobs/quote.ts'
import type { Verb } from '../ground/verb.ts'
import { planBatch } from './plan.ts'

export const quoteBatch: Verb<'quoteBatch'> = async (ctx, { accountId }, { body }) => {
  const planned = await planBatch(ctx, accountId, body)
  const now = ctx.now()
  await grantFreeCredit(ctx.db, { accountId, now })
  let totalMicros = 0
  const items: BatchQuote['items'] = []
  for (const { contentId, name, outcome } of planned) {
    if ('refused' in outcome) {
      const nothing = { seconds: 0, usd: 0, lines: [] }
      items.push({ content_id: contentId, name, ...nothing, refused: outcome.refused })
      continue
    }
    const priced = await pricePlan(ctx.db, outcome.plan)
    totalMicros += priced.totalMicros
    items.push({
      content_id: contentId,
      name,
      seconds: outcome.plan.seconds,
      usd: toUsd(priced.totalMicros),
      lines: quoteLines(outcome.plan, priced),
      refused: null,
    })
  }
  const { availableMicros } = await readBalance(ctx.db, { accountId, now })
  return {
    quote: {
      items,
      total_usd: toUsd(totalMicros),
      available_usd: toUsd(availableMicros),
      sufficient: availableMicros >= totalMicros,
      price_version: priceVersion,
    },
  }
}

function quoteLines(plan: JobPlan, priced: PricedPlan): BatchQuote['items'][number]['lines'] {
  return priced.lines.map((line) => ({
    extractor: line.extractor,
    usd: toUsd(line.micros),
    reused: line.reused,
    skipped: line.applies
      ? null
      : (skipReason(line.extractor, plan.source.media)?.message ?? 'Does not apply.'),
  }))
}
