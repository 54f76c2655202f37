/**
 * How loud the sound is, every 10 ms, read once from the raw file in small pieces. Beside the whole
 * band it keeps the one from 500 to 2,500 Hz, where the opening of a mouth is heard.
 */
import { open } from 'node:fs/promises'
import { sampleRate } from './vad.ts'

export const levelHop = 160
export const levelsPerSecond = sampleRate / levelHop
/** What digital silence counts as. */
export const lowestDecibels = -100

export interface Levels {
  /** Decibels below full scale. */
  whole: Float32Array
  mouth: Float32Array
}

const hopsPerRead = 3000

export async function readLevels(
  audioFile: string,
  options: { samples: number; signal?: AbortSignal },
): Promise<Levels> {
  const hops = Math.ceil(options.samples / levelHop)
  const levels = { whole: new Float32Array(hops), mouth: new Float32Array(hops) }
  levels.whole.fill(lowestDecibels)
  levels.mouth.fill(lowestDecibels)
  const bytes = Buffer.alloc(hopsPerRead * levelHop * 2)
  const high = biquad('high', 500)
  const low = biquad('low', 2500)
  const file = await open(audioFile, 'r')
  try {
    for (let hop = 0; hop < hops; hop += hopsPerRead) {
      options.signal?.throwIfAborted()
      const { bytesRead } = await file.read(bytes, 0, bytes.length, hop * levelHop * 2)
      if (bytesRead < 2) break
      measure(new Int16Array(bytes.buffer, bytes.byteOffset, bytesRead >> 1), hop, levels, (x) =>
        low(high(x)),
      )
    }
  } finally {
    await file.close()
  }
  return levels
}

function measure(
  samples: Int16Array,
  firstHop: number,
  levels: Levels,
  filter: (x: number) => number,
): void {
  for (let start = 0, hop = firstHop; start < samples.length; start += levelHop, hop++) {
    const end = Math.min(samples.length, start + levelHop)
    let whole = 0
    let mouth = 0
    for (let at = start; at < end; at++) {
      const x = samples[at]! / 32768
      whole += x * x
      mouth += filter(x) ** 2
    }
    if (hop >= levels.whole.length) return
    levels.whole[hop] = decibels(whole / (end - start))
    levels.mouth[hop] = decibels(mouth / (end - start))
  }
}

function decibels(power: number): number {
  return power > 1e-10 ? 10 * Math.log10(power) : lowestDecibels
}

/** A Butterworth section of second order. */
function biquad(kind: 'high' | 'low', hertz: number): (x: number) => number {
  const omega = (2 * Math.PI * hertz) / sampleRate
  const cos = Math.cos(omega)
  const alpha = Math.sin(omega) / Math.SQRT2
  const a0 = 1 + alpha
  const edge = kind === 'high' ? (1 + cos) / 2 / a0 : (1 - cos) / 2 / a0
  const b1 = kind === 'high' ? -2 * edge : 2 * edge
  const a1 = (-2 * cos) / a0
  const a2 = (1 - alpha) / a0
  let x1 = 0
  let x2 = 0
  let y1 = 0
  let y2 = 0
  return (x) => {
    const y = edge * x + b1 * x1 + edge * x2 - a1 * y1 - a2 * y2
    x2 = x1
    x1 = x
    y2 = y1
    y1 = y
    return y
  }
}
