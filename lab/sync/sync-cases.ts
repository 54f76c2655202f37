/**
 * Makes pairs of recordings of one scene whose offset and drift are known: a recorder near the
 * mouth, and a camera across the room with noise, reverb, echoes and a clock of its own. Everything
 * follows from a seed, so that figures can be checked again.
 */
import { seeded, shuffled } from '../../test/support/random.ts'
import { convolve, madeRate } from '../sound.ts'

export interface Recipe {
  name: string
  seed: number
  /** Length of the camera's file. */
  seconds: number
  snrDb: number
  reverbSeconds: number
  driftPpm: number
  /** The echo that is louder than the direct sound, if any, in seconds after it. */
  echoSeconds: number | null
  noise: 'white' | 'pink' | 'babble'
  rates: [number, number]
  /** Position of the camera's recording relative to the recorder's. */
  place: 'inside' | 'starts early' | 'ends late'
}

export interface MadePair {
  recorder: Int16Array
  camera: Int16Array
  /** Second of the recorder at which the camera begins. */
  offset: number
}

/** So many seconds of turns of many voices, each at a pitch of its own, so that nothing repeats. */
function makeScene(
  voices: readonly Float32Array[],
  seconds: number,
  random: () => number,
): Float32Array {
  const scene = new Float32Array(Math.ceil(seconds * madeRate))
  let order: Float32Array[] = []
  for (let at = 0; at < scene.length;) {
    if (order.length === 0) order = shuffled(voices, random)
    const voice = order.pop()!
    const pace = 0.86 + 0.3 * random()
    const gain = 0.5 + random()
    const length = Math.min(Math.floor(voice.length / pace) - 2, scene.length - at)
    for (let index = 0; index < length; index++) {
      scene[at + index] = gain * between(voice, index * pace)
    }
    at += length + Math.floor((0.2 + 1.2 * random()) * madeRate)
  }
  return scene
}

export function makePair(recipe: Recipe, voices: readonly Float32Array[]): MadePair {
  const random = seeded(recipe.seed)
  const { seconds, driftPpm, place } = recipe
  const stretch = 1 + driftPpm / 1e6
  const extra = Math.min(400, Math.max(4, seconds * (0.2 + 0.6 * random())))
  const scene = makeScene(voices, seconds * 1.001 + 2 * extra + 2, random)
  const cameraStart = extra * (0.3 + 0.6 * random())
  const recorderStart = place === 'starts early' ? cameraStart + seconds * 0.35 : extra * 0.25
  const recorderEnd =
    place === 'ends late' ? cameraStart + seconds * 0.65 : cameraStart + seconds + extra * 0.8
  const near = scene.slice(Math.round(recorderStart * madeRate), Math.round(recorderEnd * madeRate))
  const far = new Float32Array(Math.round(seconds * madeRate))
  for (let at = 0; at < far.length; at++) {
    far[at] = between(scene, cameraStart * madeRate + at * stretch)
  }
  const room = roomOf(recipe, random)
  const heard = convolve(far, room)
  addNoise(heard, { kind: recipe.noise, snrDb: recipe.snrDb, random, voices })
  const close = convolve(near, roomOf({ reverbSeconds: 0.2, echoSeconds: null }, random, 9))
  addNoise(close, { kind: 'white', snrDb: 30, random, voices })
  return {
    recorder: toSamples(close),
    camera: toSamples(heard),
    offset: cameraStart - Math.round(recorderStart * madeRate) / madeRate,
  }
}

/** Two scenes that have nothing in common, though their voices and their hum may be the same. */
export function makeStrangers(
  seed: number,
  seconds: [number, number],
  voices: readonly Float32Array[],
): [Int16Array, Int16Array] {
  const random = seeded(seed)
  const withHum = random() < 0.4
  const scene = (length: number): Int16Array => {
    const sound = convolve(
      makeScene(voices, length, random),
      roomOf({ reverbSeconds: 0.2 + 0.4 * random(), echoSeconds: null }, random),
    )
    const kind = (['white', 'pink', 'babble'] as const)[Math.floor(random() * 3)]!
    addNoise(sound, { kind, snrDb: -5 + 25 * random(), random, voices })
    if (withHum) {
      const phase = random() * 6
      for (let at = 0; at < sound.length; at++) {
        for (const tone of [50, 100, 150, 250, 350]) {
          sound[at]! += 300 * Math.sin(phase + (2 * Math.PI * tone * at) / madeRate)
        }
      }
    }
    return toSamples(sound)
  }
  return [scene(seconds[0]), scene(seconds[1])]
}

/** Direct sound, a few early reflections, and a tail that falls by 60 dB in the reverb's time. */
function roomOf(
  { reverbSeconds, echoSeconds }: { reverbSeconds: number; echoSeconds: number | null },
  random: () => number,
  directOverRoomDb = -2 + 7 * random(),
): Float32Array {
  const room = new Float32Array(Math.ceil(reverbSeconds * madeRate))
  let energy = 0
  for (let at = Math.floor(0.002 * madeRate); at < room.length; at++) {
    const decay = Math.exp((-6.91 * at) / (reverbSeconds * madeRate))
    const isEarly = at < 0.03 * madeRate
    const value = isEarly ? (random() < 0.03 ? normal(random) * 4 : 0) : normal(random)
    room[at] = value * decay
    energy += room[at]! ** 2
  }
  const scale = Math.sqrt(10 ** (-directOverRoomDb / 10) / Math.max(energy, 1e-9))
  for (let at = 0; at < room.length; at++) room[at]! *= scale
  room[0] = 1
  if (echoSeconds !== null) room[Math.round(echoSeconds * madeRate)]! += 1.15
  return room
}

interface NoiseOptions {
  kind: Recipe['noise']
  snrDb: number
  random: () => number
  voices: readonly Float32Array[]
}

function addNoise(sound: Float32Array, { kind, snrDb, random, voices }: NoiseOptions): void {
  const noise =
    kind === 'babble'
      ? makeBabble(voices, sound.length, random)
      : Float32Array.from(sound, () => normal(random))
  if (kind === 'pink') {
    let slow = 0
    for (let at = 0; at < noise.length; at++) {
      slow = 0.97 * slow + noise[at]!
      noise[at] = slow
    }
  }
  const scale = Math.sqrt(powerOf(sound) / powerOf(noise) / 10 ** (snrDb / 10))
  for (let at = 0; at < sound.length; at++) sound[at]! += noise[at]! * scale
}

/** Four conversations at once. */
function makeBabble(
  voices: readonly Float32Array[],
  length: number,
  random: () => number,
): Float32Array {
  const babble = new Float32Array(length)
  for (let layer = 0; layer < 4; layer++) {
    const scene = makeScene(voices, length / madeRate, random)
    for (let at = 0; at < length; at++) babble[at]! += scene[at]!
  }
  return babble
}

/** Half the rate, after a low-pass: 8 kHz, as the engine decodes. */
export function halveRate(samples: Int16Array): Int16Array {
  const half = 15
  const taps = Array.from({ length: 2 * half + 1 }, (_, index) => {
    const at = index - half
    const window = 0.54 + 0.46 * Math.cos((Math.PI * at) / half)
    return window * (at === 0 ? 0.47 : Math.sin(Math.PI * 0.47 * at) / (Math.PI * at))
  })
  return Int16Array.from({ length: samples.length >> 1 }, (_, index) => {
    let sum = 0
    for (const [tap, weight] of taps.entries()) {
      sum += weight * (samples[2 * index + tap - half] ?? 0)
    }
    return sum
  })
}

function toSamples(sound: Float32Array): Int16Array {
  const scale = 3000 / Math.sqrt(powerOf(sound))
  return Int16Array.from(sound, (value) => Math.max(-32_768, Math.min(32_767, value * scale)))
}

function powerOf(sound: Float32Array): number {
  let sum = 0
  for (const value of sound) sum += value * value
  return Math.max(sum / sound.length, 1e-9)
}

/** Between samples, by a cubic through four of them. */
function between(sound: Float32Array, place: number): number {
  const at = Math.floor(place)
  const part = place - at
  const [p, q, r, s] = [sound[at - 1] ?? 0, sound[at] ?? 0, sound[at + 1] ?? 0, sound[at + 2] ?? 0]
  const curve = 2 * p - 5 * q + 4 * r - s + part * (3 * (q - r) + s - p)
  return q + 0.5 * part * (r - p + part * curve)
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random())
}
