/** Sends an upload and its still. A browser's new tab brings a ticket instead of a token. */
import type { Context } from '../ground/context.ts'
import { issueTicket } from '../ground/ticket.ts'
import type { Verb } from '../ground/verb.ts'
import { notFound } from '../ground/refusal.ts'
import { attachment } from './file-name.ts'
import { touchContent } from './open.ts'
import { readObject, sendObject } from './send-object.ts'

const ticketSeconds = 60

export const createDownloadTicket: Verb<'createDownloadTicket'> = async (
  ctx,
  actor,
  { params },
) => {
  const { id } = await findUpload(ctx, actor, params.id)
  const { ticket, expiresAt } = await issueTicket(ctx, actor, {
    scope: 'download',
    objectId: id,
    lifeSeconds: ticketSeconds,
  })
  const url = `${ctx.config.publicUrl}/v1/content/${id}/download?ticket=${ticket}`
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

async function findUpload(
  ctx: Context,
  actor: { accountId: string },
  id: string,
): Promise<{ id: string; file_name: string; key: string; sizeBytes: number; sha256: Buffer }> {
  const row = await ctx.db
    .selectFrom('content')
    .select(['id', 'file_name', 'storage_key', 'file_size', 'sha256'])
    .where('id', '=', id)
    .where('account_id', '=', actor.accountId)
    .where('content_type', '=', 'upload')
    .executeTakeFirst()
  if (!row || row.storage_key === null || row.file_size === null || row.sha256 === null) {
    throw notFound('The file')
  }
  const { file_name, storage_key: key, file_size: sizeBytes, sha256 } = row
  return { id: row.id, file_name, key, sizeBytes, sha256 }
}
