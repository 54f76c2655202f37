/** Places a sync: hold, job, items and name in one transaction, or nothing. */
import { randomUUID } from 'node:crypto'
import { syncPrice } from '../../domain/money/catalogue.ts'
import { isTestAccount } from '../accounts/test-account.ts'
import { grantFreeCredit } from '../billing/grant.ts'
import { touchContent } from '../content/open.ts'
import { keyOf, notHeld, placeSyncJob } from '../jobs/create.ts'
import { readQuoteId, staleQuote } from '../jobs/quote-id.ts'
import { lockResults } from '../results/reuse.ts'
import { rehearseSync } from '../runs/run-sync.ts'
import { checkAutoReload } from '../payments/auto-reload.ts'
import { refuseUnlocked } from '../ground/isolation.ts'
import type { Verb } from '../ground/verb.ts'
import { planSync } from './quote.ts'
import { findSync, readSync } from './read.ts'

export const createSync: Verb<'createSync'> = async (ctx, actor, { body }, { effectId }) => {
  const { accountId } = actor
  const id = effectId ?? randomUUID()
  const { content_ids: contentIds, quote_id: quoteId } = body
  const request = { content_ids: contentIds, workflow: syncPrice.id }
  const maxMicros = quoteId ? await readQuoteId(ctx, quoteId, { accountId, request }) : Infinity
  const items = await planSync(ctx, accountId, contentIds)
  refuseUnlocked(ctx.isolation)
  const now = ctx.now()
  // Before the transaction: a refusal must not undo the month's grant.
  await grantFreeCredit(ctx.db, { accountId, now })
  const isTest = await isTestAccount(ctx.db, accountId)
  const name = body.name ?? nameOf(items.map(({ source }) => source.name))
  await ctx.db.transaction().execute(async (trx) => {
    await lockResults(trx, accountId)
    if (await findSync(trx, { id, accountId })) return
    if (items.reduce((sum, item) => sum + item.micros, 0) > maxMicros) throw staleQuote()
    const job = { id, accountId, keyId: keyOf(actor), name, items, now }
    const held = await placeSyncJob(ctx, trx, job)
    if (!held.ok) throw notHeld(held, 'This sync')
    await trx.insertInto('syncs').values({ id, account_id: accountId, name }).execute()
    if (isTest) await rehearseSync(ctx, trx, job)
    await checkAutoReload(ctx, accountId, trx)
  })
  for (const contentId of contentIds) await touchContent(ctx, contentId)
  return { sync: await readSync(ctx, actor, id) }
}

function nameOf(names: readonly string[]): string {
  const [first = 'Clips', ...others] = names
  const stem = first.replace(/\.[^.]{1,5}$/, '')
  return `${stem} and ${others.length} more`.slice(0, 200)
}
