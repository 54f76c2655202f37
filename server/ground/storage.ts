/**
 * Where bytes lie: a directory, or any S3. An object is whole or absent: it is staged as a local
 * file and appears under its key at once when the stage is committed. Memory never holds a file.
 */
import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'

export type DiskState = 'ok' | 'full' | 'unreachable'

export interface Storage {
  /** A local file to write; `commit` publishes it under the key, `discard` forgets it. */
  stage(key: string): Promise<Stage>
  /** Publishes a local file under the key and takes it away from where it was. */
  putFile(key: string, path: string): Promise<void>
  /** The bytes, or a part of them; both ends of the range belong to it. */
  read(key: string, range?: ByteRange): Promise<Readable>
  /** Writes the object at the end of a local file. */
  appendTo(file: FileHandle, key: string): Promise<void>
  /** A file for the engine to read; `release` when done. */
  localFile(key: string, options?: { signal?: AbortSignal }): Promise<LocalFile>
  /** Removes the object and whatever an unfinished write of it left. Absent is fine. */
  delete(key: string): Promise<void>
  list(prefix: string): AsyncIterable<StoredObject>
  /** An address that serves the object without us; null where there is none. */
  downloadAddress(key: string, options: DownloadAddressOptions): Promise<string | null>
  /** Throws as a full disk does where staging so many bytes would use up its reserve. */
  keepReserve(moreBytes: number): Promise<void>
  /** Whether objects can be stored now: tests a write. */
  check(): Promise<DiskState>
  /** Objects sent in parts by several processes; null where the store cannot take them. */
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
  /** Makes the object of these parts; the store drops others. Fine where it was made before. */
  complete(
    upload: { key: string; multipartId: string; sizeBytes: number },
    parts: readonly { number: number; etag: string }[],
  ): Promise<void>
  /** Absent is fine. */
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

/** The store does not answer or cannot do its work; later it may. */
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
