/**
 * Whether sound follows a mouth, and how late. The gap of the lips is compared with the opening
 * that the sound asks for (opening.ts) at every delay up to four seconds, in four ways: as it is,
 * twice without its slow part, and by its pace. Chance makes one of them alike at some delay, but
 * hardly all at the same, so their mean counts.
 *
 * The longer the lips speak, the less chance can do: the likeness of strangers scatters with 0.3 ÷
 * √seconds. So a likeness is worth likeness × √seconds, and what several stretches say is added up
 * before it is judged; sound that is late in one take is mostly late in the whole file.
 */
import type { Seconds } from '../speech/voice/vad.ts'
import type { MouthRun } from './lips.ts'
import { openingsPerSecond, readOpening, smoothed } from './opening.ts'

/**
 * A stretch in which one face speaks, with the sums from which its likeness at each delay follows.
 */
export interface SyncWindow extends Seconds {
  /** Seconds in which the lips speak. */
  seconds: number
  ways: Sums[]
}

/** Sums for each delay, over the times that have sound. */
interface Sums {
  products: Float64Array
  sounds: Float64Array
  lips: Float64Array
  /** How many times have sound, for each delay, and how many times there are. */
  heard: Float64Array
  count: number
}

export interface Sync {
  seconds: number
  /** Best likeness within the delays that light, sound and codecs explain. */
  near: number
  /** Highest likeness, and its delay in seconds (positive: the sound is late). */
  best: number
  delay: number
  /** The highest likeness that is not next to the peak. */
  rival: number
}

const rate = openingsPerSecond
const maxDelay = 4 * rate
const delays = 2 * maxDelay + 1
/** Delays up to 120 ms either way count as near zero. */
const nearDelay = 3
const peakWidth = Math.round(0.25 * rate)
/** Rest around speech is included: lips at rest are as much evidence as moving ones. */
const restSeconds = 1
const maxPartSeconds = 20
const maxWindowSeconds = 40
const marginSeconds = 0.5
const minPartSeconds = 0.5
const minHeardShare = 0.4

/** Compares one run with the sound around the stretches where its lips speak. */
export async function compareSync(
  run: MouthRun,
  speaking: readonly Seconds[],
  audioFile: string,
): Promise<SyncWindow[]> {
  const windows: SyncWindow[] = []
  for (const parts of windowsOf(run, speaking)) {
    const span = { start: parts[0]!.start, end: parts.at(-1)!.end }
    const seconds = speaking
      .map(({ start, end }) => Math.min(end, span.end) - Math.max(start, span.start))
      .reduce((sum, shared) => sum + Math.max(0, shared), 0)
    windows.push({ ...span, seconds, ways: await compareWays(run, parts, audioFile) })
  }
  return windows
}

/** Adds up the evidence of several windows; null if there are none. */
export function judgeSync(windows: readonly SyncWindow[]): Sync | null {
  const seconds = windows.reduce((sum, window) => sum + window.seconds, 0)
  const likeness = likenessOf(windows)
  if (seconds === 0 || !likeness) return null
  const peak = likeness.indexOf(Math.max(...likeness))
  return {
    seconds,
    near: Math.max(...likeness.slice(maxDelay - nearDelay, maxDelay + nearDelay + 1)),
    best: likeness[peak]!,
    delay: (peak - maxDelay) / rate,
    rival: Math.max(...likeness.filter((_, at) => Math.abs(at - peak) > peakWidth)),
  }
}

/** Likeness by delay; if only a part of the speaking could be compared, only its seconds count. */
function likenessOf(windows: readonly SyncWindow[]): number[] | null {
  const [first] = windows
  if (!first) return null
  const result = Array.from({ length: delays }, () => 0)
  for (const way of first.ways.keys()) {
    const sums = windows.map((window) => window.ways[way]!)
    const total = (measure: (window: Sums) => number) =>
      sums.reduce((sum, window) => sum + measure(window), 0)
    const count = total((window) => window.count)
    for (let at = 0; at < delays; at++) {
      const share = total((window) => window.heard[at]!) / count
      const power = total((window) => window.lips[at]!) * total((window) => window.sounds[at]!)
      if (share < minHeardShare || power < 1e-9) continue
      const alike = total((window) => window.products[at]!) / Math.sqrt(power)
      result[at] = result[at]! + (alike * Math.sqrt(share)) / first.ways.length
    }
  }
  return result
}

/** Splits stretches, with the rest around them, into groups short enough to be read at once. */
function windowsOf(run: MouthRun, speaking: readonly Seconds[]): Seconds[][] {
  const end = run.start + run.fineGaps.length / rate
  const parts: Seconds[] = []
  for (const span of speaking) {
    const part = {
      start: Math.max(run.start, span.start - restSeconds),
      end: Math.min(end, span.end + restSeconds),
    }
    const last = parts.at(-1)
    if (last && part.start <= last.end) last.end = Math.max(last.end, part.end)
    else parts.push(part)
  }
  const windows: Seconds[][] = []
  for (const part of parts.flatMap(split)) {
    if (part.end - part.start < minPartSeconds) continue
    const last = windows.at(-1)
    if (last && part.end - last[0]!.start <= maxWindowSeconds) last.push(part)
    else windows.push([part])
  }
  return windows
}

function split({ start, end }: Seconds): Seconds[] {
  const count = Math.ceil((end - start) / maxPartSeconds)
  const length = (end - start) / count
  return Array.from({ length: count }, (_, at) => ({
    start: start + at * length,
    end: start + (at + 1) * length,
  }))
}

async function compareWays(
  run: MouthRun,
  parts: readonly Seconds[],
  audioFile: string,
): Promise<SyncWindow['ways']> {
  const indexOf = (seconds: number) => Math.round((seconds - run.start) * rate)
  const from = Math.max(0, indexOf(parts[0]!.start - marginSeconds))
  const to = Math.min(run.fineGaps.length, indexOf(parts.at(-1)!.end + marginSeconds))
  const reach = maxDelay / rate
  const sound = await readOpening(audioFile, {
    start: run.start + from / rate - reach,
    end: run.start + to / rate + reach,
  })
  const lipWays = waysOf(evened(run.fineGaps.slice(from, to)))
  const soundWays = waysOf(evened(sound.values.slice(sound.from, sound.to)))
  return lipWays.map((lips, way) => {
    const sums = noSums()
    for (const part of parts) {
      const first = Math.max(0, indexOf(part.start) - from)
      const own = lips.subarray(first, Math.max(first, indexOf(part.end) - from))
      addPart(sums, own, { values: soundWays[way]!, starts: sound.from - first })
    }
    return sums
  })
}

function noSums(): Sums {
  return {
    products: new Float64Array(delays),
    sounds: new Float64Array(delays),
    lips: new Float64Array(delays),
    heard: new Float64Array(delays),
    count: 0,
  }
}

/** Adds one part to the sums; the sound starts this long after the first lip value at delay 0. */
function addPart(
  sums: Sums,
  lips: Float32Array,
  { values, starts }: { values: Float32Array; starts: number },
): void {
  sums.count += lips.length
  for (let delay = 0; delay < delays; delay++) {
    const from = Math.min(lips.length, Math.max(0, starts - delay))
    const to = Math.max(from, Math.min(lips.length, starts - delay + values.length))
    const moving = centred(lips.subarray(from, to))
    const heard = centred(values.subarray(from + delay - starts, to + delay - starts))
    for (let at = 0; at < moving.length; at++) {
      sums.products[delay]! += moving[at]! * heard[at]!
      sums.sounds[delay]! += heard[at]! ** 2
      sums.lips[delay]! += moving[at]! ** 2
    }
    sums.heard[delay]! += moving.length
  }
}

/** Filters values in four ways: unfiltered, above 1.5 Hz, above 3 Hz, and the rate of change. */
function waysOf(values: Float32Array): Float32Array[] {
  const pace = values.map((_, at) => {
    const before = values[Math.max(0, at - 1)]!
    const after = values[Math.min(values.length - 1, at + 1)]!
    return Math.abs(after - before) / 2
  })
  return [
    values,
    less(values, smoothed(values, 0.09 * rate)),
    less(values, smoothed(values, 0.045 * rate)),
    smoothed(pace, 0.08 * rate),
  ]
}

function less(values: Float32Array, others: Float32Array): Float32Array {
  return values.map((value, at) => value - others[at]!)
}

/** Normalises a window, so that neither mouth size nor recording level weighs; only length does. */
function evened(values: Float32Array): Float32Array {
  const own = centred(values)
  const scatter = Math.sqrt(own.reduce((sum, value) => sum + value * value, 0) / own.length)
  return scatter > 1e-6 ? own.map((value) => value / scatter) : own
}

function centred(values: Float32Array): Float32Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  return values.map((value) => value - mean)
}
