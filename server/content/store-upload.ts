/**
 * From a staged file to a library item, the one way for plain and resumable uploads: look, publish
 * the bytes, then the row. The row is what makes the item exist; before it, everything that was
 * written is listed as unowned.
 */
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { ContentItem } from '../../contract/content.ts'
import type { Member } from '../actor.ts'
import type { Context } from '../process/context.ts'
import { lockAccount } from '../db/lock-account.ts'
import type { Exchange } from '../verb.ts'
import { Refusal } from '../refusal.ts'
import { dropObjects, listObjects, ownObjects } from '../storage/unowned-objects.ts'
import { toContentItem } from './item.ts'
import { lookAtFile } from './look.ts'
import type { Look } from './look.ts'
import { uploadUrl } from './open.ts'
import { storageFault } from './receive.ts'
import { refuseBeyondQuota } from './reserve-room.ts'
import type { Room } from './reserve-room.ts'
import type { Received } from './receive.ts'
import { StoreAway } from '../storage/storage.ts'
import type { Stage } from '../storage/storage.ts'

export interface Incoming {
  actor: Member
  fileName: string
  mimeType: string | null
  /** Where it goes; one that is deleted while the bytes arrive means no project. */
  projectId: string | null
  /** What was taken for it in the library. */
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
  const key = `content/${id.slice(0, 2)}/${id}`
  const keys = [key, `${key}.jpg`]
  await listObjects(ctx, keys)
  const stage = await ctx.storage.stage(key)
  try {
    const received = await write(stage.path)
    if (received.sizeBytes === 0) throw new Refusal('invalid', 'The file is empty.')
    const sha256 = received.sha256.toString('hex')
    // Of many uploads of one file the first is looked at, the others find it there.
    const item = await ctx.uploads.turns.run(`${incoming.actor.accountId} ${sha256}`, () =>
      once(readOf(incoming, sha256), () => keep(ctx, incoming, { id, key, stage, received })),
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

/** The request as an `Idempotency-Key` compares it. */
function readOf({ fileName, projectId }: Incoming, sha256: string): object {
  return { sha256, fileName, ...(projectId ? { projectId } : {}) }
}

interface Arrived {
  id: string
  key: string
  stage: Stage
  received: Received
}

async function keep(ctx: Context, incoming: Incoming, arrived: Arrived): Promise<ContentItem> {
  const { id, key, stage, received } = arrived
  // Asked before the costly part; the unique index decides in the end.
  await refuseDuplicate(ctx, incoming.actor.accountId, received.sha256)
  const look = await lookAtFile(ctx, incoming.actor.accountId, stage.path)
  const thumbnailKey = look.still ? `${key}.jpg` : null
  if (look.still && thumbnailKey) await putBytes(ctx, thumbnailKey, look.still)
  await stage.commit()
  const row = await insertRow(ctx, incoming, { id, key, thumbnailKey, received, look })
  if (!thumbnailKey) await dropObjects(ctx, [`${key}.jpg`])
  return toContentItem(ctx, incoming.actor, row)
}

async function insertRow(
  ctx: Context,
  incoming: Incoming,
  made: {
    id: string
    key: string
    thumbnailKey: string | null
    received: Received
    look: Look
  },
) {
  const { id, key, thumbnailKey, received, look } = made
  const now = ctx.now()
  return ctx.db
    .transaction()
    .execute(async (trx) => {
      const { accountId } = incoming.actor
      await lockAccount(trx, accountId)
      await incoming.room.settle(trx, id)
      // The room was there from the beginning, unless the upload took longer than it was kept.
      await refuseBeyondQuota(ctx, trx, { accountId, moreBytes: received.sizeBytes })
      await ownObjects(trx, thumbnailKey ? [key, thumbnailKey] : [key])
      return trx
        .insertInto('content')
        .values({
          id,
          account_id: incoming.actor.accountId,
          project_id: incoming.projectId
            ? trx
                .selectFrom('projects')
                .select('id')
                .where('id', '=', incoming.projectId)
                .where('account_id', '=', accountId)
            : null,
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
  const found = await ctx.db
    .selectFrom('content')
    .select('id')
    .where('account_id', '=', accountId)
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  if (found) throw new Refusal('duplicate', duplicateFile, { content_id: found.id })
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
