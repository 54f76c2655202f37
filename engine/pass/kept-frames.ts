/** Small frames of a film in a file, one after the other, packed: a tenth of a millisecond each. */
import { createReadStream, createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { framesOf } from './pipes.ts'
import { smallBytes } from './plan.ts'

export interface FrameKeeper {
  push(yuv: Uint8Array): void | Promise<void>
  close(): Promise<void>
}

export function keepFrames(file: string): FrameKeeper {
  const packed = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
  })
  const target = createWriteStream(file)
  packed.pipe(target)
  const ended = Promise.all([finished(packed), finished(target)])
  // Reported by `close`, not as an unhandled rejection.
  ended.catch(() => undefined)
  target.on('error', (error) => packed.destroy(error))
  return {
    push(yuv) {
      if (packed.write(Buffer.from(yuv))) return undefined
      return Promise.race([drained(packed), ended.then(() => undefined)])
    },
    async close() {
      packed.end()
      await ended
    },
  }
}

/** Hands over every frame of the files, in order; its bytes are used again for the next one. */
export async function readFrames(
  files: readonly string[],
  take: (yuv: Uint8Array) => void | Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  for (const file of files) {
    const cut = framesOf(smallBytes, take)
    const unpacked = createZstdDecompress()
    createReadStream(file)
      .on('error', (error) => unpacked.destroy(error))
      .pipe(unpacked)
    for await (const chunk of unpacked) {
      signal?.throwIfAborted()
      await cut(chunk as Buffer)
    }
  }
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    stream.once('drain', () => resolve())
  })
}
