/** The rows of resumable uploads: what was kept of each and how far it has come. */
import { ERRORS } from '@tus/server'
import type { Selectable, Transaction } from 'kysely'
import type { Tables } from '../ground/generated-tables.ts'
import type { Context } from '../ground/context.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import { dropObjects, ownObjects } from '../storage/unowned-objects.ts'
import { uploadsOf } from './state.ts'

export type ResumableRow = Selectable<Tables['content_resumables']>

const maxParts = 10_000

export async function findResumable(
  ctx: Context,
  accountId: string,
  id: string,
): Promise<ResumableRow> {
  const isId = /^[0-9a-f-]{36}$/.test(id)
  const row = isId
    ? await ctx.db
        .selectFrom('content_resumables')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('The upload')
  if (row.expires_at <= ctx.now()) {
    throw new Refusal('gone', 'This upload was not finished in time. Please start again.')
  }
  return row
}

export async function addPart(
  ctx: Context,
  at: { id: string; offset: number },
  part: { key: string; sizeBytes: number },
): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    await moveOffset(trx, { id: at.id, from: at.offset, to: at.offset + part.sizeBytes })
    const { count } = await trx
      .selectFrom('content_parts')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('resumable_id', '=', at.id)
      .executeTakeFirstOrThrow()
    if (count >= maxParts) {
      throw new Refusal('invalid', 'The upload comes in too many pieces. Please send larger ones.')
    }
    await ownObjects(trx, [part.key])
    await trx
      .insertInto('content_parts')
      .values({
        resumable_id: at.id,
        offset_bytes: at.offset,
        size_bytes: part.sizeBytes,
        storage_key: part.key,
      })
      .execute()
  })
}

/** Throws where another request was faster. */
export async function moveOffset(
  trx: Transaction<Tables>,
  { id, from, to }: { id: string; from: number; to: number },
): Promise<void> {
  const moved = await trx
    .updateTable('content_resumables')
    .set({ offset_bytes: to })
    .where('id', '=', id)
    .where('offset_bytes', '=', from)
    .returning('id')
    .executeTakeFirst()
  if (!moved) throwOffsetMoved()
}

/** Answers a client whose piece comes after another request has moved the offset. */
export function throwOffsetMoved(): never {
  // oxlint-disable-next-line typescript/only-throw-error -- the library's errors are plain objects
  throw ERRORS.INVALID_OFFSET
}

/** Throws unless the parts, in order, follow each other from the first byte to the last. */
export function checkWhole(
  parts: readonly { offset_bytes: number; size_bytes: number }[],
  sizeBytes: number,
): void {
  let offset = 0
  for (const part of parts) {
    if (part.offset_bytes !== offset) throw new Error('A part of the upload is missing.')
    offset += part.size_bytes
  }
  if (offset !== sizeBytes) throw new Error('The parts of the upload are not whole.')
}

/** The row and its parts; the parts' objects follow by the trigger. */
export async function removeResumable(ctx: Context, { id }: { id: string }): Promise<void> {
  uploadsOf(ctx).hashes.forget(id)
  const keys = await partKeys(ctx, id)
  const gone = await ctx.db
    .deleteFrom('content_resumables')
    .where('id', '=', id)
    .returning(['storage_key', 'multipart_id'])
    .execute()
  await abortMultiparts(ctx, gone)
  await dropObjects(ctx, [...keys, ...gone.flatMap((row) => row.storage_key ?? [])])
}

/** By name, since not every store can list them; what fails here is left to the sweep. */
export async function abortMultiparts(
  ctx: Context,
  gone: readonly Pick<ResumableRow, 'storage_key' | 'multipart_id'>[],
): Promise<void> {
  const { multiparts } = ctx.storage
  for (const { storage_key, multipart_id } of gone) {
    if (!multiparts || storage_key === null || multipart_id === null) continue
    await multiparts.abort(storage_key, multipart_id).catch((error: unknown) => {
      ctx.log.warn({ err: error, storageKey: storage_key }, 'multipart upload left for the sweep')
    })
  }
}

export async function removeParts(ctx: Context, id: string): Promise<void> {
  uploadsOf(ctx).hashes.forget(id)
  await ctx.db.deleteFrom('content_multiparts').where('resumable_id', '=', id).execute()
  const gone = await ctx.db
    .deleteFrom('content_parts')
    .where('resumable_id', '=', id)
    .returning('storage_key')
    .execute()
  await dropObjects(
    ctx,
    gone.map((part) => part.storage_key),
  )
}

async function partKeys(ctx: Context, id: string): Promise<string[]> {
  const parts = await ctx.db
    .selectFrom('content_parts')
    .select('storage_key')
    .where('resumable_id', '=', id)
    .execute()
  return parts.map((part) => part.storage_key)
}
