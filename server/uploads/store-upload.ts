/**
 * From a staged file to a library item, the one way for plain and resumable uploads: look, publish
 * the bytes, then the row. The row is what makes the item exist; before it, everything that was
 * written is listed as unowned.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { ContentItem, Place } from '../../contract/footage/content.ts'
import type { Member } from '../ground/actor.ts'
import type { Context } from '../ground/context.ts'
import { holdPlace } from '../projects/place.ts'
import { lockAccount } from '../accounts/lock-account.ts'
import type { Exchange } from '../ground/verb.ts'
import { Refusal } from '../ground/refusal.ts'
import { dropObjects, listObjects, ownObjects } from '../storage/unowned-objects.ts'
import { toContentItem } from '../content/item.ts'
import { judgeByName, lookAtFile } from '../content/look.ts'
import type { Look } from '../content/look.ts'
import { uploadUrl } from '../content/open.ts'
import { storageFault } from '../storage/storage-fault.ts'
import { refuseBeyondQuota } from './reserve-room.ts'
import type { Room } from './reserve-room.ts'
import type { Received } from './receive.ts'
import { StoreAway } from '../ground/storage.ts'
import { uploadsOf } from './state.ts'

export interface Incoming {
  actor: Member
  fileName: string
  mimeType: string | null
  /** Target of the upload; a project or bin deleted meanwhile counts as none. */
  place: Place
  /** Its reserved room in the library. */
  room: Room
}

export const duplicateFile = 'This file already exists in your library'

/**
 * `write` fills the staged file. Whatever fails, here or there, nothing of the upload is left; nor
 * where `once` knows the item that the same request made before.
 */
export async function storeUpload(
  ctx: Context,
  incoming: Incoming,
  write: (path: string) => Promise<Received>,
  once: Exchange['once'] = (_read, run) => run(),
): Promise<ContentItem> {
  const id = randomUUID()
  const key = objectKey(id)
  const thumbnailKey = `${key}.jpg`
  const keys = [key, thumbnailKey]
  await listObjects(ctx, keys)
  const stage = await ctx.storage.stage(key)
  try {
    const received = await write(stage.path)
    if (received.sizeBytes === 0) throw new Refusal('invalid', 'The file is empty.')
    const sha256 = received.sha256.toString('hex')
    // Of several uploads of the same file, the first is probed and the others reuse its result.
    const item = await uploadsOf(ctx).turns.run(`${incoming.actor.accountId} ${sha256}`, () =>
      once(readOf(incoming, sha256), () =>
        keep(ctx, incoming, {
          ...{ id, key, thumbnailKey, received, path: stage.path, listedKeys: [key] },
          publish: () => stage.commit(),
        }),
      ),
    )
    if (item.id !== id) {
      await stage.discard()
      await dropObjects(ctx, keys)
    }
    return item
  } catch (error) {
    if (error instanceof StoreAway) ctx.log.error({ err: error }, 'store away')
    await stage.discard()
    await dropObjects(ctx, keys)
    throw storageFault(error)
  }
}

/**
 * The same for bytes that lie in the store under their key already, which a row owns: `room.settle`
 * hands them over. Whatever fails leaves them where they are.
 */
export async function storeObject(
  ctx: Context,
  incoming: Incoming,
  object: { key: string; path: string; received: Received },
): Promise<ContentItem> {
  const { key, path, received } = object
  const id = key.split('/').at(-1) ?? ''
  // Another one for each try, since an earlier one may be listed still.
  const thumbnailKey = `${key}-${randomBytes(4).toString('hex')}.jpg`
  await listObjects(ctx, [thumbnailKey])
  const publish = (): Promise<void> => Promise.resolve()
  const arrived = { id, key, thumbnailKey, received, path, listedKeys: [], publish }
  const sha256 = received.sha256.toString('hex')
  try {
    return await uploadsOf(ctx).turns.run(`${incoming.actor.accountId} ${sha256}`, () =>
      keep(ctx, incoming, arrived),
    )
  } catch (error) {
    await dropObjects(ctx, [thumbnailKey])
    throw storageFault(error)
  }
}

export function objectKey(contentId: string): string {
  return `content/${contentId.slice(0, 2)}/${contentId}`
}

/** The request as an `Idempotency-Key` compares it. */
function readOf({ fileName, place }: Incoming, sha256: string): object {
  const { project_id: projectId, bin_id: binId } = place
  return { sha256, fileName, ...(projectId ? { projectId } : {}), ...(binId ? { binId } : {}) }
}

interface Arrived {
  id: string
  key: string
  thumbnailKey: string
  received: Received
  /** The bytes on this machine. */
  path: string
  /** Keys of the item's objects that are listed as unowned, beside the thumbnail. */
  listedKeys: readonly string[]
  publish(): Promise<void>
}

async function keep(ctx: Context, incoming: Incoming, arrived: Arrived): Promise<ContentItem> {
  const { path, received } = arrived
  // Asked before the costly part; the unique index decides in the end.
  await refuseDuplicate(ctx, incoming.actor.accountId, received.sha256)
  const seen = await lookAtFile(ctx, incoming.actor.accountId, path)
  const look = judgeByName(seen, incoming.fileName)
  if (look.still) await putBytes(ctx, arrived.thumbnailKey, look.still)
  await arrived.publish()
  const row = await insertRow(ctx, incoming, arrived, look)
  if (!look.still) await dropObjects(ctx, [arrived.thumbnailKey])
  return toContentItem(ctx, incoming.actor, row)
}

async function insertRow(ctx: Context, incoming: Incoming, arrived: Arrived, look: Look) {
  const { id, key, received, listedKeys } = arrived
  const thumbnailKey = look.still ? arrived.thumbnailKey : null
  const now = ctx.now()
  return ctx.db
    .transaction()
    .execute(async (trx) => {
      const { accountId } = incoming.actor
      await lockAccount(trx, accountId)
      await incoming.room.settle(trx, id)
      // The room was there from the beginning, unless the upload took longer than it was kept.
      await refuseBeyondQuota(ctx, trx, { accountId, moreBytes: received.sizeBytes })
      await ownObjects(trx, thumbnailKey ? [...listedKeys, thumbnailKey] : listedKeys)
      const place = await holdPlace(trx, accountId, incoming.place)
      return trx
        .insertInto('content')
        .values({
          id,
          account_id: incoming.actor.accountId,
          ...place,
          content_type: 'upload',
          file_name: incoming.fileName,
          canonical_url: uploadUrl(ctx, id),
          storage_key: key,
          thumbnail_key: thumbnailKey,
          file_size: received.sizeBytes,
          sha256: received.sha256,
          mime_type: incoming.mimeType,
          media: look.media && JSON.stringify(look.media),
          check_state: look.state,
          check_message: look.message,
          created_at: now,
          last_used_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
    })
    .catch(async (error: { code?: string; constraint?: string }) => {
      if (error.code === '23505' && error.constraint === 'content_bytes') {
        await refuseDuplicate(ctx, incoming.actor.accountId, received.sha256)
        throw new Refusal('duplicate', duplicateFile)
      }
      throw error
    })
}

export async function refuseDuplicate(
  ctx: Context,
  accountId: string,
  sha256: Buffer,
): Promise<void> {
  const known = await ctx.db
    .selectFrom('content')
    .select('id')
    .where('account_id', '=', accountId)
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  if (known) throw new Refusal('duplicate', duplicateFile, { content_id: known.id })
}

async function putBytes(ctx: Context, key: string, bytes: Uint8Array): Promise<void> {
  const stage = await ctx.storage.stage(key)
  try {
    await writeFile(stage.path, bytes)
    await stage.commit()
  } catch (error) {
    await stage.discard()
    throw error
  }
}
