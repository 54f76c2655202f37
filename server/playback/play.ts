/**
 * Plays an item before or without an analysis: its own file where browsers play that, else the
 * proxy of an analysis, else a quick proxy.
 */
import { sql } from 'kysely'
import type { Playback } from '../../contract/footage/playback.ts'
import { browserPlays } from '../../domain/findings/browser-plays.ts'
import type { Media } from '../../domain/findings/findings.ts'
import { signPlayAddress } from '../content/download.ts'
import { sendObject } from '../content/send-object.ts'
import type { Member } from '../ground/actor.ts'
import type { Context } from '../ground/context.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import { issueTicket } from '../ground/ticket.ts'
import type { Verb } from '../ground/verb.ts'
import {
  findQuickProxy,
  guessStart,
  listSegments,
  placeQuickProxy,
  touchQuickProxy,
} from './quick-proxies.ts'

const nothing: Playback = {
  kind: 'refused',
  url: null,
  format: 'file',
  expires_at: null,
  seconds: 0,
  frames: null,
  frame_rate: null,
  progress: 0,
  starts_in_seconds: null,
  message: null,
}
const notStored =
  'This address plays here once it has been analysed: its file is not kept before that.'
const notMedia = 'There is no video or sound in this file.'
const isolationMissing = 'This service cannot make previews now: its media tools are off.'
const failed = 'A preview of this file could not be made. Analyse it to see whether it can be read.'

export const createPlayback: Verb<'createPlayback'> = async (ctx, actor, { params, body }) => ({
  playback: await play(ctx, actor, params.id, body.original_failed),
})

async function play(
  ctx: Context,
  actor: Member,
  id: string,
  originalFailed: boolean,
): Promise<Playback> {
  const clip = await findClip(ctx, actor.accountId, id)
  const { media, isStored } = clip
  if (isStored && media && !originalFailed && browserPlays(media)) {
    const { url, expires_at } = await signPlayAddress(ctx, actor, { id, path: 'play' })
    return {
      ...nothing,
      ...{ kind: 'original', url, expires_at, seconds: media.duration, progress: 1 },
    }
  }
  const proxy = await findReviewProxy(ctx, actor, clip)
  if (proxy) return proxy
  if (!isStored) return { ...nothing, message: notStored }
  if (!media || (media.kind !== 'video' && media.kind !== 'audio')) {
    return { ...nothing, message: notMedia }
  }
  return await playQuickProxy(ctx, actor, clip, media)
}

async function playQuickProxy(
  ctx: Context,
  actor: Member,
  { id }: Clip,
  media: Media,
): Promise<Playback> {
  if (!(await findQuickProxy(ctx, id))) {
    if (!ctx.isolation.mayAnalyse) return { ...nothing, message: isolationMissing }
    const clip = { contentId: id, accountId: actor.accountId, seconds: media.duration }
    try {
      await placeQuickProxy(ctx, clip)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { ...nothing, message: error.message }
    }
  }
  const known = await findQuickProxy(ctx, id)
  if (!known) throw notFound('The content')
  const { state, frames, frame_rate, progress } = known
  if (state === 'failed') return { ...nothing, message: failed }
  const { url, expires_at } = await signPlayAddress(ctx, actor, { id, path: 'playback.m3u8' })
  return {
    ...nothing,
    ...{ kind: state === 'ready' ? 'proxy' : 'making', format: 'list', url, expires_at },
    ...{ seconds: media.duration, frames, frame_rate, progress },
    starts_in_seconds: known.segments > 0 ? null : await guessStart(ctx, id),
  }
}

type Clip = Awaited<ReturnType<typeof findClip>>

async function findClip(ctx: Context, accountId: string, id: string) {
  const row = await ctx.db
    .selectFrom('content')
    .select(['id', 'media', 'storage_key', 'sha256'])
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!row) throw notFound('The content')
  const sha256 = row.sha256?.toString('hex') ?? null
  return { id, media: row.media, sha256, isStored: row.storage_key !== null }
}

/**
 * Finds the review proxy of the latest finished analysis of the whole clip; null if there is none.
 */
async function findReviewProxy(
  ctx: Context,
  actor: Member,
  { id, sha256, media }: Clip,
): Promise<Playback | null> {
  const { rows } = await sql<{ jobId: string; name: string; frames: number; rate: string }>`
    select j.id as "jobId", f.name, (r.findings -> 'proxy' ->> 'frames')::int as frames,
      r.findings -> 'proxy' ->> 'frame_rate' as rate
    from jobs j
    join job_extractors e on e.job_id = j.id
    join job_results r on r.id = e.result_id
    join job_result_files f on f.result_id = r.id and f.name = r.findings -> 'proxy' ->> 'file'
    where j.account_id = ${actor.accountId} and (j.content_id = ${id} or j.content_sha256 = ${sha256})
      and j.finished_at is not null and e.extractor = 'thumbnail'
      and e.status in ('done', 'reused') and not j.options ?| array['in', 'out']
    order by j.seq desc limit 1`.execute(ctx.db)
  const row = rows[0]
  if (!row) return null
  const { ticket, expiresAt } = await issueTicket(ctx, actor, {
    ...{ scope: 'job-files', objectId: row.jobId, lifeSeconds: ticketSeconds },
  })
  return {
    ...nothing,
    ...{ kind: 'proxy', frames: row.frames, frame_rate: row.rate, progress: 1 },
    seconds: media?.duration ?? 0,
    url: `${ctx.config.publicUrl}/v1/jobs/${row.jobId}/files/${row.name}?ticket=${ticket}`,
    expires_at: expiresAt.toISOString(),
  }
}

const ticketSeconds = 4 * 3600

export const getPlaybackList: Verb<'getPlaybackList'> = async (ctx, actor, input, { reply }) => {
  const { id } = await findClip(ctx, actor.accountId, input.params.id)
  const known = await findQuickProxy(ctx, id)
  if (!known || known.state === 'failed') throw notFound('The preview')
  await touchQuickProxy(ctx, id)
  const [, ...segments] = await listSegments(ctx, id)
  const address = (position: number): string => {
    const { ticket } = input.query
    return `playback/${position}${ticket === undefined ? '' : `?ticket=${ticket}`}`
  }
  const longest = Math.max(4, ...segments.map(({ seconds }) => Math.ceil(seconds)))
  const lines = [
    ...['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-PLAYLIST-TYPE:EVENT', '#EXT-X-MEDIA-SEQUENCE:1'],
    `#EXT-X-TARGETDURATION:${longest}`,
    ...(segments.length > 0 ? [`#EXT-X-MAP:URI="${address(0)}"`] : []),
    ...segments.flatMap(({ position, seconds }) => [
      `#EXTINF:${seconds.toFixed(6)},`,
      address(position),
    ]),
    ...(known.state === 'ready' ? ['#EXT-X-ENDLIST'] : []),
  ]
  await reply
    .headers({
      'content-type': 'application/vnd.apple.mpegurl',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-site',
    })
    .send(`${lines.join('\n')}\n`)
}

export const getPlaybackFragment: Verb<'getPlaybackFragment'> = async (
  ctx,
  actor,
  { params },
  exchange,
) => {
  const { id } = await findClip(ctx, actor.accountId, params.id)
  const segments = await listSegments(ctx, id)
  const segment = segments.find(({ position }) => position === params.position)
  if (!segment) throw notFound('The fragment')
  await sendObject(ctx, exchange, {
    key: segment.storage_key,
    sizeBytes: segment.bytes,
    etag: segment.storage_key,
    headers: {
      'content-type': 'video/mp4',
      'content-disposition': 'inline',
      'cache-control': 'private, max-age=14400',
      'cross-origin-resource-policy': 'same-site',
    },
  })
}
