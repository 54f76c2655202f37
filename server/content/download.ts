/**
 * Sends an upload, to keep or to play, and its still. A browser's new tab and its player bring a
 * ticket instead of a token.
 */
import type { Member } from '../ground/actor.ts'
import type { Media } from '../../domain/findings/findings.ts'
import type { Context } from '../ground/context.ts'
import { issueTicket } from '../ground/ticket.ts'
import type { Verb } from '../ground/verb.ts'
import { notFound } from '../ground/refusal.ts'
import { attachment } from './file-name.ts'
import { touchContent } from './open.ts'
import { readObject, sendObject } from './send-object.ts'

const ticketSeconds = 60
/** As long as somebody may sit before one clip without reloading the page. */
const playSeconds = 4 * 3600

export const createDownloadTicket: Verb<'createDownloadTicket'> = async (ctx, actor, { params }) =>
  signAddress(ctx, actor, {
    ...{ id: params.id, scope: 'download', path: 'download', lifeSeconds: ticketSeconds },
  })

export const createPlayTicket: Verb<'createPlayTicket'> = async (ctx, actor, { params }) =>
  signPlayAddress(ctx, actor, { id: params.id, path: 'play' })

/** Signs an address that plays the file or its proxy. */
export async function signPlayAddress(
  ctx: Context,
  actor: Member,
  { id, path }: { id: string; path: 'play' | 'playback.m3u8' },
): Promise<{ url: string; expires_at: string }> {
  return signAddress(ctx, actor, { id, scope: 'play', path, lifeSeconds: playSeconds })
}

async function signAddress(
  ctx: Context,
  actor: Member,
  wanted: { id: string; scope: 'download' | 'play'; path: string; lifeSeconds: number },
): Promise<{ url: string; expires_at: string }> {
  const { id } = await findUpload(ctx, actor, wanted.id)
  const { scope, path, lifeSeconds } = wanted
  const { ticket, expiresAt } = await issueTicket(ctx, actor, { scope, objectId: id, lifeSeconds })
  const url = `${ctx.config.publicUrl}/v1/content/${id}/${path}?ticket=${ticket}`
  return { url, expires_at: expiresAt.toISOString() }
}

export const downloadContent: Verb<'downloadContent'> = async (
  ctx,
  actor,
  { params },
  exchange,
) => {
  const upload = await findUpload(ctx, actor, params.id)
  await touchContent(ctx, upload.id)
  const disposition = attachment(upload.file_name)
  // A tab can follow a redirect to the store; a program that sent a token should not be sent on.
  const elsewhere =
    actor.kind === 'ticket'
      ? await ctx.storage.downloadAddress(upload.key, { disposition, lifeSeconds: ticketSeconds })
      : null
  if (elsewhere !== null) {
    await exchange.reply.header('cache-control', 'no-store').redirect(elsewhere, 302)
    return
  }
  await sendObject(ctx, exchange, {
    key: upload.key,
    sizeBytes: upload.sizeBytes,
    etag: upload.sha256.toString('hex'),
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': disposition,
      'cache-control': 'private, no-store',
    },
  })
}

export const playContent: Verb<'playContent'> = async (ctx, actor, { params }, exchange) => {
  const upload = await findUpload(ctx, actor, params.id)
  await touchContent(ctx, upload.id)
  await sendObject(ctx, exchange, {
    key: upload.key,
    sizeBytes: upload.sizeBytes,
    etag: upload.sha256.toString('hex'),
    headers: {
      'content-type': playedType(upload),
      'content-disposition': 'inline',
      'cache-control': 'private, max-age=14400',
      'cross-origin-resource-policy': 'same-site',
    },
  })
}

/** As the upload said; else by the probe. Nothing else than media is ever shown as a page. */
function playedType({ mime_type: claimed, media }: Upload): string {
  if (claimed && /^(video|audio)\/[\w.+-]+$/.test(claimed)) return claimed
  const container = media?.container?.split(',')[0] ?? ''
  return typesOfContainers[container] ?? 'application/octet-stream'
}

const typesOfContainers: Record<string, string> = {
  mov: 'video/mp4',
  matroska: 'video/webm',
  ogg: 'audio/ogg',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
}

export const getContentThumbnail: Verb<'getContentThumbnail'> = async (
  ctx,
  actor,
  { params },
  { reply },
) => {
  const row = await ctx.db
    .selectFrom('content')
    .select('thumbnail_key')
    .where('id', '=', params.id)
    .where('account_id', '=', actor.accountId)
    .executeTakeFirst()
  if (!row?.thumbnail_key) throw notFound('The thumbnail')
  const body = await readObject(ctx, row.thumbnail_key)
  await reply
    .headers({
      'content-type': 'image/jpeg',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=43200, immutable',
    })
    .send(body)
}

interface Upload {
  id: string
  file_name: string
  mime_type: string | null
  media: Media | null
  key: string
  sizeBytes: number
  sha256: Buffer
}

async function findUpload(ctx: Context, actor: { accountId: string }, id: string): Promise<Upload> {
  const row = await ctx.db
    .selectFrom('content')
    .select(['id', 'file_name', 'mime_type', 'media', 'storage_key', 'file_size', 'sha256'])
    .where('id', '=', id)
    .where('account_id', '=', actor.accountId)
    .where('content_type', '=', 'upload')
    .executeTakeFirst()
  if (!row || row.storage_key === null || row.file_size === null || row.sha256 === null) {
    throw notFound('The file')
  }
  const { storage_key: key, file_size: sizeBytes, sha256, ...named } = row
  return { ...named, key, sizeBytes, sha256 }
}
