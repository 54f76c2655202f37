/**
 * Makes conversations in which everyone wears a microphone of his own: each track has its speaker,
 * the others 10 to 25 dB quieter and 1 to 10 ms later through the room, a gain and noise of its own.
 * One turn in five begins before the last one ends. Everything follows from a seed.
 */
import {
  addNoise,
  convolve,
  echoOf,
  madeRate,
  rms,
  scaled,
  shuffled,
} from './made-conversations.ts'
import type { Speaker, Turn } from './made-conversations.ts'
import { seeded } from '../sync/sync-cases.ts'

export interface Recording {
  tracks: Int16Array[]
  /** All tracks in one, as a stereo or mono mix has them. */
  mix: Int16Array
  turns: Turn[]
}

export function recordMicrophones(
  speakers: readonly Speaker[],
  count: number,
  seed: number,
): Recording {
  const random = seeded(seed)
  for (;;) {
    const made = record(shuffled(speakers, random).slice(0, count), random)
    if (new Set(made.turns.map((turn) => turn.speaker)).size === count) return made
  }
}

function record(speakers: readonly Speaker[], random: () => number): Recording {
  const between = (low: number, high: number) => low + (high - low) * random()
  const { spoken, turns } = talk(speakers, between)
  const room = between(0.15, 0.4)
  const decibels = between(15, 35)
  const sounds = speakers.map((_, mic) => {
    const heard = new Float32Array(spoken[0]!.length)
    for (const [speaker, dry] of spoken.entries()) {
      const isOwn = speaker === mic
      const echo = echoOf(isOwn ? room / 2 : room, random)
      const sound = convolve(dry, isOwn ? echo : thickened(echo))
      const gain = isOwn ? 1 : 10 ** (-between(10, 25) / 20) * (rms(dry) / rms(sound))
      const delay = isOwn ? 0 : Math.round(between(0.001, 0.01) * madeRate)
      for (let at = delay; at < heard.length; at++) heard[at]! += sound[at - delay]! * gain
    }
    addNoise(heard, { decibels, colour: Math.floor(random() * 3), random })
    return scaled(heard, 10 ** (between(-6, 6) / 20))
  })
  const mix = sounds[0]!.map((_, at) => sounds.reduce((sum, sound) => sum + sound[at]!, 0))
  return { tracks: sounds.map(toSamples), mix: toSamples(scaled(mix, 0.5)), turns }
}

/** What each says, on a clock that all share. */
function talk(
  speakers: readonly Speaker[],
  between: (low: number, high: number) => number,
): { spoken: Float32Array[]; turns: Turn[] } {
  const people = speakers.map(({ id, sound }) => ({
    id,
    left: scaled(sound, (0.05 * 10 ** (between(-3, 3) / 20)) / rms(sound)),
  }))
  const turns: Turn[] = []
  const parts: { person: number; at: number; sound: Float32Array }[] = []
  const shortest = 1.2 * madeRate
  let at = Math.round(0.5 * madeRate)
  let last = -1
  for (;;) {
    const able = people.flatMap(({ left }, index) =>
      index !== last && left.length >= shortest ? [index] : [],
    )
    if (able.length === 0) break
    const person = able[Math.floor(between(0, able.length))]!
    const { id, left } = people[person]!
    const length = Math.min(left.length, Math.round(between(1.2, 6) * madeRate))
    parts.push({ person, at, sound: left.subarray(0, length) })
    people[person]!.left = left.subarray(length)
    turns.push({ start: at / madeRate, end: (at + length) / madeRate, speaker: id })
    const gap = between(0, 1) < 0.2 ? -between(0.2, 0.8) : between(0, 0.7)
    at += length + Math.round(gap * madeRate)
    last = person
  }
  const spoken = people.map(() => new Float32Array(at + 2 * madeRate))
  for (const part of parts) spoken[part.person]!.set(part.sound, part.at)
  return { spoken, turns }
}

/** More of the room and less of the voice: that is how it comes to the others. */
function thickened(echo: Float32Array): Float32Array {
  return echo.map((value, at) => (at === 0 ? value : value * 2.5))
}

function toSamples(sound: Float32Array): Int16Array {
  return Int16Array.from(sound, (value) =>
    Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768))),
  )
}
