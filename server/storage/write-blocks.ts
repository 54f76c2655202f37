/**
 * Bytes from a stream into a local file. One block is being written while the next one fills, so
 * memory holds two blocks whatever the file's size.
 */
import type { FileHandle } from 'node:fs/promises'
import { writeAll } from '../ground/storage.ts'

interface Hooks {
  /** Throws where no more may come. */
  onChunk?: (bytes: number) => void
  beforeBlock?: (bytes: number) => Promise<void> | undefined
  /** Sees each block while it is being written. */
  besideBlock?: (bytes: Buffer) => void
}

const blockBytes = 512 * 1024

export async function writeBlocks(
  source: AsyncIterable<Buffer>,
  file: FileHandle,
  { onChunk, beforeBlock, besideBlock }: Hooks = {},
): Promise<void> {
  // Copying into two blocks of our own lets the stream's chunks die young, which costs the garbage
  // collector a third of what keeping them until they are written does.
  let filling = Buffer.allocUnsafeSlow(blockBytes)
  let spare = Buffer.allocUnsafeSlow(blockBytes)
  let filled = 0
  let writing: Promise<unknown> = Promise.resolve()
  const flush = async (): Promise<void> => {
    await writing
    await beforeBlock?.(filled)
    const full = filling.subarray(0, filled)
    ;[filling, spare] = [spare, filling]
    filled = 0
    writing = writeAll(file, full)
    // A failure is thrown by the next flush; until then nobody waits for it.
    writing.catch(() => undefined)
    besideBlock?.(full)
  }
  try {
    for await (const chunk of source) {
      onChunk?.(chunk.length)
      for (let at = 0; at < chunk.length;) {
        const copied = chunk.copy(filling, filled, at)
        at += copied
        filled += copied
        if (filled === blockBytes) await flush()
      }
      giveBack(chunk)
    }
    if (filled > 0) await flush()
    await writing
  } finally {
    await writing.catch(() => undefined)
  }
}

/**
 * A chunk's memory is the network's, 64 KB that the collector frees only when so much has piled up
 * that it walks the whole heap. Detaching it frees it now. Only where the chunk is all of its
 * buffer: otherwise somebody else may look at the rest.
 */
export function giveBack(chunk: Buffer): void {
  const memory = chunk.buffer
  if (memory instanceof ArrayBuffer && memory.byteLength === chunk.length) memory.transfer(0)
}
