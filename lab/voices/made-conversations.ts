/**
 * Makes conversations of known speakers: turns of 1.2 to 6 s out of one utterance of each, in a
 * small room with light noise, from a seed.
 */
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { seeded, shuffled } from '../../test/support/random.ts'
import { convolve, madeRate, readSound } from '../sound.ts'
import type { Turn } from '../sound.ts'

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
  return untilAllSpeak(count, () => play(shuffled(speakers, random).slice(0, count), random))
}

/** Makes another one until every speaker has a turn. */
export function untilAllSpeak<Made extends { turns: Turn[] }>(
  count: number,
  make: () => Made,
): Made {
  for (;;) {
    const conversation = make()
    if (new Set(conversation.turns.map((turn) => turn.speaker)).size === count) return conversation
  }
}

export interface Person {
  id: string
  /** Speech that is not spoken yet. */
  left: Float32Array
}

export interface Part {
  person: number
  at: number
  sound: Float32Array
}

/** Turns of 1.2 to 6 s while anybody but the last speaker has speech left. */
export function takeTurns(
  people: readonly Person[],
  {
    startSeconds,
    gapSeconds,
    random,
    keepsRest = false,
  }: { startSeconds: number; gapSeconds: () => number; random: () => number; keepsRest?: boolean },
): { turns: Turn[]; parts: Part[]; end: number } {
  const shortest = 1.2 * madeRate
  const turns: Turn[] = []
  const parts: Part[] = []
  let at = Math.round(startSeconds * madeRate)
  let last = -1
  for (;;) {
    const able = [...people.keys()].filter(
      (person) => person !== last && people[person]!.left.length >= shortest,
    )
    if (able.length === 0) return { turns, parts, end: at }
    last = able[Math.floor(random() * able.length)]!
    const person = people[last]!
    let length = Math.min(person.left.length, Math.round((1.2 + 4.8 * random()) * madeRate))
    const isLittle = person.left.length - length < shortest
    if (keepsRest && isLittle && person.left.length <= 6 * madeRate) length = person.left.length
    parts.push({ person: last, at, sound: person.left.subarray(0, length) })
    person.left = person.left.subarray(length)
    turns.push({ start: at / madeRate, end: (at + length) / madeRate, speaker: person.id })
    at += length + Math.round(gapSeconds() * madeRate)
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
  const gapSeconds = () => (random() < 0.3 ? 0 : between(0.05, 0.7))
  const options = { startSeconds: 0.3, gapSeconds, random, keepsRest: true }
  const { turns, parts, end } = takeTurns(people, options)
  const mixed = new Float32Array(end + madeRate / 2)
  for (const { person, at, sound } of parts) {
    const heard = inRoom(sound, people[person]!.echo)
    for (let index = 0; index < heard.length && at + index < mixed.length; index++) {
      mixed[at + index]! += heard[index]!
    }
  }
  addNoise(mixed, { decibels: between(15, 30), colour: Math.floor(random() * 3), random })
  return { samples: toSamples(scaled(mixed, 10 ** (between(-6, 6) / 20))), turns }
}

/** A sound with the echo that outlasts it. */
export function inRoom(sound: Float32Array, echo: Float32Array): Float32Array {
  const padded = new Float32Array(sound.length + echo.length - 1)
  padded.set(sound)
  return convolve(padded, echo)
}

export function toSamples(sound: Float32Array): Int16Array {
  return Int16Array.from(sound, (value) =>
    Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768))),
  )
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
