/** Small frames of a film in a file, one after the other, packed: about .02 ms each. */
import { createReadStream, createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { framesOf } from './pipes.ts'
import { smallBytes } from './plan.ts'

/** Frames are transferred in groups, since a transfer costs more than packing. */
const gatheredFrames = 32

export interface FrameWriter {
  push(yuv: Uint8Array): void | Promise<void>
  close(): Promise<void>
}

export function keepFrames(file: string): FrameWriter {
  const packed = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
  })
  const target = createWriteStream(file)
  packed.pipe(target)
  const ended = Promise.all([finished(packed), finished(target)])
  // Reported by `close`, not as an unhandled rejection.
  ended.catch(() => undefined)
  target.on('error', (error) => packed.destroy(error))
  let gathered = Buffer.allocUnsafe(gatheredFrames * smallBytes)
  let filled = 0
  return {
    push(yuv) {
      gathered.set(yuv, filled)
      filled += smallBytes
      if (filled < gathered.length) return undefined
      const whole = gathered
      gathered = Buffer.allocUnsafe(gatheredFrames * smallBytes)
      filled = 0
      if (packed.write(whole)) return undefined
      return Promise.race([drained(packed), ended.then(() => undefined)])
    },
    async close() {
      if (!packed.writableEnded) packed.end(gathered.subarray(0, filled))
      await ended
    },
  }
}

/** Hands over every frame of the files, in order; the buffer is reused for the next frame. */
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
