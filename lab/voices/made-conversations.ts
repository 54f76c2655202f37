/**
 * Makes conversations of known speakers: turns of 1.2 to 6 s out of one utterance of each, in a
 * small room with light noise. Everything follows from a seed, so that figures can be checked again.
 */
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { fftOf } from '../../engine/sync/fft.ts'
import { readSound, seeded } from '../sync/sync-cases.ts'

export const madeRate = 16_000

export interface Turn {
  start: number
  end: number
  speaker: string
}

export interface Conversation {
  samples: Int16Array
  turns: Turn[]
}

export interface Speaker {
  id: string
  sound: Float32Array
}

/** Those of the chosen places, in the order of their numbers as `lab/voices/train.py` counts. */
export async function readSpeakers(
  folder: string,
  isChosen: (place: number) => boolean,
): Promise<Speaker[]> {
  const number = (name: string) => Number(name.split('-')[0])
  const names = (await readdir(folder))
    .filter((name) => name.endsWith('.flac'))
    .sort((a, b) => number(a) - number(b))
    .filter((_, place) => isChosen(place))
  return await Promise.all(
    names.map(async (name) => {
      const sound = await readSound(path.join(folder, name))
      return { id: String(number(name)), sound: trimmed(sound.map((value) => value / 32_768)) }
    }),
  )
}

export function makeConversation(
  speakers: readonly Speaker[],
  count: number,
  seed: number,
): Conversation {
  const random = seeded(seed)
  for (;;) {
    const chosen = shuffled(speakers, random).slice(0, count)
    const made = play(chosen, random)
    if (new Set(made.turns.map((turn) => turn.speaker)).size === count) return made
  }
}

function play(speakers: readonly Speaker[], random: () => number): Conversation {
  const between = (low: number, high: number) => low + (high - low) * random()
  const room = between(0.1, 0.35)
  const people = speakers.map(({ id, sound }) => ({
    id,
    left: scaled(sound, (0.05 * 10 ** (between(-3, 3) / 20)) / rms(sound)),
    echo: echoOf(room, random),
  }))
  const turns: Turn[] = []
  const parts: { at: number; sound: Float32Array }[] = []
  let at = Math.round(0.3 * madeRate)
  let last = ''
  const shortest = 1.2 * madeRate
  for (;;) {
    const able = people.filter(({ id, left }) => id !== last && left.length >= shortest)
    if (able.length === 0) break
    const person = able[Math.floor(random() * able.length)]!
    let length = Math.min(person.left.length, Math.round(between(1.2, 6) * madeRate))
    const isLittle = person.left.length - length < shortest
    if (isLittle && person.left.length <= 6 * madeRate) length = person.left.length
    const sound = convolve(person.left.subarray(0, length), person.echo)
    person.left = person.left.subarray(length)
    parts.push({ at, sound })
    const end = at + length
    turns.push({ start: at / madeRate, end: end / madeRate, speaker: person.id })
    at = end + (random() < 0.3 ? 0 : Math.round(between(0.05, 0.7) * madeRate))
    last = person.id
  }
  const mixed = new Float32Array(at + madeRate / 2)
  for (const part of parts) {
    for (let index = 0; index < part.sound.length && part.at + index < mixed.length; index++) {
      mixed[part.at + index] = mixed[part.at + index]! + part.sound[index]!
    }
  }
  addNoise(mixed, { decibels: between(15, 30), colour: Math.floor(random() * 3), random })
  const gain = 10 ** (between(-6, 6) / 20)
  const samples = Int16Array.from(mixed, (value) =>
    Math.max(-32_768, Math.min(32_767, Math.round(value * gain * 32_768))),
  )
  return { samples, turns }
}

/** A direct sound and a noise that decays by 60 dB in so many seconds. */
export function echoOf(seconds: number, random: () => number): Float32Array {
  const strength = 0.02 + 0.04 * random()
  const echo = Float32Array.from({ length: Math.round(seconds * madeRate) }, (_, at) => {
    const fade = Math.exp((-6.9 * at) / (seconds * madeRate))
    return gaussian(random) * fade * strength * (at < 32 ? 0.3 : 1)
  })
  echo[0] = 1
  return echo
}

/** White, pink or brown. */
export function addNoise(
  sound: Float32Array,
  { decibels, colour, random }: { decibels: number; colour: number; random: () => number },
): void {
  const noise = new Float32Array(sound.length)
  const slow = [0, 0, 0]
  for (let at = 0; at < noise.length; at++) {
    const white = gaussian(random)
    slow[0] = 0.997 * slow[0]! + 0.03 * white
    slow[1] = 0.96 * slow[1]! + 0.09 * white
    slow[2] = 0.6 * slow[2]! + 0.2 * white
    if (colour === 0) noise[at] = white
    else if (colour === 1) noise[at] = slow[0] + slow[1] + slow[2]
    else noise[at] = slow[0]
  }
  const gain = (rms(sound) / rms(noise)) * 10 ** (-decibels / 20)
  for (let at = 0; at < sound.length; at++) sound[at] = sound[at]! + noise[at]! * gain
}

export function convolve(sound: Float32Array, echo: Float32Array): Float32Array {
  const length = sound.length + echo.length - 1
  const size = 2 ** Math.ceil(Math.log2(length))
  const { transform } = fftOf(size)
  // Two real signals in one complex transform: their product is the imaginary part of half the square.
  const real = new Float64Array(size)
  const imaginary = new Float64Array(size)
  real.set(sound)
  imaginary.set(echo)
  transform(real, imaginary)
  const [re, im] = [new Float64Array(size), new Float64Array(size)]
  for (let at = 0; at < size; at++) {
    re[at] = (real[at]! ** 2 - imaginary[at]! ** 2) / size
    im[at] = (2 * real[at]! * imaginary[at]!) / size
  }
  transform(im, re)
  return Float32Array.from(im.subarray(0, length), (value) => value / 2)
}

function trimmed(sound: Float32Array): Float32Array {
  const step = 320
  const levels: number[] = []
  for (let at = 0; at + step <= sound.length; at += step) {
    levels.push(rms(sound.subarray(at, at + step)))
  }
  const limit = Math.max(...levels) * 0.04
  const first = levels.findIndex((level) => level > limit)
  const last = levels.findLastIndex((level) => level > limit)
  return sound.slice(first * step, (last + 1) * step)
}

export function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const keyed = items.map((item) => ({ item, key: random() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item)
}

export function scaled(sound: Float32Array, gain: number): Float32Array {
  return sound.map((value) => value * gain)
}

export function rms(sound: Float32Array): number {
  let sum = 0
  for (const value of sound) sum += value * value
  return Math.sqrt(sum / Math.max(1, sound.length)) + 1e-12
}

function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
