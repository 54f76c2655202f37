import { open } from 'node:fs/promises'

const readLimitBytes = 64 * 1024 * 1024

/** Reads the file, or its first and last half if it is larger than the limit. */
export async function readEnds(file: string): Promise<Buffer> {
  await using handle = await open(file)
  const { size } = await handle.stat()
  const bytes = Buffer.alloc(Math.min(size, readLimitBytes))
  if (size <= readLimitBytes) {
    await handle.read(bytes, 0, bytes.length, 0)
    return bytes
  }
  const half = readLimitBytes / 2
  await handle.read(bytes, 0, half, 0)
  await handle.read(bytes, half, half, size - half)
  return bytes
}
