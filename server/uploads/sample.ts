/** The sample clip: a first result without own footage. Adding it again gives the same item. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ContentItem } from '../../contract/footage/content.ts'
import type { Member } from '../ground/actor.ts'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'
import { toContentItem } from '../content/item.ts'
import { receiveFile } from './receive.ts'
import { reserveRoom } from './reserve-room.ts'
import { storeUpload } from './store-upload.ts'
import type { Verb } from '../ground/verb.ts'

const sampleFile = resolve(import.meta.dirname, '../../assets/sample.mp4')
const sampleName = 'River sample.mp4'

let hashing: Promise<string> | undefined

/** True if these are the sample's bytes, however they came into a library. */
export async function isSample(sha256: string | null): Promise<boolean> {
  hashing ??= readFile(sampleFile).then((bytes) => createHash('sha256').update(bytes).digest('hex'))
  return sha256 === (await hashing)
}

export const addSample: Verb<'addSample'> = async (ctx, actor) => {
  const known = await findSample(ctx, actor)
  if (known) return { content: known }
  const { maxUploadBytes } = ctx.config.limits
  const { size } = await stat(sampleFile)
  const room = await reserveRoom(ctx, actor.accountId, { minBytes: size, maxBytes: size })
  try {
    const content = await storeUpload(
      ctx,
      {
        actor,
        fileName: sampleName,
        mimeType: 'video/mp4',
        place: { project_id: null, bin_id: null },
        room,
      },
      (path) =>
        receiveFile(createReadStream(sampleFile), path, {
          maxBytes: maxUploadBytes,
          reserveBytes: ctx.config.diskReserveBytes,
        }),
    )
    return { content }
  } catch (error) {
    // Two presses at once: the second finds what the first has added, under whatever name.
    const added = await findSample(ctx, actor)
    if (added && error instanceof Refusal && error.code === 'duplicate') return { content: added }
    throw error
  } finally {
    await room.release()
  }
}

async function findSample(ctx: Context, actor: Member): Promise<ContentItem | null> {
  const row = await ctx.db
    .selectFrom('content')
    .selectAll()
    .where('account_id', '=', actor.accountId)
    .where('content_type', '=', 'upload')
    .where('file_name', '=', sampleName)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
  return row ? toContentItem(ctx, actor, row) : null
}
