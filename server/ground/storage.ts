/**
 * Where bytes lie: a directory, or any S3. An object is whole or absent: it is staged as a local
 * file and appears under its key at once when the stage is committed. Memory never holds a file.
 */
import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'

export type DiskState = 'ok' | 'full' | 'unreachable'

export interface Storage {
  /** Opens a local file for writing; `commit` publishes it under the key, `discard` deletes it. */
  stage(key: string): Promise<Stage>
  /** Moves a local file into the store under the key. */
  putFile(key: string, path: string): Promise<void>
  /** Reads the object or a range of it; both ends of the range are inclusive. */
  read(key: string, range?: ByteRange): Promise<Readable>
  /** Writes the object at the end of a local file. */
  appendTo(file: FileHandle, key: string): Promise<void>
  /** A file for the engine to read; `release` when done. */
  localFile(key: string, options?: { signal?: AbortSignal }): Promise<LocalFile>
  /** Deletes the object and the remains of unfinished writes. Safe if it does not exist. */
  delete(key: string): Promise<void>
  list(prefix: string): AsyncIterable<StoredObject>
  /** An address that serves the object without this service; null if there is none. */
  downloadAddress(key: string, options: DownloadAddressOptions): Promise<string | null>
  /** Throws like a full disk if staging so many bytes would use up the reserve. */
  keepReserve(moreBytes: number): Promise<void>
  /** Checks by a test write whether objects can be stored now. */
  check(): Promise<DiskState>
  /** Objects sent in parts by several processes; null if the store does not support them. */
  multiparts: Multiparts | null
}

export interface Multiparts {
  /** Returns the name of an upload, under which its parts are sent. */
  begin(key: string): Promise<string>
  /** Returns the tag by which `complete` knows the part. */
  put(
    place: { key: string; multipartId: string; number: number },
    bytes: Uint8Array,
  ): Promise<string>
  /** Makes the object of these parts; the store drops others. Safe to repeat. */
  complete(
    upload: { key: string; multipartId: string; sizeBytes: number },
    parts: readonly { number: number; etag: string }[],
  ): Promise<void>
  /** Safe if it does not exist. */
  abort(key: string, multipartId: string): Promise<void>
}

export interface Stage {
  path: string
  commit(): Promise<void>
  discard(): Promise<void>
}

export interface ByteRange {
  first: number
  last: number
}

export interface LocalFile {
  path: string
  release(): Promise<void>
}

export interface StoredObject {
  key: string
  size: number
  modifiedAt: Date
}

export interface DownloadAddressOptions {
  disposition: string
  lifeSeconds: number
}

export class ObjectNotFound extends Error {}

/** Thrown if the store does not answer or fails; a later try may succeed. */
export class StoreAway extends Error {}

export async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at)
    at += bytesWritten
  }
}

/** Keys are ours, never a user's: lower-case words and ids between slashes. */
export function assertKey(key: string): void {
  if (!/^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/.test(key) || key.includes('..')) {
    throw new Error(`Not a storage key: ${key}`)
  }
}
