import { cutLimits } from '../../domain/cuts/cut-limits.ts'
import { followFrames } from '../../domain/cuts/cut-times.ts'
import type { Cut, CutSource, CutSummary } from '../../contract/footage/cuts.ts'
import type { Member } from '../ground/actor.ts'
import type { Db } from '../ground/database.ts'
import type { CutDocument } from '../ground/cut-document.ts'
import { issueTicket } from '../ground/ticket.ts'
import type { Verb } from '../ground/verb.ts'
import type { Context } from '../ground/context.ts'
import { notFound } from '../ground/refusal.ts'
import { describeSources, findSources, frameTimesOf } from './sources.ts'
import type { FileAddress } from './sources.ts'

/** As long as somebody may sit before one cut without reloading the page. */
const ticketSeconds = 4 * 3600

export const listCuts: Verb<'listCuts'> = async (ctx, { accountId }, { query }) => ({
  cuts: await readCuts(ctx, accountId, query.project_id),
})

export async function readCuts(
  ctx: Context,
  accountId: string,
  projectId?: string,
): Promise<CutSummary[]> {
  let rows = ctx.db
    .selectFrom('cuts')
    .select([
      ...(['id', 'project_id', 'name', 'version', 'range_count', 'frames', 'seconds'] as const),
      ...(['created_at', 'updated_at'] as const),
    ])
    .where('account_id', '=', accountId)
  if (projectId) rows = rows.where('project_id', '=', projectId)
  const cuts = await rows.orderBy('updated_at', 'desc').orderBy('id').execute()
  return cuts.map((cut) => ({
    ...cut,
    created_at: cut.created_at.toISOString(),
    updated_at: cut.updated_at.toISOString(),
  }))
}

export const getCut: Verb<'getCut'> = async (ctx, actor, { params, query }) => {
  const saved = await readCut(ctx.db, { ...params, accountId: actor.accountId }, query.version)
  return describeCut(ctx, actor, saved)
}

export const listCutVersions: Verb<'listCutVersions'> = async (ctx, actor, { params }) => {
  await readCut(ctx.db, { ...params, accountId: actor.accountId })
  const rows = await ctx.db
    .selectFrom('cut_versions')
    .select((build) => [
      'version',
      'saved_at',
      build.ref('document', '->>').key('name').as('name'),
      build.ref('document', '->').key('frames').as('frames'),
    ])
    .where('cut_id', '=', params.id)
    .orderBy('version', 'desc')
    .execute()
  return {
    versions: rows.map((row) => ({
      version: row.version,
      name: row.name,
      frames: row.frames,
      saved_at: row.saved_at.toISOString(),
    })),
  }
}

export interface SavedCut {
  cut: Cut
  sources: CutDocument['sources']
}

/** The newest version unless another is named; another account's cut counts as missing. */
export async function readCut(
  db: Db,
  target: { id: string; accountId: string },
  version?: number,
): Promise<SavedCut> {
  const saved = await findCut(db, target, version)
  if (!saved) throw notFound(version === undefined ? 'The cut' : `Version ${version} of the cut`)
  return saved
}

export async function findCut(
  db: Db,
  target: { id: string; accountId: string },
  version?: number,
): Promise<SavedCut | null> {
  const rows = db
    .selectFrom('cuts as c')
    .innerJoin('cut_versions as v', 'v.cut_id', 'c.id')
    .select(['c.id', 'c.project_id', 'c.created_at', 'v.version', 'v.document', 'v.saved_at'])
    .where('c.id', '=', target.id)
    .where('c.account_id', '=', target.accountId)
  const row = await (
    version === undefined
      ? rows.whereRef('v.version', '=', 'c.version')
      : rows.where('v.version', '=', version)
  ).executeTakeFirst()
  if (!row) return null
  const { sources, frames: _, ...document } = row.document
  return {
    cut: {
      id: row.id,
      project_id: row.project_id,
      ...document,
      frame_size: document.frame_size ?? null,
      version: row.version,
      created_at: row.created_at.toISOString(),
      updated_at: row.saved_at.toISOString(),
    },
    sources,
  }
}

export async function* readWholeCuts(ctx: Context, accountId: string): AsyncGenerator<Cut> {
  for (const { id } of await readCuts(ctx, accountId)) {
    // It may have been deleted since.
    const saved = await findCut(ctx.db, { id, accountId })
    if (saved) yield saved.cut
  }
}

/**
 * Returns a function that maps a frame of an older version to the newest one. Versions that are no
 * longer kept cannot be followed: their frames stay as they are.
 */
export async function followVersions(
  ctx: Context,
  target: { id: string; accountId: string },
  versions: readonly number[],
): Promise<(frame: number, version: number) => number | null> {
  const newest = await readCut(ctx.db, target)
  const { version: last } = newest.cut
  const older = new Set(
    versions.filter((version) => version < last && version > last - cutLimits.versions),
  )
  if (older.size === 0) return (frame) => frame
  const timed = async ({ cut, sources: saved }: SavedCut) => {
    const contentIds = cut.ranges.map((range) => range.content_id)
    const known = await findSources(ctx, target.accountId, { contentIds, saved })
    const sources = await Promise.all(
      [...known.values()].map(async (source) => ({
        content_id: source.content_id,
        media: source.media,
        frame_times: await frameTimesOf(ctx, target.accountId, source),
      })),
    )
    return { cut, sources }
  }
  const to = await timed(newest)
  const follows = new Map<number, (frame: number) => number | null>()
  for (const version of older) {
    const saved = await findCut(ctx.db, target, version)
    if (saved) follows.set(version, followFrames(await timed(saved), to))
  }
  return (frame, version) => {
    const follow = follows.get(version)
    return follow ? follow(frame) : frame
  }
}

/** A cut with its sources, whose files the actor can open for some hours. */
export async function describeCut(
  ctx: Context,
  actor: Member,
  { cut, sources }: SavedCut,
): Promise<{ cut: Cut; sources: CutSource[] }> {
  const contentIds = cut.ranges.map((range) => range.content_id)
  const known = await findSources(ctx, actor.accountId, { contentIds, saved: sources })
  const address = addressesFor(ctx, actor)
  return {
    cut,
    sources: await describeSources(ctx, actor.accountId, known.values(), address),
  }
}

/** Signed addresses of job files, for somebody who may read them. */
export function addressesFor(ctx: Context, actor: Member): FileAddress {
  const tickets = new Map<string, Promise<{ ticket: string }>>()
  return async (jobId, _contentId, file) => {
    const known =
      tickets.get(jobId) ??
      issueTicket(ctx, actor, {
        scope: 'job-files',
        objectId: jobId,
        lifeSeconds: ticketSeconds,
      })
    tickets.set(jobId, known)
    const { ticket } = await known
    return `${ctx.config.publicUrl}/v1/jobs/${jobId}/files/${file}?ticket=${ticket}`
  }
}
