/**
 * Bytes from a stream into a local file, hashed on the way. One block is being written while the
 * next one fills, so memory holds two blocks whatever the file's size.
 */
import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Context } from '../process/context.ts'
import { Refusal } from '../refusal.ts'
import { createReserveGuard } from '../storage/disk.ts'
import type { ReserveBytes } from '../storage/disk.ts'
import { StoreAway, writeAll } from '../storage/storage.ts'

const blockBytes = 512 * 1024

export interface Received {
  sizeBytes: number
  sha256: Buffer
}

export async function receiveFile(
  source: AsyncIterable<Buffer>,
  path: string,
  limits: { maxBytes: number; reserveBytes: ReserveBytes },
  /** Of what came before, where the file is a piece of another. */
  hash: Hash = createHash('sha256'),
): Promise<Received> {
  const file = await open(path, 'wx')
  const keepsReserve = createReserveGuard(dirname(path), limits.reserveBytes)
  // Copying into two blocks of our own lets the stream's chunks die young, which costs the garbage
  // collector a third of what keeping them until they are written does.
  let filling = Buffer.allocUnsafeSlow(blockBytes)
  let spare = Buffer.allocUnsafeSlow(blockBytes)
  let filled = 0
  let sizeBytes = 0
  let writing: Promise<unknown> = Promise.resolve()
  const flush = async (): Promise<void> => {
    await writing
    await keepsReserve(filled)
    const full = filling.subarray(0, filled)
    ;[filling, spare] = [spare, filling]
    filled = 0
    writing = writeAll(file, full)
    // A failure is thrown by the next flush; until then nobody waits for it.
    writing.catch(() => undefined)
    hash.update(full)
  }
  try {
    for await (const chunk of source) {
      sizeBytes += chunk.length
      if (sizeBytes > limits.maxBytes) throw tooLarge(limits.maxBytes)
      for (let at = 0; at < chunk.length;) {
        const copied = chunk.copy(filling, filled, at)
        at += copied
        filled += copied
        if (filled === blockBytes) await flush()
      }
      giveBack(chunk)
    }
    if (filled > 0) await flush()
    await writing
    return { sizeBytes, sha256: hash.copy().digest() }
  } catch (error) {
    throw storageFault(error)
  } finally {
    await writing.catch(() => undefined)
    await file.close()
  }
}

/**
 * A chunk's memory is the network's, 64 KB that the collector frees only when so much has piled up
 * that it walks the whole heap. Detaching it frees it now. Only where the chunk is all of its buffer:
 * otherwise somebody else may look at the rest.
 */
export function giveBack(chunk: Buffer): void {
  const memory = chunk.buffer
  if (memory instanceof ArrayBuffer && memory.byteLength === chunk.length) memory.transfer(0)
}

export function tooLarge(maxBytes: number): Refusal {
  return new Refusal('too_large', `The file is larger than ${sizeText(maxBytes)}, the limit here.`)
}

/** Before the bytes are sent, where it is known how many there will be. */
export async function refuseFullDisk(
  { storage }: Pick<Context, 'storage'>,
  moreBytes: number,
): Promise<void> {
  try {
    await storage.keepReserve(moreBytes)
  } catch (error) {
    throw storageFault(error)
  }
}

/** A full disk and a store that is away are reported as such; everything else stays what it is. */
export function storageFault(error: unknown): unknown {
  if (error instanceof StoreAway) return storeAway()
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (!['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) return error
  return new Refusal(
    'storage_full',
    'Our storage is full at the moment. Nothing was kept; please try again later.',
    { retryAfterSeconds: 300 },
  )
}

export function storeAway(): Refusal {
  return new Refusal(
    'unavailable',
    'Our file storage is not responding. Nothing was lost; please try again in a minute.',
    { retryAfterSeconds: 60 },
  )
}

function sizeText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const unit = Math.min(4, Math.floor(Math.log2(bytes) / 10))
  return `${Math.round((bytes / 1024 ** unit) * 10) / 10} ${units[unit]}`
}
