/**
 * Whether sound follows a mouth. The loudness between 500 and 2,500 Hz rises and falls with the
 * opening of the lips; the two are compared at many delays. In a true recording the likeness peaks
 * near zero, also for singing or shouting that no voice detector recognises; in a shifted one it
 * peaks elsewhere.
 */
import { levelsPerSecond } from '../speech/levels.ts'
import { lipsPerSecond } from './lips.ts'
import type { MouthRun } from './lips.ts'

export interface Sync {
  /** Best likeness within the delays that light, sound and codecs explain. */
  near: number
  /** Best likeness anywhere, and its delay in seconds (positive: the sound is late). */
  best: number
  delay: number
  /** The best one that is not next to the peak: how much chance can do here. */
  rival: number
}

const maxDelay = Math.round(3 * lipsPerSecond)
/** -80 ms to +240 ms. */
const nearFrom = -1
const nearTo = 3
const peakWidth = 2

/** Likeness between two indexes of a run; null where there is too little to compare. */
export function measureSync(
  run: MouthRun,
  mouthLevels: Float32Array,
  range: { from: number; to: number },
): Sync | null {
  const { from, to } = range
  const count = to - from
  if (count < 3 * lipsPerSecond) return null
  const gaps = run.gaps.slice(from, to)
  const startSeconds = run.start + from / lipsPerSecond
  const sound = Float32Array.from({ length: count + 2 * maxDelay }, (_, index) =>
    levelAt(mouthLevels, startSeconds + (index - maxDelay) / lipsPerSecond),
  )
  const gapChanges = changes(gaps)
  const soundChanges = changes(sound)
  const likeness: number[] = []
  for (let delay = -maxDelay; delay <= maxDelay; delay++) {
    const at = delay + maxDelay
    const shape = correlation(gaps, sound.subarray(at, at + count))
    const pace = correlation(gapChanges, soundChanges.subarray(at, at + count))
    likeness.push((shape + pace) / 2)
  }
  const peak = likeness.indexOf(Math.max(...likeness))
  return {
    near: Math.max(...likeness.slice(maxDelay + nearFrom, maxDelay + nearTo + 1)),
    best: likeness[peak]!,
    delay: (peak - maxDelay) / lipsPerSecond,
    rival: Math.max(...likeness.filter((_, index) => Math.abs(index - peak) > peakWidth)),
  }
}

/** The mean level over one step of the lips' grid. */
function levelAt(levels: Float32Array, seconds: number): number {
  const middle = seconds * levelsPerSecond
  const reach = levelsPerSecond / lipsPerSecond / 2
  const from = Math.max(0, Math.round(middle - reach))
  const to = Math.min(levels.length, Math.round(middle + reach))
  let sum = 0
  for (let at = from; at < to; at++) sum += Math.max(-70, levels[at]!)
  return to > from ? sum / (to - from) : -70
}

function changes(values: Float32Array): Float32Array {
  return values.map((value, at) => Math.abs(value - values[Math.max(0, at - 1)]!))
}

function correlation(a: Float32Array, b: Float32Array): number {
  let sumA = 0
  let sumB = 0
  for (let at = 0; at < a.length; at++) {
    sumA += a[at]!
    sumB += b[at]!
  }
  const meanA = sumA / a.length
  const meanB = sumB / a.length
  let both = 0
  let ownA = 0
  let ownB = 0
  for (let at = 0; at < a.length; at++) {
    both += (a[at]! - meanA) * (b[at]! - meanB)
    ownA += (a[at]! - meanA) ** 2
    ownB += (b[at]! - meanB) ** 2
  }
  return ownA > 1e-9 && ownB > 1e-3 ? both / Math.sqrt(ownA * ownB) : 0
}
