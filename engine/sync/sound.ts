/** The sound of an item as the matcher reads it: mono, 8 kHz, from memory or from a file. */
import { readSync } from 'node:fs'

export const soundRate = 8000
/** Levels for a waveform, and for finding stretches that are loud enough to compare. */
export const levelsPerSecond = 50

export interface Sound {
  samples: number
  /** The highest absolute sample of each 1/50 s, from 0 to 255. */
  levels: Uint8Array
  /** Fills `out` from a sample on, which may lie outside; there it is silent. */
  read: (out: Float64Array, from: number, count: number) => void
}

export function soundInMemory(samples: Int16Array): Sound {
  const levels = createLevels()
  levels.push(samples)
  return {
    samples: samples.length,
    levels: levels.finish(),
    read(out, from, count) {
      for (let at = 0; at < count; at++) out[at] = samples[from + at] ?? 0
    },
  }
}

/** Reads from a file of 16-bit samples, so that memory does not grow with the length. */
export function soundInFile(
  fd: number,
  { first, samples }: { first: number; samples: number },
): Sound {
  const levels = createLevels()
  for (let at = 0; at < samples; at += blockSamples) {
    levels.push(readSamples(fd, first + at, Math.min(blockSamples, samples - at)))
  }
  return {
    samples,
    levels: levels.finish(),
    read(out, from, count) {
      out.fill(0, 0, count)
      const start = Math.max(0, from)
      const wanted = Math.min(samples, from + count) - start
      if (wanted <= 0) return
      const block = readSamples(fd, first + start, wanted)
      for (let at = 0; at < wanted; at++) out[start - from + at] = block[at]!
    },
  }
}

const blockSamples = 2 ** 18

function readSamples(fd: number, from: number, count: number): Int16Array {
  const block = new Int16Array(count)
  const target = new Uint8Array(block.buffer)
  let bytes = 0
  while (bytes < target.length) {
    const got = readSync(fd, target, bytes, target.length - bytes, from * 2 + bytes)
    if (got === 0) throw new Error('A file of sound is shorter than it was.')
    bytes += got
  }
  return block
}

interface Levels {
  push: (samples: Int16Array) => void
  finish: () => Uint8Array
}

export function createLevels(): Levels {
  const each = soundRate / levelsPerSecond
  let levels = new Uint8Array(1024)
  let count = 0
  let highest = 0
  let seen = 0
  const close = (): void => {
    if (count === levels.length) {
      const wider = new Uint8Array(count * 2)
      wider.set(levels)
      levels = wider
    }
    levels[count++] = Math.min(255, Math.round(highest / 128))
    highest = 0
    seen = 0
  }
  return {
    push(samples) {
      for (const sample of samples) {
        const level = sample < 0 ? -sample : sample
        if (level > highest) highest = level
        if (++seen === each) close()
      }
    },
    finish() {
      if (seen > 0) close()
      return levels.slice(0, count)
    },
  }
}
