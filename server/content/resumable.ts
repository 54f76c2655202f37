/**
 * Resumable uploads: tus 1.0 by @tus/server on the contract's routes. When the last byte is there
 * the parts are joined on the same way into the library as a plain upload; a process that dies over
 * it leaves an upload that the next HEAD finishes.
 */
import { MemoryLocker, Server } from '@tus/server'
import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Transaction } from 'kysely'
import { refusalStatus } from '../../contract/refusal.ts'
import type { RefusalCode } from '../../contract/refusal.ts'
import type { Member } from '../actor.ts'
import type { Context } from '../process/context.ts'
import type { Tables } from '../db/tables.ts'
import type { Exchange, Verb } from '../verb.ts'
import { notFound, Refusal } from '../refusal.ts'
import { receiveFile, tooLarge } from './receive.ts'
import type { Received } from './receive.ts'
import type { Room } from './reserve-room.ts'
import { findResumable, removeParts, removeResumable, ResumableStore } from './resumable-store.ts'
import type { ResumableRow } from './resumable-store.ts'
import { storeUpload } from './store-upload.ts'

export const createResumableUpload: Verb<'createResumableUpload'> = (
  ctx,
  actor,
  _input,
  exchange,
) => {
  return speakTus(ctx, actor, exchange)
}

export const continueResumableUpload: Verb<'continueResumableUpload'> = (
  ctx,
  actor,
  _input,
  exchange,
) => {
  return speakTus(ctx, actor, exchange)
}

export const getResumableUpload: Verb<'getResumableUpload'> = async (
  ctx,
  actor,
  { params },
  exchange,
) => {
  const row = await findResumable(ctx, actor.accountId, params.id)
  const isWhole = row.offset_bytes === row.size_bytes
  let contentId = row.content_id
  // A client that finds all bytes there asks for nothing more, so this is the time to finish.
  if (isWhole && row.content_id === null) {
    try {
      contentId = await finish(ctx, actor, row.id)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'in_flight') throw error
      // The protocol's word for "ask again later"; every other 4xx makes clients start again.
      await exchange.reply.status(423).headers({ 'retry-after': '2' }).send('')
      return
    }
  }
  // Of an item that was deleted since, nothing is left to go on with.
  if (contentId && !(await isInLibrary(ctx, actor.accountId, contentId))) {
    await removeResumable(ctx, row)
    throw notFound('The upload')
  }
  // Whoever lost the answer to the last piece learns here what became of it.
  if (contentId) exchange.reply.header('content-location', itemUrl(ctx, contentId))
  await speakTus(ctx, actor, exchange)
}

export const cancelResumableUpload: Verb<'cancelResumableUpload'> = (
  ctx,
  actor,
  _input,
  exchange,
) => {
  return speakTus(ctx, actor, exchange)
}

/** One upload is written by one request at a time in this process; the store guards the rest. */
const locker = new MemoryLocker()
const path = '/v1/content/resumable'

async function speakTus(ctx: Context, actor: Member, { request, reply }: Exchange): Promise<void> {
  const failure: { error: unknown } = { error: null }
  // The store reads the connection itself: the bytes on their way through the library's streams cost
  // more than receiving them. The library sees an empty body that ends when the store is done.
  let end = (): void => undefined
  const empty = new ReadableStream({
    start(controller) {
      end = () => {
        end = () => undefined
        controller.close()
      }
    },
  })
  const tus = new Server({
    path,
    datastore: new ResumableStore(ctx, actor.accountId, { request: request.raw, end: () => end() }),
    locker,
    maxSize: ctx.config.limits.maxUploadBytes,
    namingFunction: () => randomUUID(),
    generateUrl: (_request, { id }) => `${ctx.config.publicUrl}${path}/${id}`,
    onUploadFinish: async (_request, upload) => {
      const contentId = await finish(ctx, actor, upload.id)
      return { headers: { 'Content-Location': itemUrl(ctx, contentId) } }
    },
    onResponseError: (_request, error) => {
      failure.error = error
      return undefined
    },
  })
  const hasBody = request.method === 'POST' || request.method === 'PATCH'
  const answer = await tus.handleWeb(
    new Request(`${ctx.config.publicUrl}${request.url}`, {
      method: request.method,
      headers: headersOf(request.headers),
      ...(hasBody ? { body: empty, duplex: 'half' } : {}),
    }),
  )
  reply.header('tus-resumable', '1.0.0')
  // The library does not say how large a file may be.
  const isOurs = failure.error instanceof Refusal
  if (answer.status === 413 && request.method === 'POST' && !isOurs) {
    throw tooLarge(ctx.config.limits.maxUploadBytes)
  }
  if (answer.status >= 400) throw refusalOf(answer.status, await answer.text(), failure.error)
  for (const [name, value] of answer.headers) {
    if (!name.startsWith('access-control-')) reply.header(name, value)
  }
  await reply.status(answer.status).send(answer.status === 204 ? undefined : '')
}

function itemUrl(ctx: Context, contentId: string): string {
  return `${ctx.config.publicUrl}/v1/content/${contentId}`
}

const finishMs = 30 * 60_000

/** Joins the parts into a library item, once; returns the item's id. */
async function finish(ctx: Context, actor: Member, id: string): Promise<string> {
  const row = await claimFinish(ctx, actor.accountId, id)
  if (row.content_id !== null) return row.content_id
  try {
    const room: Room = { settle: (trx, contentId) => settle(trx, id, contentId) }
    const incoming = {
      actor,
      fileName: row.file_name,
      mimeType: row.mime_type,
      projectId: row.project_id,
      room,
    }
    const item = await storeUpload(ctx, incoming, (path) => joinParts(ctx, row, path))
    await removeParts(ctx, id)
    return item.id
  } catch (error) {
    // What the user was told will not get better by another try; a fault of ours may.
    const isOurs = !(error instanceof Refusal) || refusalStatus[error.code] >= 500
    if (!isOurs) await removeResumable(ctx, row)
    else {
      await ctx.db
        .updateTable('content_resumables')
        .set({ finishing_until: null })
        .where('id', '=', id)
        .execute()
    }
    throw error
  }
}

async function isInLibrary(ctx: Context, accountId: string, id: string): Promise<boolean> {
  const item = await ctx.db
    .selectFrom('content')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return item !== undefined
}

/** From here on the item is the one that takes the room. */
async function settle(trx: Transaction<Tables>, id: string, contentId: string): Promise<void> {
  await trx
    .updateTable('content_resumables')
    .set({ content_id: contentId, finishing_until: null })
    .where('id', '=', id)
    .execute()
}

async function claimFinish(ctx: Context, accountId: string, id: string): Promise<ResumableRow> {
  const now = ctx.now()
  const claimed = await ctx.db
    .updateTable('content_resumables')
    .set({ finishing_until: new Date(now.getTime() + finishMs) })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('content_id', 'is', null)
    .whereRef('offset_bytes', '=', 'size_bytes')
    .where((eb) => eb.or([eb('finishing_until', 'is', null), eb('finishing_until', '<', now)]))
    .returningAll()
    .executeTakeFirst()
  if (claimed) return claimed
  const row = await findResumable(ctx, accountId, id)
  if (row.content_id !== null) return row
  throw new Refusal('in_flight', 'The upload is being finished. Please ask again in a moment.', {
    retryAfterSeconds: 2,
  })
}

/** One file of all pieces. Their hash is known where this process received all of them. */
async function joinParts(ctx: Context, row: ResumableRow, path: string): Promise<Received> {
  const keys = await orderedParts(ctx, row)
  const hash = ctx.uploads.hashes.at(row.id, row.size_bytes)
  if (!hash) {
    const limits = { maxBytes: row.size_bytes, reserveBytes: ctx.config.diskReserveBytes }
    return receiveFile(bytesOf(ctx, keys), path, limits)
  }
  await ctx.storage.keepReserve(row.size_bytes)
  const file = await open(path, 'wx')
  try {
    for (const key of keys) await ctx.storage.appendTo(file, key)
    const { size } = await file.stat()
    if (size !== row.size_bytes) throw new Error('The pieces of the upload are not whole.')
  } finally {
    await file.close()
  }
  return { sizeBytes: row.size_bytes, sha256: hash.digest() }
}

async function* bytesOf(ctx: Context, keys: readonly string[]): AsyncIterable<Buffer> {
  for (const key of keys) {
    for await (const chunk of await ctx.storage.read(key)) yield chunk as Buffer
  }
}

async function orderedParts(ctx: Context, row: ResumableRow): Promise<string[]> {
  const parts = await ctx.db
    .selectFrom('content_parts')
    .select(['storage_key', 'offset_bytes', 'size_bytes'])
    .where('resumable_id', '=', row.id)
    .orderBy('offset_bytes')
    .execute()
  let offset = 0
  for (const part of parts) {
    if (part.offset_bytes !== offset) throw new Error('A part of the upload is missing.')
    offset += part.size_bytes
  }
  if (offset !== row.size_bytes) throw new Error('The parts of the upload are not whole.')
  return parts.map((part) => part.storage_key)
}

/** The library's own refusals in the words and the shape of every other error. */
function refusalOf(status: number, text: string, error: unknown): unknown {
  if (error instanceof Refusal) return error
  const codes: Record<number, RefusalCode> = {
    400: 'malformed',
    403: 'malformed',
    404: 'not_found',
    409: 'conflict',
    410: 'gone',
    412: 'precondition_failed',
    413: 'too_large',
    415: 'unsupported_type',
    501: 'malformed',
  }
  const code = codes[status]
  if (!code) return error ?? new Error(`tus answered ${status}`)
  const sentence = text.trim().replace(/\.?$/, '.')
  return new Refusal(code, sentence.charAt(0).toUpperCase() + sentence.slice(1))
}

function headersOf(fields: NodeJS.Dict<string | string[]>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(fields)) {
    // Hop-by-hop headers mean this connection, not the request that the library sees.
    if (value === undefined || ['connection', 'expect', 'transfer-encoding'].includes(name))
      continue
    headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  return headers
}
