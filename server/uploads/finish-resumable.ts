/**
 * An upload whose last byte is there becomes an item of the library, once. One process at a time
 * has the lease (`finishing_until`) and renews it; when it dies, the next request for the upload or
 * the sweep takes over. The work does not end with the request that began it.
 *
 *   directory  the parts are joined into one file, which is stored as a plain upload is
 *   S3         the store makes the object of its parts; it is read once, for the look at it
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import type { ContentItem } from '../../contract/footage/content.ts'
import { refusalStatus } from '../../contract/refusal.ts'
import type { Member } from '../ground/actor.ts'
import { actFor } from '../ground/actor.ts'
import type { Tables } from '../ground/generated-tables.ts'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'
import type { Multiparts } from '../ground/storage.ts'
import { completeObject } from './grow-object.ts'
import { receiveFile } from './receive.ts'
import { storageFault } from '../storage/storage-fault.ts'
import type { Received } from './receive.ts'
import { checkWhole, findResumable, removeParts, removeResumable } from './resumable-rows.ts'
import type { ResumableRow } from './resumable-rows.ts'
import { refuseDuplicate, storeObject, storeUpload } from './store-upload.ts'
import type { Incoming } from './store-upload.ts'
import { uploadsOf } from './state.ts'

const leaseMs = 60_000
const renewMs = 20_000
const askMs = 500
/** How long a refusal is stored for a client that was answered before it. */
const retellMs = 10 * 60_000
const maxFinishedAtOnce = 20

/**
 * The item's id; null where it takes longer than a request may. One that another process makes is
 * waited for too, unless `waitsForOthers` is false.
 */
export async function finishInTime(
  ctx: Context,
  actor: Member,
  id: string,
  { waitsForOthers = true }: { waitsForOthers?: boolean } = {},
): Promise<string | null> {
  const { finishing, maxFinishWaitMs } = uploadsOf(ctx)
  const name = `${actor.accountId} ${id}`
  let work = finishing.get(name)
  if (!work) {
    work = finish(ctx, actor, id)
    finishing.set(name, work)
  }
  const over = new AbortController()
  const late = pause(maxFinishWaitMs, null, { signal: over.signal, ref: false })
  late.catch(() => undefined)
  try {
    const contentId = await Promise.race([work, late])
    if (contentId === null) forgetLater(ctx, name, work)
    else finishing.delete(name)
    return contentId
  } catch (error) {
    finishing.delete(name)
    if (!(error instanceof Refusal) || error.code !== 'in_flight') throw error
    return waitsForOthers ? await askForItem(ctx, actor.accountId, id) : null
  } finally {
    over.abort()
  }
}

async function askForItem(ctx: Context, accountId: string, id: string): Promise<string | null> {
  const untilMs = Date.now() + uploadsOf(ctx).maxFinishWaitMs
  while (Date.now() < untilMs) {
    await pause(askMs)
    const { content_id } = await findResumable(ctx, accountId, id)
    if (content_id !== null) return content_id
  }
  return null
}

function forgetLater(ctx: Context, name: string, work: Promise<string>): void {
  const forget = (): void => {
    if (uploadsOf(ctx).finishing.get(name) === work) uploadsOf(ctx).finishing.delete(name)
  }
  work.then(forget, (error: unknown) => {
    ctx.log.info({ err: error }, 'upload refused after its last answer')
    setTimeout(forget, retellMs).unref()
  })
}

/** Throws what an upload was refused for after its client had been answered. */
export async function retellFinish(ctx: Context, actor: Member, id: string): Promise<void> {
  if (uploadsOf(ctx).finishing.has(`${actor.accountId} ${id}`)) await finishInTime(ctx, actor, id)
}

/** Finishes uploads whose process died and whose client asks no more. */
export async function finishAbandoned(ctx: Context): Promise<number> {
  const now = ctx.now()
  const rows = await ctx.db
    .selectFrom('content_resumables')
    .select(['id', 'account_id'])
    .where('content_id', 'is', null)
    .whereRef('offset_bytes', '=', 'size_bytes')
    .where('expires_at', '>', now)
    .where((eb) => eb.or([eb('finishing_until', 'is', null), eb('finishing_until', '<', now)]))
    .orderBy('created_at')
    .limit(maxFinishedAtOnce)
    .execute()
  for (const { id, account_id } of rows) {
    await finish(ctx, actFor(account_id), id).catch((error: unknown) => {
      ctx.log.warn({ err: error, uploadId: id }, 'abandoned upload not finished')
    })
  }
  return rows.length
}

/** Makes the item, once; returns its id. */
async function finish(ctx: Context, actor: Member, id: string): Promise<string> {
  const row = await claimFinish(ctx, actor.accountId, id)
  if (row.content_id !== null) return row.content_id
  const renewing = setInterval(() => void renewLease(ctx, id), renewMs).unref()
  try {
    const incoming: Incoming = {
      actor,
      fileName: row.file_name,
      mimeType: row.mime_type,
      place: row,
      room: { settle: (trx, contentId) => settle(trx, id, contentId) },
    }
    const { multiparts } = ctx.storage
    const item =
      multiparts && row.storage_key !== null
        ? await storeGrown(ctx, incoming, { row, key: row.storage_key, multiparts })
        : await storeUpload(ctx, incoming, (path) => joinParts(ctx, row, path))
    await removeParts(ctx, id)
    return item.id
  } catch (error) {
    return await giveUp(ctx, actor.accountId, id, error)
  } finally {
    clearInterval(renewing)
  }
}

/** Returns the item of another process if that one was faster. */
async function giveUp(
  ctx: Context,
  accountId: string,
  id: string,
  error: unknown,
): Promise<string> {
  const { content_id } = await findResumable(ctx, accountId, id)
  if (content_id !== null) return content_id
  // Another try does not help a refused file, but it may get past our own fault.
  const isOurs = !(error instanceof Refusal) || refusalStatus[error.code] >= 500
  if (!isOurs) await removeResumable(ctx, { id })
  else {
    await ctx.db
      .updateTable('content_resumables')
      .set({ finishing_until: null })
      .where('id', '=', id)
      .execute()
  }
  throw error
}

async function renewLease(ctx: Context, id: string): Promise<void> {
  await ctx.db
    .updateTable('content_resumables')
    .set({ finishing_until: new Date(ctx.now().getTime() + leaseMs) })
    .where('id', '=', id)
    .where('content_id', 'is', null)
    .execute()
    .catch((error: unknown) => ctx.log.warn({ err: error, uploadId: id }, 'lease not renewed'))
}

/** From here on the item is the one that takes the room, and owns the object. */
async function settle(trx: Transaction<Tables>, id: string, contentId: string): Promise<void> {
  const settled = await trx
    .updateTable('content_resumables')
    .set({ content_id: contentId, finishing_until: null, storage_key: null })
    .where('id', '=', id)
    .where('content_id', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!settled) throw new Error('The upload was finished by another process, or is gone.')
}

async function claimFinish(ctx: Context, accountId: string, id: string): Promise<ResumableRow> {
  const now = ctx.now()
  const claimed = await ctx.db
    .updateTable('content_resumables')
    .set({ finishing_until: new Date(now.getTime() + leaseMs) })
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
  throw new Refusal('in_flight', 'Still processing; retry in 1 s.', {
    retryAfterSeconds: 2,
  })
}

/** The object lies in the store; the look at it needs a file on this machine. */
async function storeGrown(
  ctx: Context,
  incoming: Incoming,
  grown: { row: ResumableRow; key: string; multiparts: Multiparts },
): Promise<ContentItem> {
  const { row, key, multiparts } = grown
  const { accountId } = incoming.actor
  const known = uploadsOf(ctx).hashes.at(row.id, row.size_bytes)?.digest()
  if (known) await refuseDuplicate(ctx, accountId, known)
  try {
    await ctx.storage.keepReserve(row.size_bytes)
    await completeObject(ctx, row, multiparts)
    const file = await ctx.storage.localFile(key)
    try {
      const sha256 = known ?? (await hashFile(file.path))
      const received = { sizeBytes: row.size_bytes, sha256 }
      return await storeObject(ctx, incoming, { key, path: file.path, received })
    } finally {
      await file.release()
    }
  } catch (error) {
    throw storageFault(error)
  }
}

async function hashFile(path: string): Promise<Buffer> {
  const hash = createHash('sha256')
  const chunks = createReadStream(path, { highWaterMark: 1024 ** 2 })
  for await (const chunk of chunks) hash.update(chunk as Buffer)
  return hash.digest()
}

/** One file of all pieces. Their hash is known where this process received all of them. */
async function joinParts(ctx: Context, row: ResumableRow, path: string): Promise<Received> {
  const keys = await orderedParts(ctx, row)
  const hash = uploadsOf(ctx).hashes.at(row.id, row.size_bytes)
  if (!hash) {
    const limits = { maxBytes: row.size_bytes, reserveBytes: ctx.config.diskReserveBytes }
    return receiveFile(bytesOf(ctx, keys), path, limits)
  }
  await ctx.storage.keepReserve(row.size_bytes)
  await using file = await open(path, 'wx')
  for (const key of keys) await ctx.storage.appendTo(file, key)
  const { size } = await file.stat()
  if (size !== row.size_bytes) throw new Error('The pieces of the upload are not whole.')
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
  checkWhole(parts, row.size_bytes)
  return parts.map((part) => part.storage_key)
}
