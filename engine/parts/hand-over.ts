/**
 * What parts of a film hand to each other, as files of a folder: the film itself, what was seen and
 * heard of it, and the files that those name.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import v8 from 'node:v8'
import type { MediaDetails } from '../probe.ts'
import type { Hearing } from '../speech/hear-windows.ts'
import { sampleRate } from '../speech/voice/vad.ts'
import type { Seconds } from '../speech/voice/vad.ts'
import { planWindows } from '../speech/whisper/windows.ts'
import { createClock } from '../time/clock.ts'
import type { HeardFilm } from './hear-film.ts'
import type { SeenPart } from './look-at-part.ts'
import type { Film } from './plan-film.ts'

export const filmName = 'film.bin'
export const heardName = 'heard.bin'
export const seenName = 'seen.bin'
export const hearingsName = 'hearings.bin'

/** Windows that are heard by one part: about five minutes of speech, between two pauses. */
export interface SpeechGroup {
  windows: Seconds[]
  /** Their sound, in the folder, and the sample that it begins with. */
  file: string
  firstSample: number
}

/** What speech parts need to know, without the microphones and the rest. */
export interface HeardSpeech {
  voice: Float32Array
  groups: SpeechGroup[]
}

const groupSeconds = 300
export const speechName = 'speech.bin'

export async function writeFilm(folder: string, film: Film): Promise<void> {
  const { clock, ...details } = film.details
  const { rate, frames } = clock
  await write(folder, filmName, { ...film, details, clock: { rate, frames } })
}

export async function readFilm(folder: string): Promise<Film> {
  type Written = Omit<Film, 'details'> & {
    details: Omit<MediaDetails, 'clock'>
    clock: Pick<MediaDetails['clock'], 'rate' | 'frames'>
  }
  const { clock, details, ...film } = await read<Written>(folder, filmName)
  const { pts = null, timeBase, lastTicks } = details.video ?? {}
  const times = pts ? { pts, timeBase, lastTicks } : {}
  return { ...film, details: { ...details, clock: createClock({ ...clock, ...times }) } }
}

export async function writeSeen(folder: string, seen: SeenPart): Promise<void> {
  await write(folder, seenName, seen)
}

export async function readSeen(folder: string, name: string): Promise<SeenPart> {
  return await read<SeenPart>(folder, name)
}

/** Paths become names: the reader has a folder of its own. */
export async function writeHeard(folder: string, heard: HeardFilm): Promise<void> {
  const named = (sound: HeardFilm['sound']) =>
    sound && { ...sound, file: path.basename(sound.file) }
  await write(folder, heardName, {
    ...heard,
    sound: named(heard.sound),
    speech: named(heard.speech),
  })
}

export async function readHeard(folder: string): Promise<HeardFilm> {
  const heard = await read<HeardFilm>(folder, heardName)
  const placed = (sound: HeardFilm['sound']) =>
    sound && { ...sound, file: path.join(folder, sound.file) }
  return { ...heard, sound: placed(heard.sound), speech: placed(heard.speech) }
}

/** Cuts the speech of a film into groups of windows, each with its own sound. */
export async function writeSpeech(
  folder: string,
  { speech, voice }: HeardFilm,
): Promise<HeardSpeech | null> {
  if (!speech || !voice) return null
  const groups: SpeechGroup[] = []
  for (const windows of groupWindows(planWindows(voice))) {
    const file = `speech-${String(groups.length).padStart(4, '0')}.s16`
    const firstSample = Math.round(windows[0]!.start * sampleRate)
    const end = Math.round(windows.at(-1)!.end * sampleRate)
    await pipeline(
      createReadStream(speech.file, { start: firstSample * 2, end: end * 2 - 1 }),
      createWriteStream(path.join(folder, file)),
    )
    groups.push({ windows, file, firstSample })
  }
  const heard = { voice, groups }
  await write(folder, speechName, heard)
  return heard
}

export async function readSpeech(folder: string): Promise<HeardSpeech> {
  return await read<HeardSpeech>(folder, speechName)
}

export async function writeHearings(folder: string, hearings: readonly Hearing[]): Promise<void> {
  await write(folder, hearingsName, hearings)
}

export async function readHearings(folder: string, name: string): Promise<Hearing[]> {
  return await read<Hearing[]>(folder, name)
}

function groupWindows(windows: readonly Seconds[]): Seconds[][] {
  const groups: Seconds[][] = []
  let seconds = Infinity
  for (const window of windows) {
    if (seconds >= groupSeconds) {
      groups.push([])
      seconds = 0
    }
    groups.at(-1)!.push(window)
    seconds += window.end - window.start
  }
  return groups
}

async function write(folder: string, name: string, value: unknown): Promise<void> {
  await writeFile(path.join(folder, name), v8.serialize(value))
}

async function read<Value>(folder: string, name: string): Promise<Value> {
  return v8.deserialize(await readFile(path.join(folder, name))) as Value
}
