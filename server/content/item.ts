/** A row of the library as the wire shows it. */
import type { Selectable } from 'kysely'
import type { ContentItem } from '../../contract/footage/content.ts'
import type { Member } from '../ground/actor.ts'
import type { Context } from '../ground/context.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { issueTicket } from '../ground/ticket.ts'

export type ContentRow = Selectable<Tables['content']>

type Analysis = ContentItem['analysis']

/** Tickets of one half day are the same, so that a browser may keep the picture. */
const ticketStepSeconds = 12 * 3600

export async function toContentItem(
  ctx: Context,
  actor: Member,
  row: ContentRow,
): Promise<ContentItem> {
  const analyses = await readAnalyses(ctx, actor, [row.id])
  return describe(ctx, actor, row, analyses.get(row.id) ?? [])
}

export async function toContentItems(
  ctx: Context,
  actor: Member,
  rows: readonly ContentRow[],
): Promise<ContentItem[]> {
  const analyses = await readAnalyses(
    ctx,
    actor,
    rows.map((row) => row.id),
  )
  return Promise.all(rows.map((row) => describe(ctx, actor, row, analyses.get(row.id) ?? [])))
}

/** Jobs publish what they did to an item in this view. */
async function readAnalyses(
  ctx: Context,
  actor: Member,
  ids: string[],
): Promise<Map<string, Analysis>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('content_analysis as a')
    .leftJoin('content_counts as c', (join) =>
      join.onRef('c.job_id', '=', 'a.job_id').onRef('c.extractor', '=', 'a.extractor'),
    )
    .selectAll('a')
    .select('c.counted')
    .where('a.account_id', '=', actor.accountId)
    .where('a.content_id', 'in', ids)
    .execute()
  const analyses = new Map<string, Analysis>()
  for (const row of rows) {
    const known = analyses.get(row.content_id) ?? []
    analyses.set(row.content_id, known)
    known.push({
      extractor: row.extractor,
      state: row.state,
      progress: row.progress,
      job_id: row.job_id,
      message: row.error_message,
      count: row.counted,
    })
  }
  return analyses
}

async function describe(
  ctx: Context,
  actor: Member,
  row: ContentRow,
  analysis: Analysis,
): Promise<ContentItem> {
  return {
    id: row.id,
    file_name: row.file_name,
    canonical_url: row.canonical_url,
    content_type: row.content_type,
    file_size: row.file_size,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
    media: row.media,
    mime_type: row.mime_type,
    check: { state: row.check_state, message: row.check_message },
    project_id: row.project_id,
    bin_id: row.bin_id,
    rating: row.rating,
    keywords: row.keywords,
    analysis,
    thumbnail_url: row.thumbnail_key ? await thumbnailUrl(ctx, actor, row) : null,
  }
}

async function thumbnailUrl(ctx: Context, actor: Member, row: ContentRow): Promise<string> {
  const nowSeconds = ctx.now().getTime() / 1000
  const untilSeconds = (Math.floor(nowSeconds / ticketStepSeconds) + 2) * ticketStepSeconds
  const { ticket } = await issueTicket(ctx, actor, {
    scope: 'thumbnail',
    objectId: row.id,
    lifeSeconds: untilSeconds - nowSeconds,
  })
  return `${ctx.config.publicUrl}/v1/content/${row.id}/thumbnail?ticket=${ticket}`
}
