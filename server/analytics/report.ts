/**
 * Page views and events without persons. The product keeps counts for each day, page and detail; no
 * cookie is read, and neither the caller's address nor its account is stored or passed on. Paths
 * and details are reduced to closed lists first, so that no id, token or free text gets through.
 */
import { sql } from 'kysely'
import { providers } from '../../contract/account/accounts.ts'
import { creditPackages } from '../../domain/money/catalogue.ts'
import { pagePattern } from '../../contract/pages.ts'
import type { AnalyticsEvent } from '../../contract/service.ts'
import type { Verb } from '../ground/verb.ts'
import type { Context } from '../ground/context.ts'
import { forwardEvents } from './forward.ts'
import type { CountedEvent } from './forward.ts'

const other = 'other'

export const reportAnalytics: Verb<'reportAnalytics'> = async (ctx, _actor, { body }) => {
  const events = body.events.map(reduce)
  if (ctx.config.analyticsUrl) await forwardEvents(ctx, ctx.config.analyticsUrl, events)
  else await count(ctx, events)
  return { ok: true }
}

function reduce({ name, path, details }: AnalyticsEvent): CountedEvent {
  return { name, path: pagePattern(path.split(/[?#]/)[0] ?? '') ?? other, detail: detailOf() }

  function detailOf(): string {
    if (name === 'login') return known(providers, details?.provider)
    if (name !== 'purchase') return ''
    return known(
      creditPackages.map((item) => item.id),
      details?.package_type,
    )
  }
}

function known(list: readonly string[], value: unknown): string {
  return list.find((item) => item === value) ?? other
}

/**
 * Counts the whole batch in one statement; equal events are added up first, as a row may change
 * only once.
 */
async function count(ctx: Context, events: readonly CountedEvent[]): Promise<void> {
  const day = ctx.now().toISOString().slice(0, 10)
  const alike = Map.groupBy(events, ({ name, path, detail }) => `${name} ${path} ${detail}`)
  const rows = [...alike.values()].flatMap(([event, ...rest]) =>
    event ? [{ day, ...event, count: 1 + rest.length }] : [],
  )
  await ctx.db
    .insertInto('analytics_counts')
    // Sorted, so that every process locks rows in the same order; otherwise two batches could wait
    // for each other.
    .values(rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)))
    .onConflict((conflict) =>
      conflict.columns(['day', 'name', 'path', 'detail']).doUpdateSet({
        count: sql`analytics_counts.count + excluded.count`,
      }),
    )
    .execute()
}

function keyOf({ name, path, detail }: CountedEvent): string {
  return `${name} ${path} ${detail}`
}
