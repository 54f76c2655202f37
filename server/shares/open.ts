/**
 * What anyone with a link sees. Every call looks the link up again, so a withdrawn one shows nothing
 * from that moment on, not even a proxy that is playing.
 */
import { extname } from 'node:path'
import type { Selectable } from 'kysely'
import { newRange } from '../../domain/cuts/cut-edit.ts'
import { cutEvents, sourceFrames } from '../../domain/cuts/cut-times.ts'
import type { Cut } from '../../contract/footage/cuts.ts'
import type { CutRange } from '../../domain/cuts/cut.ts'
import { reviewTimeline } from '../../domain/cuts/review-cut.ts'
import type { SharedView } from '../../contract/footage/shares.ts'
import { hashToken } from '../sign-in/token.ts'
import { sendObject } from '../content/send-object.ts'
import { findCut } from '../cuts/read.ts'
import type { SavedCut } from '../cuts/read.ts'
import { describeSources, findSources } from '../cuts/sources.ts'
import type { KnownSource } from '../cuts/sources.ts'
import { readTranscripts } from '../cuts/transcript.ts'
import { createRateLimiter } from '../http/rate-limit.ts'
import { findJob } from '../jobs/read.ts'
import type { Tables } from '../ground/tables.ts'
import type { Context } from '../ground/context.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'
import { isPass, isPassword, makePass, networkHash } from './password.ts'

/**
 * Wrong passwords, in this process: of one network for a link, and, more slowly, of all networks that
 * have not entered the right one yet. So one stranger keeps nobody else out, a crowd of them nobody
 * who was in before, and neither guesses fast.
 */
const ownGuesses = createRateLimiter({ perSecond: 0.1, burst: 10 })
const allGuesses = createRateLimiter({ perSecond: 1 / 60, burst: 100 })

export interface OpenShare {
  id: string
  accountId: string
  cutId: string | null
  jobId: string | null
  sharedBy: string
  passwordHash: string | null
  expiresAt: Date
}

export const openShare: Verb<'openShare'> = async (ctx, { network }, { params, body }) => {
  const { id, passwordHash: hash } = await findShare(ctx, params.token)
  if (hash === null) {
    throw new Refusal('invalid', 'This link asks for no password.')
  }
  const reader = { share_id: id, network_sha256: networkHash(network, { id, hash }) }
  const isKnown = await isReader(ctx, reader)
  const caller = `${id} ${network}`
  ownGuesses.take(caller, Date.now())
  if (!isKnown) allGuesses.take(id, Date.now())
  if (!(await isPassword(body.password, hash))) {
    throw new Refusal('forbidden', 'This is not the password of this link.', { field: 'password' })
  }
  ownGuesses.giveBack(caller)
  if (!isKnown) {
    allGuesses.giveBack(id)
    await ctx.db
      .insertInto('share_readers')
      .values(reader)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  const { pass, expiresAt } = makePass({ id, hash }, ctx.now())
  return { pass, expires_at: expiresAt.toISOString() }
}

async function isReader(ctx: Context, reader: Selectable<Tables['share_readers']>) {
  const row = await ctx.db
    .selectFrom('share_readers')
    .select('share_id')
    .where('share_id', '=', reader.share_id)
    .where('network_sha256', '=', reader.network_sha256)
    .executeTakeFirst()
  return row !== undefined
}

export const getShared: Verb<'getShared'> = async (ctx, _anyone, { params, query }) => {
  const share = await requireShare(ctx, params.token, query.pass)
  const { saved, projectName } = await readSaved(ctx, share)
  const found = await sourcesOf(ctx, share, saved)
  const address = `${ctx.config.publicUrl}/v1/shares/${params.token}/media`
  const ending = query.pass ? `?pass=${query.pass}` : ''
  const sources = await describeSources(
    ctx,
    share.accountId,
    found.values(),
    async (_jobId, contentId, file) => `${address}/${keyOf(found, contentId)}/${file}${ending}`,
  )
  const ranges = playedRanges(saved.cut, sources, found)
  const transcripts = await readTranscripts(ctx, share.accountId, saved)
  const { cut } = saved
  const shared: SharedView = {
    kind: share.cutId ? 'cut' : 'review',
    name: cut.name,
    project_name: projectName,
    shared_by: share.sharedBy,
    expires_at: share.expiresAt.toISOString(),
    version: cut.version,
    frame_rate: cut.frame_rate,
    drop_frame: cut.drop_frame,
    start_timecode: cut.start_timecode,
    ranges,
    sources: sources.map(({ job_id: _, ...source }) => ({
      ...source,
      content_id: keyOf(found, source.content_id),
    })),
    // What was cut out is nobody's to read.
    transcripts: transcripts.map((text) => {
      const key = keyOf(found, text.content_id)
      const played = ranges.filter((range) => range.content_id === key)
      return {
        ...text,
        content_id: key,
        words: text.words.filter((word) => {
          const middle = (word.in + word.out - 1) / 2
          return played.some((range) => middle >= range.in && middle < range.out)
        }),
      }
    }),
  }
  return { shared }
}

export const getSharedFile: Verb<'getSharedFile'> = async (ctx, _anyone, input, exchange) => {
  const { token, source: key, name } = input.params
  const share = await requireShare(ctx, token, input.query.pass)
  const { saved } = await readSaved(ctx, share)
  const found = await sourcesOf(ctx, share, saved)
  const source = [...found.values()][Number(key.slice(1)) - 1]
  const jobId = source?.jobs.get('thumbnail')
  const file = jobId
    ? await ctx.db
        .selectFrom('job_extractors as e')
        .innerJoin('job_result_files as f', 'f.result_id', 'e.result_id')
        .select(['f.storage_key', 'f.bytes'])
        .where('e.job_id', '=', jobId)
        .where('e.extractor', '=', 'thumbnail')
        .where('f.name', '=', name)
        .executeTakeFirst()
    : undefined
  if (!file) throw notFound('The file')
  await sendObject(ctx, exchange, {
    key: file.storage_key,
    sizeBytes: file.bytes,
    etag: hashToken(file.storage_key).toString('hex'),
    headers: {
      'content-type': contentTypes[extname(name)] ?? 'application/octet-stream',
      'content-disposition': 'inline',
      // Asked for again each time, so that a withdrawn link is dark.
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'same-site',
    },
  })
}

const contentTypes: Record<string, string> = {
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.m4a': 'audio/mp4',
}

/** The link, if it is open and the password, where one is asked for, was given. */
export async function requireShare(
  ctx: Context,
  token: string,
  pass: string | undefined,
): Promise<OpenShare> {
  const share = await findShare(ctx, token)
  const { id, passwordHash: hash } = share
  if (hash !== null && !isPass(pass ?? '', { id, hash }, ctx.now())) {
    throw new Refusal('forbidden', `${share.sharedBy} protected this link with a password.`, {
      field: 'password',
    })
  }
  return share
}

async function findShare(ctx: Context, token: string): Promise<OpenShare> {
  const row = await ctx.db
    .selectFrom('shares as s')
    .innerJoin('accounts as a', 'a.id', 's.account_id')
    .select([
      ...(['s.id', 's.account_id', 's.cut_id', 's.job_id', 's.password_hash'] as const),
      ...(['s.expires_at', 's.revoked_at', 'a.name', 'a.username'] as const),
    ])
    .where('s.token_sha256', '=', hashToken(token))
    .executeTakeFirst()
  if (!row) throw notFound('The link')
  const sharedBy = row.name ?? row.username
  if (row.revoked_at) throw new Refusal('gone', `${sharedBy} has revoked this link.`)
  if (row.expires_at <= ctx.now()) {
    throw new Refusal('gone', `This link has ended. Please ask ${sharedBy} for a new one.`)
  }
  return {
    id: row.id,
    accountId: row.account_id,
    cutId: row.cut_id,
    jobId: row.job_id,
    sharedBy,
    passwordHash: row.password_hash,
    expiresAt: row.expires_at,
  }
}

interface SavedView {
  saved: SavedCut
  projectName: string | null
}

/** A cut as it is saved now; the review of a clip is a cut of that one clip. */
async function readSaved(ctx: Context, share: OpenShare): Promise<SavedView> {
  const { accountId } = share
  if (share.cutId === null) return { saved: await readReviewCut(ctx, share), projectName: null }
  const saved = await findCut(ctx.db, { id: share.cutId, accountId })
  if (!saved) throw notFound('The cut')
  const project = saved.cut.project_id
    ? await ctx.db
        .selectFrom('projects')
        .select('name')
        .where('id', '=', saved.cut.project_id)
        .executeTakeFirst()
    : undefined
  return { saved, projectName: project?.name ?? null }
}

async function readReviewCut(ctx: Context, share: OpenShare): Promise<SavedCut> {
  const job = await findJob(ctx.db, { id: share.jobId ?? '', accountId: share.accountId })
  const media = job?.media
  if (!job || !media) throw notFound('The clip')
  const sha256 = await ctx.db
    .selectFrom('jobs')
    .select('content_sha256')
    .where('id', '=', job.id)
    .executeTakeFirstOrThrow()
  const contentId = job.content_id ?? job.id
  const cut: Cut = {
    id: job.id,
    project_id: null,
    name: job.content_name,
    ...reviewTimeline(media),
    frame_size: null,
    target_seconds: null,
    ranges: [newRange({ content_id: contentId, in: 0, out: sourceFrames(media) })],
    version: 1,
    created_at: job.created_at,
    updated_at: job.created_at,
  }
  const source = {
    content_id: contentId,
    name: job.content_name,
    sha256: sha256.content_sha256,
    media,
  }
  return { cut, sources: [source] }
}

function sourcesOf(
  ctx: Context,
  share: OpenShare,
  { cut, sources: saved }: SavedCut,
): Promise<Map<string, KnownSource>> {
  const played = cut.ranges.filter((range) => !range.disabled)
  const contentIds = played.map((range) => range.content_id)
  return findSources(ctx, share.accountId, { contentIds, saved })
}

function keyOf(found: ReadonlyMap<string, KnownSource>, contentId: string): string {
  return `s${[...found.keys()].indexOf(contentId) + 1}`
}

/** One range for each event, without what was removed or only noted. */
function playedRanges(
  cut: Cut,
  sources: Parameters<typeof cutEvents>[1],
  found: ReadonlyMap<string, KnownSource>,
): CutRange[] {
  return cutEvents(cut, sources).map((event, index) => ({
    id: `r${index + 1}`,
    content_id: keyOf(found, event.contentId),
    in: event.in,
    out: event.out,
    name: cut.ranges[event.rangeIndex]?.name ?? '',
    note: '',
    disabled: false,
    removed: [],
  }))
}
