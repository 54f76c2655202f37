/**
 * A disk that runs full stops more than uploads: the database, running jobs and logs need room too.
 * So what users send stops at a reserve, which the others may still use. It counts by the file
 * system's own figures, asked again and again: room that comes back is there at once.
 */
import { randomUUID } from 'node:crypto'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { DiskState } from '../ground/storage.ts'

const standardReserveBytes = 2 * 1024 ** 3
const standardReserveShare = 0.05
const checkEveryBytes = 8 * 1024 ** 2
/** Health may be asked often. */
const freshMs = 1000

/** Null is the standard: 5 % of the disk, at most 2 GiB. */
export type ReserveBytes = number | null

/** Bytes that users may still fill; negative below the reserve. */
export async function roomOnDisk(folder: string, reserveBytes: ReserveBytes): Promise<number> {
  const { bavail, blocks, bsize } = await statfs(folder)
  const standard = Math.min(standardReserveBytes, blocks * bsize * standardReserveShare)
  return bavail * bsize - (reserveBytes ?? standard)
}

/** Throws as a full disk does, before it is full. */
export async function keepReserve(
  folder: string,
  reserveBytes: ReserveBytes,
  moreBytes: number,
): Promise<void> {
  if ((await roomOnDisk(folder, reserveBytes)) < moreBytes) throw reserveReached()
}

/** Call with the size of each block before it is written; asks the disk every few megabytes. */
export function createReserveGuard(
  folder: string,
  reserveBytes: ReserveBytes,
): (bytes: number) => Promise<void> | undefined {
  let left = 0
  const ask = async (bytes: number): Promise<void> => {
    const room = await roomOnDisk(folder, reserveBytes)
    if (room < bytes) throw reserveReached()
    left = Math.min(room, checkEveryBytes) - bytes
  }
  return (bytes) => {
    left -= bytes
    return left < 0 ? ask(bytes) : undefined
  }
}

function reserveReached(): Error {
  return Object.assign(new Error('The reserve of the disk is reached.'), { code: 'ENOSPC' })
}

/** Writes a small file and takes it away again; one test serves everybody who asks meanwhile. */
export function createDiskCheck(
  folder: string,
  reserveBytes: ReserveBytes,
): () => Promise<DiskState> {
  let latest: { check: Promise<DiskState>; atMs: number } | null = null
  return () => {
    const nowMs = performance.now()
    if (!latest || nowMs - latest.atMs > freshMs) {
      latest = { check: checkDisk(folder, reserveBytes), atMs: nowMs }
    }
    return latest.check
  }
}

async function checkDisk(folder: string, reserveBytes: ReserveBytes): Promise<DiskState> {
  try {
    await writeAndRemove(join(folder, `health~${randomUUID()}`))
    return (await roomOnDisk(folder, reserveBytes)) > 0 ? 'ok' : 'full'
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    return ['ENOSPC', 'EDQUOT'].includes(code) ? 'full' : 'unreachable'
  }
}

async function writeAndRemove(path: string): Promise<void> {
  try {
    await using file = await open(path, 'wx')
    await file.write(Buffer.alloc(4096, 1))
    await file.sync()
  } finally {
    await rm(path, { force: true })
  }
}
