/** Readers of the pipes of a pass: frames, the pts of each, and sound. */
import type { FileHandle } from 'node:fs/promises'
import { audioRate } from './plan.ts'
import type { PassRequest, Plan } from './plan.ts'

/** Collects the pts that framecrc prints, one line a frame. */
export function ptsReader() {
  let values = new Float64Array(4096)
  let count = 0
  let rest = ''
  let base: { num: bigint; den: bigint } | null = null
  return {
    push(chunk: Buffer): void {
      const lines = (rest + chunk.toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const named = /^#tb 0: (\d+)\/(\d+)/.exec(line)
        if (named) base = { num: BigInt(named[1] ?? 1), den: BigInt(named[2] ?? 1) }
        if (line === '' || line.startsWith('#')) continue
        if (count === values.length) {
          const grown = new Float64Array(count * 2)
          grown.set(values)
          values = grown
        }
        values[count++] = Number(line.split(',')[2])
      }
    },
    count: () => count,
    values: () => values.subarray(0, count),
    timeBase: () => base,
  }
}

/**
 * Cuts a stream of bytes into frames; a promise from the listener pauses the stream. The listener
 * must copy bytes that it keeps, as the buffer is reused.
 */
export function framesOf(
  size: number,
  listener: (image: Uint8Array, index: number) => void | Promise<void>,
): (chunk: Buffer) => Promise<void> {
  const image = new Uint8Array(size)
  let filled = 0
  let index = 0
  return async (chunk) => {
    let at = 0
    while (at < chunk.length) {
      const part = Math.min(size - filled, chunk.length - at)
      image.set(chunk.subarray(at, at + part), filled)
      filled += part
      at += part
      if (filled < size) return
      filled = 0
      const pending = listener(image, index++)
      if (pending) await pending
    }
  }
}

export interface PlacedSound {
  /** Takes the bytes of the samples. */
  push: (chunk: Buffer) => Promise<void>
  /** Takes the output of framecrc: the position of each piece of the samples. */
  place: (chunk: Buffer) => Promise<void>
  /** Number of samples handed over, per channel. */
  samples: () => number
}

export function soundSink(
  request: PassRequest,
  handle: FileHandle | null,
  plan: Plan,
): PlacedSound {
  let samples = 0
  return placedSound({ channels: 1, maxSamples: maxSamplesOf(plan) }, async (part) => {
    samples += part.length
    if (handle) await handle.write(part)
    await request.onAudio?.(part)
    if (!plan.video) request.onProgress?.(Math.min(1, samples / audioRate / plan.seconds))
  })
}

/** A little more than is wanted: a clock that jumps ahead must not be followed for hours. */
export function maxSamplesOf({ seconds }: Plan): number {
  return Math.ceil((seconds + 60) * audioRate)
}

/** Longer gaps are filled with silence: a shift by a frame's duration would be audible. */
const maxGap = 0.02 * audioRate
/** Sound that comes twice is dropped where it overlaps by more; times of live recordings waver. */
const maxOverlap = 0.1 * audioRate
const blockSamples = 2 ** 15

/**
 * Puts sound onto the clock of the range: sample 0 is its start. Silence stands where there is no
 * sound, and sound from before the start is dropped. The tool could do so itself, but its filters
 * start afresh where a stream changes its layout, and they hold all of a gap in memory.
 */
export function placedSound(
  { channels, maxSamples }: { channels: number; maxSamples: number },
  listener: (samples: Int16Array) => void | Promise<void>,
): PlacedSound {
  const size = 2 * channels
  const chunks: Buffer[] = []
  const pieces: { pts: number; bytes: number }[] = []
  let buffered = 0
  let rest = ''
  let position = 0
  let isPlaced = false
  let block = new Int16Array(blockSamples * channels)
  let filled = 0
  let work = Promise.resolve()

  async function flush(): Promise<void> {
    if (filled === 0) return
    const full = block.subarray(0, filled)
    block = new Int16Array(blockSamples * channels)
    filled = 0
    await listener(full)
  }

  /** Hands over so many samples: those of the bytes, or silence. */
  async function write(count: number, bytes: Uint8Array | null): Promise<void> {
    const end = Math.min(count, maxSamples - position) * channels
    let at = 0
    while (at < end) {
      const part = Math.min(end - at, block.length - filled)
      if (bytes) {
        const target = new Uint8Array(block.buffer, filled * 2, part * 2)
        target.set(bytes.subarray(at * 2, (at + part) * 2))
      }
      filled += part
      at += part
      position += part / channels
      if (filled === block.length) await flush()
    }
  }

  async function drain(): Promise<void> {
    let done = 0
    for (; done < pieces.length && buffered >= pieces[done]!.bytes; done++) {
      const { pts, bytes: length } = pieces[done]!
      const bytes = take(length)
      const count = Math.floor(length / size)
      const gap = pts - position
      const isOff = !isPlaced || gap > maxGap || gap < -maxOverlap
      const unheard = isOff ? Math.min(count, Math.max(0, -gap)) : 0
      if (isOff && gap > 0) await write(gap, null)
      isPlaced ||= pts + count > 0
      await write(count - unheard, bytes.subarray(unheard * size))
    }
    pieces.splice(0, done)
    await flush()
  }

  function take(length: number): Buffer {
    buffered -= length
    const parts: Buffer[] = []
    let missing = length
    while (missing > 0) {
      const [first] = chunks
      if (!first) break
      const part = first.subarray(0, missing)
      missing -= part.length
      parts.push(part)
      if (part.length === first.length) chunks.shift()
      else chunks[0] = first.subarray(part.length)
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }

  // Both pipes drain here, one after the other.
  const next = (): Promise<void> => (work = work.then(drain))
  return {
    async push(chunk) {
      chunks.push(chunk)
      buffered += chunk.length
      await next()
    },
    async place(chunk) {
      const lines = (rest + chunk.toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line === '' || line.startsWith('#')) continue
        const [, , pts, , bytes] = line.split(',')
        pieces.push({ pts: Number(pts), bytes: Number(bytes) })
      }
      await next()
    },
    samples: () => position,
  }
}

/** Reads the list of segments, which names each once it is complete. */
export function segmentsOf(
  onSegment: NonNullable<PassRequest['onSegment']>,
): (chunk: Buffer) => Promise<void> {
  let rest = ''
  let seconds = 0
  return async (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [, length] = /^#EXTINF:([\d.]+)/.exec(line) ?? []
      if (length) seconds = Number(length)
      else if (line.startsWith('segment-')) await onSegment({ name: line, seconds })
    }
  }
}
