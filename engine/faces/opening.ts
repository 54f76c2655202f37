/**
 * How wide a mouth must be open for a sound. Loudness alone does not tell: "m" and "s" are loud
 * with closed lips and teeth. So the sound is split into 16 bands, and a linear rule over 160 ms of
 * them says how open the lips are: an open vowel is strong from 500 to 1,000 Hz and about 2,000 Hz,
 * a hum only below. The weights come from spoken text whose sounds are known, not from video; how
 * they were found and what they reach is in docs/decisions/0061.
 */
import { sampleRate } from '../speech/voice/vad.ts'
import type { Seconds } from '../speech/voice/vad.ts'
import { readWindow } from '../speech/whisper/windows.ts'
import { bandPowers, bandCount } from '../speech/voice/spectrum.ts'

export const openingsPerSecond = 25

const hop = 160
const hopsPerSecond = sampleRate / hop
const hopsPerOpening = hopsPerSecond / openingsPerSecond
/** Levels are clipped this far (dB) below and above the loud parts. */
const range = { low: -60, high: 10 }
const loudShare = 0.95

/** Hundred-thousandths for each decibel of a band, from low to high, at -80, -40, 0, 40, 80 ms. */
const reachHops = [-8, -4, 0, 4, 8]
const weights = [
  [-87, 78, 40, 125, -60, 15, -62, 20, -33, -243, 257, 101, -52, -20, -222, 46],
  [-97, 15, -26, 184, 4, 62, -2, 30, 25, -165, 289, 43, -80, -17, -144, 116],
  [-30, -39, -52, 278, 70, 90, 25, 58, 35, -129, 321, 40, -55, -65, -140, 92],
  [19, -55, -78, 253, 41, 57, -8, 54, 65, -138, 262, 40, -17, -73, -103, 55],
  [23, 2, -82, 169, -65, -13, -54, 26, 97, -175, 174, -1, 24, -27, -71, -47],
]

export interface Opening {
  /** One value per 25th of a second of the span; the unit is arbitrary. */
  values: Float32Array
  /** Indexes between which there is sound: none beyond the file or while it is mute. */
  from: number
  to: number
}

export async function readOpening(audioFile: string, span: Seconds): Promise<Opening> {
  const count = Math.max(1, Math.round((span.end - span.start) * openingsPerSecond))
  const samples = await readWindow(audioFile, span)
  const skipped = Math.max(0, Math.round(-span.start * openingsPerSecond))
  const first = samples.findIndex((sample) => sample !== 0)
  const last = samples.findLastIndex((sample) => sample !== 0)
  const perOpening = sampleRate / openingsPerSecond
  const values = new Float32Array(count)
  values.set(openingOf(samples).subarray(0, Math.max(0, count - skipped)), Math.min(count, skipped))
  if (first < 0) return { values, from: 0, to: 0 }
  return {
    values,
    from: skipped + Math.ceil(first / perOpening),
    to: Math.min(count, skipped + Math.floor(last / perOpening)),
  }
}

/** The same for samples between -1 and 1. */
export function openingOf(samples: Float32Array): Float32Array {
  const hops = Math.floor(samples.length / hop)
  const levels = levelsOf(samples, hops)
  const fine = new Float32Array(hops)
  for (let at = 0; at < hops; at++) {
    let sum = 0
    for (const [index, reach] of reachHops.entries()) {
      const row = weights[index]!
      const from = Math.min(hops - 1, Math.max(0, at + reach)) * bandCount
      for (let band = 0; band < bandCount; band++) sum += row[band]! * levels[from + band]!
    }
    fine[at] = sum / 1e5
  }
  const smooth = smoothed(fine, 2)
  const count = Math.floor(hops / hopsPerOpening)
  return Float32Array.from({ length: count }, (_, at) => smooth[at * hopsPerOpening]!)
}

/** Decibels of each band at each hop, over three hops, in relation to the loud parts. */
function levelsOf(samples: Float32Array, hops: number): Float32Array {
  const raw = new Float32Array(hops * bandCount)
  const whole = new Float32Array(hops)
  for (let at = 0; at < hops; at++) {
    const powers = bandPowers(samples, at * hop)
    let sum = 0
    for (let band = 0; band < bandCount; band++) {
      const power = powers[band]! + 1e-7
      sum += power
      raw[at * bandCount + band] = 10 * Math.log10(power)
    }
    whole[at] = 10 * Math.log10(sum)
  }
  const loud = whole.toSorted()[Math.min(hops - 1, Math.floor(hops * loudShare))] ?? 0
  const inRange = raw.map((level) => Math.min(range.high, Math.max(range.low, level - loud)))
  return inRange.map((level, index) => {
    const before = inRange[index - bandCount] ?? level
    const after = inRange[index + bandCount] ?? level
    return (before + level + after) / 3
  })
}

/** The mean under a bell of this width, the ends prolonged. */
export function smoothed(values: Float32Array, width: number): Float32Array {
  const reach = Math.ceil(3 * width)
  const bell = Array.from({ length: 2 * reach + 1 }, (_, at) =>
    Math.exp(-((at - reach) ** 2) / (2 * width * width)),
  )
  const total = bell.reduce((sum, value) => sum + value, 0)
  return values.map((_, at) => {
    let sum = 0
    for (let near = -reach; near <= reach; near++) {
      const index = Math.min(values.length - 1, Math.max(0, at + near))
      sum += bell[near + reach]! * values[index]!
    }
    return sum / total
  })
}
