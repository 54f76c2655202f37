/** Bytes from a stream into a local file, hashed on the way. */
import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'
import { createReserveGuard } from '../storage/disk.ts'
import type { ReserveBytes } from '../storage/disk.ts'
import { storageFault } from '../storage/storage-fault.ts'
import { writeBlocks } from '../storage/write-blocks.ts'

export interface Received {
  sizeBytes: number
  sha256: Buffer
}

export async function receiveFile(
  source: AsyncIterable<Buffer>,
  path: string,
  limits: { maxBytes: number; reserveBytes: ReserveBytes },
  /** Hash of the bytes before these, if they are a piece of a file. */
  hash: Hash = createHash('sha256'),
): Promise<Received> {
  const file = await open(path, 'wx')
  let sizeBytes = 0
  try {
    await writeBlocks(source, file, {
      onChunk(bytes) {
        sizeBytes += bytes
        if (sizeBytes > limits.maxBytes) throw tooLarge(limits.maxBytes)
      },
      beforeBlock: createReserveGuard(dirname(path), limits.reserveBytes),
      besideBlock: (bytes) => hash.update(bytes),
    })
    return { sizeBytes, sha256: hash.copy().digest() }
  } catch (error) {
    throw storageFault(error)
  } finally {
    await file.close()
  }
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

function sizeText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const unit = Math.min(4, Math.floor(Math.log2(bytes) / 10))
  return `${Math.round((bytes / 1024 ** unit) * 10) / 10} ${units[unit]}`
}
