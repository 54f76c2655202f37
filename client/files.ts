/** Files of a disk, for Node, Deno and Bun: read piece by piece, never whole. */
import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { UploadSource } from './source.ts'

export async function openFile(path: string): Promise<UploadSource> {
  const { size } = await stat(path)
  return {
    name: basename(path),
    size,
    async read(start, end) {
      const file = await open(path)
      try {
        const bytes = new Uint8Array(end - start)
        let filled = 0
        while (filled < bytes.length) {
          const { bytesRead } = await file.read(
            bytes,
            filled,
            bytes.length - filled,
            start + filled,
          )
          if (bytesRead === 0) throw new Error(`${path} became shorter while it was read.`)
          filled += bytesRead
        }
        return bytes
      } finally {
        await file.close()
      }
    },
  }
}
