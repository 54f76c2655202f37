/**
 * Hashes of resumable uploads so far, so that the bytes need not be read again when the last piece
 * is there. A hash lives in the process that wrote all pieces up to now; where another wrote one,
 * or where it was forgotten, the file is hashed when its pieces are joined.
 */
import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'

export interface RunningHashes {
  /** A hash of the first bytes, to go on with; null where it is not known here. */
  at(uploadId: string, offset: number): Hash | null
  keep(uploadId: string, offset: number, hash: Hash): void
  forget(uploadId: string): void
}

const maxHashes = 1000

export function createRunningHashes(): RunningHashes {
  const hashes = new Map<string, { offset: number; hash: Hash }>()
  return {
    at(uploadId, offset) {
      if (offset === 0) return createHash('sha256')
      const known = hashes.get(uploadId)
      return known?.offset === offset ? known.hash.copy() : null
    },
    keep(uploadId, offset, hash) {
      // Re-inserting keeps the map in order of use, so the first key is the one to forget.
      hashes.delete(uploadId)
      hashes.set(uploadId, { offset, hash })
      if (hashes.size > maxHashes) hashes.delete(hashes.keys().next().value ?? '')
    },
    forget: (uploadId) => void hashes.delete(uploadId),
  }
}
