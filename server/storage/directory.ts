/**
 * Storage in a directory, which several machines may share. Unfinished files lie in `partial/` of
 * the same file system, so that the rename which publishes them is atomic.
 */
import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { ConfigError } from '../ground/config.ts'
import { createDiskCheck, keepReserve } from './disk.ts'
import type { ReserveBytes } from './disk.ts'
import { makeFolder } from '../ground/make-folder.ts'
import { assertKey, ObjectNotFound, writeAll } from '../ground/storage.ts'
import type { Stage, Storage, StoredObject } from '../ground/storage.ts'

const appendBytes = 4 * 1024 ** 2
const partialForm = /~[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const uuidLength = 36

export function isPartialName(name: string): boolean {
  return partialForm.test(name)
}

export async function openDirectory(url: URL, reserveBytes: ReserveBytes): Promise<Storage> {
  const root = fileURLToPath(url)
  const partials = join(root, 'partial')
  makeRoot(partials)

  const pathOf = (key: string): string => {
    assertKey(key)
    return join(root, 'objects', key)
  }
  const partialPrefix = (key: string): string => key.replaceAll('/', '~')
  const partialPath = (key: string): string =>
    join(partials, `${partialPrefix(key)}~${randomUUID()}`)

  const publish = async (from: string, key: string): Promise<void> => {
    const to = pathOf(key)
    await syncFile(from)
    await mkdir(dirname(to), { recursive: true })
    await rename(from, to)
    await syncFile(dirname(to))
  }

  return {
    async stage(key): Promise<Stage> {
      assertKey(key)
      const path = partialPath(key)
      return {
        path,
        commit: () => publish(path, key),
        discard: () => rm(path, { force: true }),
      }
    },

    async putFile(key, path) {
      try {
        await publish(path, key)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
        const partial = partialPath(key)
        try {
          await copyFile(path, partial)
          await publish(partial, key)
        } catch (cause) {
          await rm(partial, { force: true })
          throw cause
        }
        await rm(path, { force: true })
      }
    },

    async read(key, range): Promise<Readable> {
      const handle = await open(pathOf(key)).catch(asNotFound)
      return handle.createReadStream(range ? { start: range.first, end: range.last } : {})
    },

    async appendTo(file, key) {
      const source = await open(pathOf(key)).catch(asNotFound)
      const block = Buffer.allocUnsafeSlow(appendBytes)
      try {
        for (;;) {
          const { bytesRead } = await source.read(block, 0, appendBytes)
          if (bytesRead === 0) return
          await writeAll(file, block.subarray(0, bytesRead))
        }
      } finally {
        await source.close()
      }
    },

    async localFile(key) {
      const path = pathOf(key)
      await stat(path).catch(asNotFound)
      return { path, release: async () => undefined }
    },

    async delete(key) {
      await rm(pathOf(key), { force: true })
      const prefix = `${partialPrefix(key)}~`
      for (const name of await readdir(partials)) {
        const isOfKey = isPartialName(name) && name.length === prefix.length + uuidLength
        if (isOfKey && name.startsWith(prefix)) await rm(join(partials, name), { force: true })
      }
    },

    list: (prefix) => listObjects(join(root, 'objects'), prefix),
    downloadAddress: async () => null,
    keepReserve: (moreBytes) => keepReserve(partials, reserveBytes, moreBytes),
    check: createDiskCheck(partials, reserveBytes),
    multiparts: null,
  }
}

async function* listObjects(root: string, prefix: string): AsyncIterable<StoredObject> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const key = relative(root, path).split(sep).join('/')
    if (!key.startsWith(prefix)) continue
    const { size, mtime } = await stat(path)
    yield { key, size, modifiedAt: mtime }
  }
}

/** A rename survives a power cut only when the file and its directory are on the disk. */
async function syncFile(path: string): Promise<void> {
  await using handle = await open(path, 'r')
  await handle.sync()
}

function asNotFound(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOENT') throw new ObjectNotFound('The object is not in the storage.')
  throw error
}

function makeRoot(dir: string): void {
  try {
    makeFolder(dir)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(
      `The folder ${dir} cannot be written (${code}). Set STORAGE_URL to a folder that you may write to.`,
      { cause: error },
    )
  }
}
