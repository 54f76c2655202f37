/** A cut as a file for editing software, and the tickets with which a browser fetches it. */
import type { CutExportOptions } from '../../contract/footage/cuts.ts'
import type { CutExportFormat } from '../../domain/export-formats.ts'
import { readPreferences } from '../sign-in/preferences.ts'
import type { CutComment } from '../../engine/export.ts'
import type { Verb } from '../ground/verb.ts'
import { makeExport, sendExport } from '../findings/make-export.ts'
import type { Context } from '../ground/context.ts'
import { issueTicket } from '../ground/ticket.ts'
import { followVersions, readCut } from './read.ts'
import { findSources, frameTimesOf } from './sources.ts'
import type { KnownSource } from './sources.ts'
import { readTranscripts } from './transcript.ts'

const ticketSeconds = 3600

export const createCutTicket: Verb<'createCutTicket'> = async (ctx, actor, { params }) => {
  await readCut(ctx.db, { id: params.id, accountId: actor.accountId })
  const { ticket, expiresAt } = await issueTicket(ctx, actor, {
    scope: 'cut-files',
    objectId: params.id,
    lifeSeconds: ticketSeconds,
  })
  return { ticket, expires_at: expiresAt.toISOString() }
}

export const exportCut: Verb<'exportCut'> = async (ctx, actor, input, { reply }) => {
  const { format, ticket: _, ...options } = input.query
  const target = { id: input.params.id, accountId: actor.accountId }
  const file = await exportCutOf(ctx, target, { format, options })
  await sendExport(reply, file)
}

async function exportCutOf(
  ctx: Context,
  target: { id: string; accountId: string },
  { format, options }: { format: CutExportFormat; options: CutExportOptions },
) {
  const { accountId } = target
  const saved = await readCut(ctx.db, target)
  const contentIds = saved.cut.ranges.map((range) => range.content_id)
  const [known, transcripts, preferences, folders, comments] = await Promise.all([
    findSources(ctx, accountId, { contentIds, saved: saved.sources }),
    readTranscripts(ctx, accountId, saved),
    readPreferences(ctx, accountId),
    readFolders(ctx, accountId),
    options.comments ? readComments(ctx, target) : [],
  ])
  const fallback = folders.byId.get(saved.cut.project_id ?? '') ?? preferences.media_folder ?? null
  const sources = await Promise.all(
    [...known.values()].map(async (source) => ({
      ...(await exportedSource(ctx, accountId, source)),
      folder: folders.byContent.get(source.content_id) ?? fallback,
    })),
  )
  return makeExport(ctx, accountId, {
    cut: saved.cut,
    sources,
    transcripts,
    comments,
    format,
    options,
  })
}

export async function exportedSource(ctx: Context, accountId: string, source: KnownSource) {
  return {
    content_id: source.content_id,
    name: source.name,
    offline: source.offline,
    media: source.media,
    frame_times: await frameTimesOf(ctx, accountId, source),
  }
}

/** The media folder of each project, and of the project that each clip is in. */
export async function readFolders(ctx: Context, accountId: string) {
  const projects = await ctx.db
    .selectFrom('projects')
    .select(['id', 'media_folder'])
    .where('account_id', '=', accountId)
    .where('media_folder', 'is not', null)
    .execute()
  const byId = new Map(projects.map((row) => [row.id, row.media_folder]))
  if (projects.length === 0) return { byId, byContent: new Map<string, string | null>() }
  const items = await ctx.db
    .selectFrom('content')
    .select(['id', 'project_id'])
    .where('account_id', '=', accountId)
    .where(
      'project_id',
      'in',
      projects.map((row) => row.id),
    )
    .execute()
  return {
    byId,
    byContent: new Map(items.map((row) => [row.id, byId.get(row.project_id ?? '') ?? null])),
  }
}

/** Comments of the cut's shared links where it plays now; answers stand with what they answer. */
async function readComments(
  ctx: Context,
  target: { id: string; accountId: string },
): Promise<CutComment[]> {
  const rows = await ctx.db
    .selectFrom('shared_comments')
    .select(['at_frame', 'out_frame', 'name', 'text', 'version'])
    .where('cut_id', '=', target.id)
    .where('reply_to', 'is', null)
    .orderBy('at_frame')
    .orderBy('created_at')
    .execute()
  const versions = rows.map((row) => row.version)
  const follow = await followVersions(ctx, target, versions)
  return rows.flatMap((row) => {
    const at = follow(row.at_frame, row.version)
    if (at === null) return []
    const frames = (row.out_frame ?? row.at_frame + 1) - row.at_frame
    return [{ at, out: at + frames, name: row.name, text: row.text }]
  })
}
