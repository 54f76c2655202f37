/** What reads the pipes of a pass: pictures, the pts of each, and sound. */
import type { FileHandle } from 'node:fs/promises'
import { audioRate } from './plan.ts'
import type { PassRequest, Plan } from './plan.ts'

/** Collects the pts that framecrc prints, one line a picture. */
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
 * Cuts a stream of bytes into pictures; a promise from the listener holds the stream back. The bytes
 * belong to the listener only until it answers: they are used again.
 */
export function framesOf(
  size: number,
  listener: (picture: Uint8Array, index: number) => void | Promise<void>,
): (chunk: Buffer) => Promise<void> {
  const picture = new Uint8Array(size)
  let filled = 0
  let index = 0
  return async (chunk) => {
    let at = 0
    while (at < chunk.length) {
      const part = Math.min(size - filled, chunk.length - at)
      picture.set(chunk.subarray(at, at + part), filled)
      filled += part
      at += part
      if (filled < size) return
      filled = 0
      const pending = listener(picture, index++)
      if (pending) await pending
    }
  }
}

export function soundSink(request: PassRequest, handle: FileHandle | null, plan: Plan) {
  let samples = 0
  const limit = Math.ceil((plan.seconds + 60) * audioRate)
  const push = wholeSamples(1, async (part) => {
    if (samples > limit) return
    samples += part.length
    if (handle) await handle.write(part)
    await request.onAudio?.(part)
    if (!plan.video) request.onProgress?.(Math.min(1, samples / audioRate / plan.seconds))
  })
  return { samples: () => samples, push }
}

/** Hands over the samples of all channels in turn, never a part of one; as copies. */
export function wholeSamples(
  channels: number,
  listener: (samples: Int16Array) => void | Promise<void>,
): (chunk: Buffer) => Promise<void> {
  const size = 2 * channels
  let rest: Buffer | null = null
  return async (chunk) => {
    const bytes = rest ? Buffer.concat([rest, chunk]) : chunk
    const whole = bytes.length - (bytes.length % size)
    rest = whole < bytes.length ? Buffer.from(bytes.subarray(whole)) : null
    if (whole === 0) return
    // A copy: the pipe's memory is reused and may be unaligned.
    const copy = new Uint8Array(whole)
    copy.set(bytes.subarray(0, whole))
    await listener(new Int16Array(copy.buffer))
  }
}
