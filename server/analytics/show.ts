import type { Context } from '../ground/context.ts'

const dayMs = 24 * 3_600_000
const maxDays = 400

/** The counts of the last days, newest day first, as lines of a table. */
export async function showAnalytics(ctx: Context, days: number): Promise<string> {
  const since = new Date(ctx.now().getTime() - (Math.min(days, maxDays) - 1) * dayMs)
  const rows = await ctx.db
    .selectFrom('analytics_counts')
    .select(['day', 'name', 'path', 'detail', 'count'])
    .where('day', '>=', since.toISOString().slice(0, 10))
    .orderBy('day', 'desc')
    .orderBy('count', 'desc')
    .execute()
  if (rows.length === 0) return 'Nothing was counted in these days.'
  const lines = rows.map((row) => [row.day, String(row.count), row.name, row.path, row.detail])
  return [['day', 'count', 'event', 'page', 'detail'], ...lines]
    .map(([day = '', count = '', ...rest]) =>
      [day.padEnd(10), count.padStart(8), ...rest].join('  ').trimEnd(),
    )
    .join('\n')
}
