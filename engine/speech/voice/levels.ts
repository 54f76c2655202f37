/** How loud the sound is, every 10 ms, read once from the raw file in small pieces. */
import { open } from 'node:fs/promises'
import { sampleRate } from './vad.ts'

export const levelHop = 160
export const levelsPerSecond = sampleRate / levelHop
/** Stands for digital silence. */
export const lowestDecibels = -100

const hopsPerRead = 3000

/** In decibels below full scale. */
export async function readLevels(
  audioFile: string,
  options: { samples: number; signal?: AbortSignal },
): Promise<Float32Array> {
  const hops = Math.ceil(options.samples / levelHop)
  const levels = new Float32Array(hops).fill(lowestDecibels)
  const bytes = Buffer.alloc(hopsPerRead * levelHop * 2)
  await using file = await open(audioFile, 'r')
  for (let hop = 0; hop < hops; hop += hopsPerRead) {
    options.signal?.throwIfAborted()
    const { bytesRead } = await file.read(bytes, 0, bytes.length, hop * levelHop * 2)
    if (bytesRead < 2) break
    measure(new Int16Array(bytes.buffer, bytes.byteOffset, bytesRead >> 1), hop, levels)
  }
  return levels
}

function measure(samples: Int16Array, firstHop: number, levels: Float32Array): void {
  for (let start = 0, hop = firstHop; start < samples.length; start += levelHop, hop++) {
    const end = Math.min(samples.length, start + levelHop)
    let power = 0
    for (let at = start; at < end; at++) power += (samples[at]! / 32768) ** 2
    if (hop >= levels.length) return
    levels[hop] = decibels(power / (end - start))
  }
}

function decibels(power: number): number {
  return power > 1e-10 ? 10 * Math.log10(power) : lowestDecibels
}
