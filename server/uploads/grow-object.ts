/**
 * Resumable uploads in a store that speaks S3: the bytes go on to a multipart upload of the store
 * as they arrive, and nothing is joined in the end.
 *
 * State, all of it in the database, so that any process takes the next PATCH:
 *   content_multiparts  what the store holds as parts, without gaps from the first byte on
 *   content_parts       pieces behind them, less than a part together, each an object of its own
 *   offset_bytes        the end of both; moved by compare-and-set together with what it counts
 *
 * A part is sent under a number that nobody else gets, then recorded. A part that a dead
 * process sent and did not record is not named at the end, and the store drops it.
 */
import { randomBytes } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { Transaction } from 'kysely'
import type { Tables } from '../ground/generated-tables.ts'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'
import { ObjectNotFound } from '../ground/storage.ts'
import type { Multiparts } from '../ground/storage.ts'
import { dropObjects, listObjects } from '../storage/unowned-objects.ts'
import { giveBack } from '../storage/write-blocks.ts'
import { tooLarge } from './receive.ts'
import { storageFault } from '../storage/storage-fault.ts'
import { addPart, checkWhole, moveOffset, throwOffsetMoved } from './resumable-rows.ts'
import type { ResumableRow } from './resumable-rows.ts'
import { uploadsOf } from './state.ts'

/**
 * As much as the client sends in one request. Parts begin at multiples of it, wherever a connection
 * broke: some stores (R2, Garage) want all parts but the last to have one length.
 */
const partBytes = 8 * 1024 ** 2
/** Limits of S3: the bytes of every part but the last, and the number of parts. */
const minPartBytes = 5 * 1024 ** 2
const maxPartNumber = 10_000

/** An upload, from the offset that a request writes at. */
interface Growing {
  row: ResumableRow
  multiparts: Multiparts
  offset: number
}

/** Returns how many bytes arrived and were kept. One block is sent while the next one fills. */
export async function growObject(
  ctx: Context,
  growing: Growing,
  chunks: AsyncIterable<Buffer>,
): Promise<number> {
  const { row, offset: firstOffset } = growing
  const hash = uploadsOf(ctx).hashes.at(row.id, firstOffset)
  const blockBytes = blockBytesOf(row)
  let received = firstOffset
  const newBlock = (): Buffer =>
    takeBlock(
      Math.max(1, Math.min(blockBytes - (received % blockBytes), row.size_bytes - received)),
    )
  let block: Buffer | null = null
  let filled = 0
  let sending: Promise<void> = Promise.resolve()
  const flush = async (full: Buffer): Promise<void> => {
    await sending
    const bytes = full.subarray(0, filled)
    const hashSoFar = hash?.update(bytes).copy()
    sending = keepBytes(ctx, growing, bytes, hashSoFar).then(() => leaveBlock(full))
    // A failure is thrown by the next flush; until then nobody waits for it.
    sending.catch(() => undefined)
    block = null
    filled = 0
  }
  try {
    for await (const chunk of chunks) {
      if (received + chunk.length > row.size_bytes) throw tooLarge(row.size_bytes)
      for (let from = 0; from < chunk.length;) {
        block ??= newBlock()
        const copied = chunk.copy(block, filled, from)
        from += copied
        filled += copied
        received += copied
        if (filled === block.length) await flush(block)
      }
      giveBack(chunk)
    }
    if (block) await flush(block)
    await sending
    return growing.offset - firstOffset
  } catch (error) {
    throw storageFault(error)
  } finally {
    await sending.catch(() => undefined)
  }
}

function blockBytesOf({ size_bytes: size }: ResumableRow): number {
  return Math.max(partBytes, Math.ceil(size / (maxPartNumber / 2)))
}

/**
 * Blocks for the next request: each is memory outside the heap, and so much of it lets the
 * collector walk the whole heap every few blocks.
 */
const spareBlocks: ArrayBuffer[] = []
const maxSpareBlocks = 4

function takeBlock(bytes: number): Buffer {
  const spare = bytes <= partBytes ? spareBlocks.pop() : undefined
  if (spare) return Buffer.from(spare, 0, bytes)
  return Buffer.allocUnsafeSlow(Math.max(bytes, partBytes)).subarray(0, bytes)
}

/** Only after it was sent: of one that failed, a connection may still hold the bytes. */
function leaveBlock({ buffer }: Buffer): void {
  const isWanted = buffer.byteLength === partBytes && spareBlocks.length < maxSpareBlocks
  if (isWanted && buffer instanceof ArrayBuffer) spareBlocks.push(buffer)
}

/** Moves `growing.offset`, and keeps the hash up to there where it is known. */
async function keepBytes(
  ctx: Context,
  growing: Growing,
  bytes: Buffer,
  hashSoFar: Hash | undefined,
): Promise<void> {
  const { row, offset } = growing
  const pieces = await listPieces(ctx, row.id)
  const waitingBytes = pieces.reduce((sum, piece) => sum + piece.size_bytes, 0)
  const end = offset + bytes.length
  // An upload that an earlier release began may have less than a part before the next multiple.
  const isFull = end % blockBytesOf(row) === 0 && waitingBytes + bytes.length >= minPartBytes
  if (isFull || end === row.size_bytes) {
    const body = pieces.length > 0 ? await joinPieces(ctx, pieces, bytes) : bytes
    await sendPart(ctx, growing, { body, startOffset: offset - waitingBytes, bytes: bytes.length })
  } else {
    await keepPiece(ctx, growing, bytes)
  }
  growing.offset += bytes.length
  if (hashSoFar) uploadsOf(ctx).hashes.keep(row.id, growing.offset, hashSoFar)
}

async function listPieces(ctx: Context, id: string) {
  return ctx.db
    .selectFrom('content_parts')
    .select(['storage_key', 'size_bytes'])
    .where('resumable_id', '=', id)
    .orderBy('offset_bytes')
    .execute()
}

async function joinPieces(
  ctx: Context,
  pieces: readonly { storage_key: string }[],
  bytes: Buffer,
): Promise<Buffer> {
  const read: Buffer[] = []
  try {
    for (const { storage_key } of pieces) {
      for await (const chunk of await ctx.storage.read(storage_key)) read.push(chunk as Buffer)
    }
  } catch (error) {
    if (!(error instanceof ObjectNotFound)) throw error
    // Another request has made a part of them meanwhile.
    throwOffsetMoved()
  }
  return Buffer.concat([...read, bytes])
}

async function sendPart(
  ctx: Context,
  { row, multiparts, offset }: Growing,
  part: { body: Buffer; startOffset: number; bytes: number },
): Promise<void> {
  const { key, multipartId } = await openMultipart(ctx, row, multiparts)
  const number = await claimNumber(ctx, row.id)
  const etag = await multiparts.put({ key, multipartId, number }, part.body)
  const gone = await ctx.db.transaction().execute(async (trx) => {
    await moveOffset(trx, { id: row.id, from: offset, to: offset + part.bytes })
    await trx
      .insertInto('content_multiparts')
      .values({
        resumable_id: row.id,
        part_number: number,
        offset_bytes: part.startOffset,
        size_bytes: part.body.length,
        etag,
      })
      .execute()
    return deletePieces(trx, row.id)
  })
  await dropObjects(ctx, gone)
}

async function deletePieces(trx: Transaction<Tables>, id: string): Promise<string[]> {
  const pieces = await trx
    .deleteFrom('content_parts')
    .where('resumable_id', '=', id)
    .returning('storage_key')
    .execute()
  return pieces.map((piece) => piece.storage_key)
}

async function keepPiece(ctx: Context, { row, offset }: Growing, bytes: Buffer): Promise<void> {
  const key = `resumable/${row.id}-${offset}-${randomBytes(4).toString('hex')}`
  await listObjects(ctx, [key])
  const stage = await ctx.storage.stage(key)
  try {
    await writeFile(stage.path, bytes)
    await stage.commit()
    await addPart(ctx, { id: row.id, offset }, { key, sizeBytes: bytes.length })
  } catch (error) {
    await stage.discard()
    await dropObjects(ctx, [key])
    throw error
  }
}

/** Begun with the first part; of two that begin it at once one stays. */
async function openMultipart(
  ctx: Context,
  row: ResumableRow,
  multiparts: Multiparts,
): Promise<{ key: string; multipartId: string }> {
  const key = row.storage_key
  if (key === null) throw new Error('The upload has no place in the store.')
  if (row.multipart_id !== null) return { key, multipartId: row.multipart_id }
  const begun = await multiparts.begin(key)
  const { multipart_id } = await ctx.db
    .updateTable('content_resumables')
    .set((eb) => ({ multipart_id: eb.fn.coalesce('multipart_id', eb.val(begun)) }))
    .where('id', '=', row.id)
    .returning('multipart_id')
    .executeTakeFirstOrThrow()
  const multipartId = multipart_id ?? begun
  if (multipartId !== begun) await multiparts.abort(key, begun)
  row.multipart_id = multipartId
  return { key, multipartId }
}

async function claimNumber(ctx: Context, id: string): Promise<number> {
  const { next_part } = await ctx.db
    .updateTable('content_resumables')
    .set((eb) => ({ next_part: eb('next_part', '+', 1) }))
    .where('id', '=', id)
    .returning('next_part')
    .executeTakeFirstOrThrow()
  if (next_part - 1 > maxPartNumber) {
    throw new Refusal('invalid', 'The upload comes in too many pieces. Please send larger ones.')
  }
  return next_part - 1
}

/** Makes the object of all parts; its bytes do not move. Again is fine. */
export async function completeObject(
  ctx: Context,
  row: ResumableRow,
  multiparts: Multiparts,
): Promise<void> {
  const parts = await ctx.db
    .selectFrom('content_multiparts')
    .select(['part_number', 'etag', 'offset_bytes', 'size_bytes'])
    .where('resumable_id', '=', row.id)
    .orderBy('offset_bytes')
    .execute()
  checkWhole(parts, row.size_bytes)
  if (row.storage_key === null || row.multipart_id === null) throw new Error('Nothing was begun.')
  await multiparts.complete(
    { key: row.storage_key, multipartId: row.multipart_id, sizeBytes: row.size_bytes },
    parts.map(({ part_number, etag }) => ({ number: part_number, etag })),
  )
}
