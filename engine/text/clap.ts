/**
 * Finds the frame in which a clapperboard closes. The sound of it is the sharpest attack around the
 * slate: near silence, then within 5 ms a crack with much treble. In the picture the stick moves
 * above the slate's text for a few frames and stops. Each attack is weighed by both; without sound
 * the picture alone decides, and says so.
 */
import { open } from 'node:fs/promises'
import { toNumber } from '../../domain/time/rational.ts'
import { audioRate } from '../pass/plan.ts'
import type { FrameClock } from '../time/clock.ts'
import type { BlockMotion, Part } from './block-motion.ts'

export interface Clap {
  frame: number
  confidence: number
  heard: boolean
  seen: boolean
}

export interface ClapInput {
  clock: FrameClock
  /** The frames in which the slate is seen. */
  startFrame: number
  endFrame: number
  /** The slate's text; the sticks are above it. */
  box: Part
  sound: { file: string; samples: number } | null
  motion: BlockMotion | null
}

const hop = audioRate / 200
/** Range of sound around the slate's sightings: its last reading may be early. */
const secondsBefore = 0.6
const secondsAfter = 1
/** Decibels above what was heard before it. */
const minRise = 14
const minStop = 1.2

export async function findClap(input: ClapInput): Promise<Clap | null> {
  const { clock, startFrame, endFrame, sound } = input
  const from = toNumber(clock.timeOf(startFrame)) - secondsBefore
  const to = toNumber(clock.timeOf(endFrame)) + secondsAfter
  const attacks = sound ? await findAttacks(sound, from, to) : []
  const stops = frameStops(input)
  let best: { clap: Clap; score: number } | null = null
  for (const { seconds, rise } of attacks) {
    const frame = Math.min(clock.frames - 1, clock.frameAt(seconds))
    const stop = Math.max(...[-2, -1, 0, 1, 2].map((by) => stops.get(frame + by) ?? 0))
    const seen = stop > minStop
    const score = rise + 8 * Math.min(3, stop)
    const confidence = Math.min(0.99, (rise / 40) * (seen ? 1 : 0.7) + (seen ? 0.25 : 0))
    if (!best || score > best.score) {
      best = { score, clap: { frame, confidence: round(confidence), heard: true, seen } }
    }
  }
  if (best) return best.clap
  const [frame, stop] = [...stops].toSorted((a, b) => b[1] - a[1])[0] ?? [0, 0]
  if (stop < 2 * minStop) return null
  return { frame, confidence: round(Math.min(0.6, stop / 10)), heard: false, seen: true }
}

/** Frames at which motion above the slate ends at once: ln of the motion before over that after. */
function frameStops({ motion, box, startFrame, endFrame }: ClapInput): Map<number, number> {
  const stops = new Map<number, number>()
  if (!motion) return stops
  const height = Math.max(0.15, box.height * 0.6)
  const top = Math.max(0, box.y - height)
  const sticks = { x: box.x, y: top, width: box.width, height: box.y - top + 0.02 }
  const mean = (from: number, to: number): number => {
    let sum = 0
    for (let frame = from; frame < to; frame++) sum += motion.at(frame, sticks)
    return sum / (to - from)
  }
  const last = Math.min(endFrame, motion.frames - 4)
  for (let frame = Math.max(4, startFrame); frame < last; frame++) {
    const before = Math.max(mean(frame - 2, frame + 1), mean(frame - 1, frame + 1))
    const after = mean(frame + 1, frame + 4)
    if (before > 1.5) stops.set(frame, Math.log((before + 0.3) / (after + 0.3)))
  }
  return stops
}

interface Attack {
  seconds: number
  rise: number
}

async function findAttacks(
  sound: { file: string; samples: number },
  from: number,
  to: number,
): Promise<Attack[]> {
  const lead = 0.2
  const first = Math.max(0, Math.floor((from - lead) * audioRate))
  const last = Math.min(sound.samples, Math.ceil((to + lead) * audioRate))
  if (last - first < 40 * hop) return []
  const samples = await readSamples(sound.file, first, last)
  const levels = trebleLevels(samples)
  const attacks: Attack[] = []
  for (let at = 30; at < levels.length - 2; at++) {
    const isPeak = levels[at]! >= levels[at - 1]! && levels[at]! > levels[at + 1]! - 1
    if (!isPeak) continue
    const before = mean(levels, at - 24, at - 2)
    const rise = levels[at]! - before
    // A voice swells over several hops; a clap is there within one or two.
    const sharp = levels[at]! - levels[at - 3]!
    if (rise < minRise || sharp < minRise * 0.7) continue
    const start = attackStart(samples, at * hop)
    const seconds = (first + start) / audioRate
    if (seconds < from || seconds > to) continue
    attacks.push({ seconds, rise: Math.min(45, (rise + sharp) / 2) })
  }
  return attacks
}

async function readSamples(file: string, first: number, last: number): Promise<Int16Array> {
  const bytes = Buffer.alloc((last - first) * 2)
  await using handle = await open(file, 'r')
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, first * 2)
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytesRead >> 1)
}

/** Decibels of the differences between samples, which are mostly treble, in each 5 ms. */
function trebleLevels(samples: Int16Array): Float32Array {
  const levels = new Float32Array(Math.floor(samples.length / hop))
  for (let at = 0; at < levels.length; at++) {
    let power = 1
    const end = (at + 1) * hop
    for (let index = Math.max(1, at * hop); index < end; index++) {
      power += (samples[index]! - samples[index - 1]!) ** 2 / hop
    }
    levels[at] = 10 * Math.log10(power)
  }
  return levels
}

/** The sample at which the attack begins: the first that is a fifth as strong as its peak. */
function attackStart(samples: Int16Array, near: number): number {
  const from = Math.max(1, near - 2 * hop)
  const to = Math.min(samples.length, near + hop)
  let peak = 0
  for (let at = from; at < to; at++)
    peak = Math.max(peak, Math.abs(samples[at]! - samples[at - 1]!))
  for (let at = from; at < to; at++) {
    if (Math.abs(samples[at]! - samples[at - 1]!) >= peak / 5) return at
  }
  return near
}

function mean(values: Float32Array, from: number, to: number): number {
  let sum = 0
  for (let at = Math.max(0, from); at < to; at++) sum += values[at]!
  return sum / Math.max(1, to - Math.max(0, from))
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
