/**
 * Resumable uploads: tus 1.0 by @tus/server on the contract's routes. When the last byte is there
 * the upload becomes an item of the library (`finish-resumable.ts`). The request with that byte
 * waits a while for the item; one that cannot wait longer is answered without it, and the next
 * empty PATCH or HEAD names the item.
 */
import { ERRORS, MemoryLocker, Server } from '@tus/server'
import { randomUUID } from 'node:crypto'
import type { RefusalCode } from '../../contract/refusal.ts'
import type { Member } from '../ground/actor.ts'
import type { Context } from '../ground/context.ts'
import type { Exchange, Verb } from '../ground/verb.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import { finishInTime, retellFinish } from './finish-resumable.ts'
import { tooLarge } from './receive.ts'
import { findResumable, removeResumable } from './resumable-rows.ts'
import { ResumableStore } from './resumable-store.ts'

export const createResumableUpload: Verb<'createResumableUpload'> = (ctx, actor, _, exchange) =>
  speakTus(ctx, actor, exchange)

export const continueResumableUpload: Verb<'continueResumableUpload'> = async (
  ctx,
  actor,
  { params },
  exchange,
) => {
  // Answers what became of an upload whose last request could not wait for it.
  await retellFinish(ctx, actor, params.id)
  await speakTus(ctx, actor, exchange)
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
    contentId = await finishInTime(ctx, actor, row.id, { waitsForOthers: false })
    if (contentId === null) {
      // The protocol's word for "ask again later"; every other 4xx makes clients start again.
      throw held('The pieces of the upload are being joined.')
    }
  }
  // If the item was deleted since, the upload cannot be continued.
  if (contentId && !(await isInLibrary(ctx, actor.accountId, contentId))) {
    await removeResumable(ctx, row)
    throw notFound('The upload')
  }
  // Whoever lost the answer to the last piece learns here what became of it.
  if (contentId) exchange.reply.header('content-location', itemUrl(ctx, contentId))
  await speakTus(ctx, actor, exchange)
}

export const cancelResumableUpload: Verb<'cancelResumableUpload'> = (ctx, actor, _, exchange) =>
  speakTus(ctx, actor, exchange)

/** One upload is written by one request at a time in this process; the store guards the rest. */
const locker = new MemoryLocker()
const path = '/v1/content/resumable'

async function speakTus(ctx: Context, actor: Member, { request, reply }: Exchange): Promise<void> {
  const failure: { error: unknown } = { error: null }
  // The store reads the connection itself: the bytes on their way through the library's streams
  // cost more than receiving them. The library sees an empty body that ends when the store is done.
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
      const contentId = await finishInTime(ctx, actor, upload.id)
      return contentId ? { headers: { 'Content-Location': itemUrl(ctx, contentId) } } : {}
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

async function isInLibrary(ctx: Context, accountId: string, id: string): Promise<boolean> {
  const item = await ctx.db
    .selectFrom('content')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return item !== undefined
}

function held(reason: string): Refusal {
  return new Refusal('locked', `${reason} Retry in 2 s.`, { retryAfterSeconds: 2 })
}

/** The library's own refusals in the words and the shape of every other error. */
function refusalOf(status: number, text: string, error: unknown): unknown {
  if (error instanceof Refusal) return error
  if (error === ERRORS.ERR_LOCK_TIMEOUT) return held('Another request holds the upload.')
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
