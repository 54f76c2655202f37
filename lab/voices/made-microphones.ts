/**
 * Makes conversations in which everyone wears a microphone: each track has its speaker, the others
 * 10 to 25 dB quieter and 1 to 10 ms later through the room, with its own gain and noise. One turn
 * in five begins before the last one ends.
 */
import { seeded, shuffled } from '../../test/support/random.ts'
import { madeRate } from '../sound.ts'
import type { Turn } from '../sound.ts'
import {
  addNoise,
  echoOf,
  inRoom,
  rms,
  scaled,
  takeTurns,
  toSamples,
  untilAllSpeak,
} from './made-conversations.ts'
import type { Speaker } from './made-conversations.ts'

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
  return untilAllSpeak(count, () => record(shuffled(speakers, random).slice(0, count), random))
}

function record(speakers: readonly Speaker[], random: () => number): Recording {
  const between = (low: number, high: number) => low + (high - low) * random()
  const { spoken, turns } = talk(speakers, random)
  const room = between(0.15, 0.4)
  const decibels = between(15, 35)
  const sounds = speakers.map((_, mic) => {
    const heard = new Float32Array(spoken[0]!.length)
    for (const [speaker, dry] of spoken.entries()) {
      const isOwn = speaker === mic
      const echo = echoOf(isOwn ? room / 2 : room, random)
      const sound = inRoom(dry, isOwn ? echo : thickened(echo))
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

/** The words of each, on a clock that all share. */
function talk(
  speakers: readonly Speaker[],
  random: () => number,
): { spoken: Float32Array[]; turns: Turn[] } {
  const between = (low: number, high: number) => low + (high - low) * random()
  const people = speakers.map(({ id, sound }) => ({
    id,
    left: scaled(sound, (0.05 * 10 ** (between(-3, 3) / 20)) / rms(sound)),
  }))
  const gapSeconds = () => (random() < 0.2 ? -between(0.2, 0.8) : between(0, 0.7))
  const { turns, parts, end } = takeTurns(people, { startSeconds: 0.5, gapSeconds, random })
  const spoken = people.map(() => new Float32Array(end + 2 * madeRate))
  for (const part of parts) spoken[part.person]!.set(part.sound, part.at)
  return { spoken, turns }
}

/** More of the room and less of the voice: that is how it comes to the others. */
function thickened(echo: Float32Array): Float32Array {
  return echo.map((value, at) => (at === 0 ? value : value * 2.5))
}
