/**
 * Where resumable uploads lie while they grow. In a directory each PATCH leaves one part, an object
 * of its own; S3 takes the bytes as a multipart upload (`grow-object.ts`). Either way the row's
 * offset moves by compare-and-set: any process on any machine can take the next PATCH, and of two
 * that write at the same offset one wins. A broken connection keeps the bytes that arrived.
 */
import { DataStore, Upload } from '@tus/server'
import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Transaction } from 'kysely'
import type { Place } from '../../contract/footage/content.ts'
import { Id } from '../../domain/fields.ts'
import type { Context } from '../ground/context.ts'
import { requirePlace } from '../projects/place.ts'
import { lockAccount } from '../accounts/lock-account.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import { cleanFileName } from '../content/file-name.ts'
import { growObject } from './grow-object.ts'
import { dropObjects, listObjects } from '../storage/unowned-objects.ts'
import { receiveFile, refuseFullDisk } from './receive.ts'
import { refuseBeyondQuota } from './reserve-room.ts'
import { addPart, findResumable, removeResumable } from './resumable-rows.ts'
import type { ResumableRow } from './resumable-rows.ts'
import { objectKey } from './store-upload.ts'
import { uploadsOf } from './state.ts'
import { refuseFull } from '../db/refuse-full.ts'

/** A request whose bytes the store reads itself; `end` says that it is done with them. */
export interface HeldBody {
  request: IncomingMessage
  end(): void
}

export const resumableLifeMs = 3 * 24 * 3_600_000
const maxOpenUploads = 200

export class ResumableStore extends DataStore {
  #ctx: Context
  #accountId: string
  #body: HeldBody

  constructor(ctx: Context, accountId: string, body: HeldBody) {
    super()
    this.#ctx = ctx
    this.#accountId = accountId
    this.#body = body
    this.extensions = ['creation', 'creation-with-upload', 'expiration', 'termination']
  }

  override getExpiration(): number {
    return resumableLifeMs
  }

  override async create(upload: Upload): Promise<Upload> {
    const sizeBytes = upload.size ?? 0
    if (sizeBytes <= 0) throw new Refusal('invalid', 'The file is empty.')
    await refuseFullDisk(this.#ctx, sizeBytes)
    const { multiparts } = this.#ctx.storage
    const accountId = this.#accountId
    const now = this.#ctx.now()
    const mimeType = upload.metadata?.filetype ?? ''
    const place = placeOf(upload)
    await this.#ctx.db.transaction().execute(async (trx) => {
      await requirePlace(trx, accountId, place)
      await lockAccount(trx, accountId)
      await refuseTooMany(trx, accountId)
      await refuseBeyondQuota(this.#ctx, trx, { accountId, moreBytes: sizeBytes })
      await trx
        .insertInto('content_resumables')
        .values({
          id: upload.id,
          account_id: accountId,
          ...place,
          file_name: cleanFileName(upload.metadata?.filename, 'untitled'),
          mime_type: /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(mimeType) ? mimeType : null,
          size_bytes: sizeBytes,
          created_at: now,
          expires_at: new Date(now.getTime() + resumableLifeMs),
          finishing_until: null,
          content_id: null,
          storage_key: multiparts ? objectKey(randomUUID()) : null,
          multipart_id: null,
        })
        .execute()
    })
    upload.creation_date = now.toISOString()
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    await uploadsOf(this.#ctx).writes.get(id)
    const row = await findResumable(this.#ctx, this.#accountId, id)
    return new Upload({
      id,
      size: row.size_bytes,
      offset: row.offset_bytes,
      metadata: { filename: row.file_name, filetype: row.mime_type },
      creation_date: row.created_at.toISOString(),
    })
  }

  /** `stream` only says when to stop: it ends as soon as another request wants the upload. */
  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const chunks = chunksUntil(stream, this.#body)
    const writing = this.#keep(id, offset, chunks)
    const settled = writing.catch(() => undefined)
    const { writes } = uploadsOf(this.#ctx)
    writes.set(id, settled)
    try {
      return offset + (await writing)
    } finally {
      if (writes.get(id) === settled) writes.delete(id)
    }
  }

  async #keep(id: string, offset: number, chunks: AsyncIterable<Buffer>): Promise<number> {
    const ctx = this.#ctx
    const row = await findResumable(ctx, this.#accountId, id)
    const { multiparts } = ctx.storage
    // One that began before the store's own way was used goes on as it began.
    return multiparts && row.storage_key !== null
      ? growObject(ctx, { row, offset, multiparts }, chunks)
      : writePart(ctx, row, offset, chunks)
  }

  override async remove(id: string): Promise<void> {
    await removeResumable(this.#ctx, await findResumable(this.#ctx, this.#accountId, id))
  }
}

/** Returns how many bytes arrived and were kept. */
async function writePart(
  ctx: Context,
  row: ResumableRow,
  offset: number,
  chunks: AsyncIterable<Buffer>,
): Promise<number> {
  const { id } = row
  const hash = uploadsOf(ctx).hashes.at(id, offset)
  const key = `resumable/${id}-${offset}-${randomBytes(4).toString('hex')}`
  await listObjects(ctx, [key])
  const stage = await ctx.storage.stage(key)
  try {
    const maxBytes = row.size_bytes - offset
    const limits = { maxBytes, reserveBytes: ctx.config.diskReserveBytes }
    const { sizeBytes } = await receiveFile(chunks, stage.path, limits, hash ?? undefined)
    if (sizeBytes === 0) {
      await stage.discard()
      await dropObjects(ctx, [key])
      return 0
    }
    await stage.commit()
    await addPart(ctx, { id, offset }, { key, sizeBytes })
    if (hash) uploadsOf(ctx).hashes.keep(id, offset + sizeBytes, hash)
    return sizeBytes
  } catch (error) {
    await stage.discard()
    await dropObjects(ctx, [key])
    throw error
  }
}

function refuseTooMany(trx: Transaction<Tables>, accountId: string): Promise<void> {
  const open = trx
    .selectFrom('content_resumables')
    .where('account_id', '=', accountId)
    .where('content_id', 'is', null)
  const sentence = 'Too many uploads are under way. Please finish or cancel some.'
  return refuseFull(open, maxOpenUploads, sentence)
}

/**
 * The bytes of a request until it ends, breaks, or `stream` ends. Bytes before a broken
 * connection are kept, so that the client goes on from there.
 */
async function* chunksUntil(stream: Readable, held: HeldBody): AsyncIterable<Buffer> {
  const body = held.request
  let isOver = false
  let wake = (): void => undefined
  const look = (): void => wake()
  const end = (): void => {
    isOver = true
    wake()
  }
  stream.resume().once('close', end).once('end', end)
  body.on('readable', look).once('end', end).once('close', end).once('error', end)
  try {
    for (;;) {
      const chunk = body.read() as Buffer | null
      if (chunk) yield chunk
      // One of them may have ended before anybody listened.
      else if (isOver || body.destroyed || body.readableEnded || stream.destroyed) return
      else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  } finally {
    body.off('readable', look)
    held.end()
  }
}

function placeOf({ metadata }: Upload): Place {
  const idOf = (field: 'project_id' | 'bin_id', name: string): string | null => {
    const text = metadata?.[field]
    if (!text) return null
    const id = Id.safeParse(text)
    if (!id.success) throw notFound(name)
    return id.data
  }
  return { project_id: idOf('project_id', 'The project'), bin_id: idOf('bin_id', 'The bin') }
}
