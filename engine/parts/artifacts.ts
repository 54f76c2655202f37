/**
 * Files that parts of a film hand to each other in a folder: its plan, measurements of its frames
 * and its sound, and the files that those name.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import v8 from 'node:v8'
import * as z from 'zod'
import { proxySoundName } from '../pass/plan.ts'
import type { MediaDetails } from '../probe.ts'
import type { Hearing } from '../speech/hear-windows.ts'
import { sampleRate } from '../speech/voice/vad.ts'
import type { Seconds } from '../speech/voice/vad.ts'
import { planWindows } from '../speech/whisper/windows.ts'
import { createClock } from '../time/clock.ts'
import type { VoiceTurn } from '../voices/tell-apart.ts'
import { groupWindows } from './group-speech.ts'
import type { HeardFilm } from './hear-film.ts'
import type { FilmPieces, WatchedFilm } from './join-film.ts'
import type { SeenPart } from './look-at-part.ts'
import { measuresVersion } from './measures-version.ts'
import type { Film } from './plan-film.ts'
import type { SpeechPreview } from './preview-speech.ts'

export const filmName = 'film.bin'
/** The source file, for parts that cannot open it as the first worker did. */
export const sourceName = 'source'
export const heardName = 'heard.bin'
export const seenName = 'seen.bin'
export const watchedName = 'watched.bin'
export const hearingsName = 'hearings.bin'
/** Read while other parts still run; a join does not use it. */
export const previewName = 'preview.json'
export const speechName = 'speech.bin'
export const turnsName = 'turns.bin'

/** Files that each part of a kind writes under the same name. */
const ofEachPart = [seenName, hearingsName]

/** The file of the group with this number: its sound. */
export function speechSoundName(position: number): string {
  return `speech-${String(position).padStart(4, '0')}.s16`
}

const unjoined = new Set([sourceName, previewName, speechName])

/** True if a join reads the file; a join needs neither the source nor the files of speech parts. */
export function isJoined(name: string): boolean {
  return !unjoined.has(name) && !/^speech-\d+\.s16$/.test(name)
}

/**
 * File name with a position: parts of one kind use equal names, which must differ in one folder.
 */
export function pieceName(name: string, position: number): string {
  return ofEachPart.includes(name) ? `${position}-${name}` : name
}

/** Reads all artifacts from the folder to which they were brought. */
export async function readPieces(folder: string): Promise<FilmPieces> {
  const film = await readFilm(folder)
  const names = new Set(await readdir(folder))
  const proxy = names.has(proxySoundName) ? proxySoundName : null
  const heard = { ...(await readHeard(folder)), proxy }
  const watched = names.has(watchedName) ? await read<WatchedFilm>(folder, watchedName) : null
  const parts: SeenPart[] = []
  for (const position of watched ? [] : film.segments.keys()) {
    parts.push(await read<SeenPart>(folder, pieceName(seenName, position)))
  }
  const hearings = await readAll<Hearing[]>(folder, hearingsName)
  return {
    film,
    parts,
    watched,
    heard,
    hearings: film.hearsWords ? hearings.flat() : null,
    turns: names.has(turnsName) ? await read<VoiceTurn[]>(folder, turnsName) : null,
  }
}

/** Reads all files of that name that parts wrote, in the order of the parts. */
export async function readAll<Value>(folder: string, name: string): Promise<Value[]> {
  const names = new Set(await readdir(folder))
  const values: Value[] = []
  while (names.has(pieceName(name, values.length))) {
    values.push(await read<Value>(folder, pieceName(name, values.length)))
  }
  return values
}

/** Speech for one part, between two pauses: as much as `Film.speechSeconds` says. */
export interface SpeechGroup {
  windows: Seconds[]
  /** File of the group's sound, and its first sample in the film. */
  file: string
  firstSample: number
}

/** The voice of a film and its division into speech parts. */
export interface HeardSpeech {
  voice: Float32Array
  groups: SpeechGroup[]
}

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

export async function writeWatched(folder: string, watched: WatchedFilm): Promise<void> {
  await write(folder, watchedName, watched)
}

export async function writeSeen(folder: string, seen: SeenPart): Promise<void> {
  await write(folder, seenName, seen)
}

/** Writes names instead of paths: the reader has a folder of its own. */
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
  groupSeconds: number,
): Promise<HeardSpeech | null> {
  if (!speech || !voice) return null
  const groups: SpeechGroup[] = []
  for (const windows of groupWindows(planWindows(voice), groupSeconds)) {
    const file = speechSoundName(groups.length)
    const firstSample = Math.round(Math.min(...windows.map(({ start }) => start)) * sampleRate)
    const end = Math.round(Math.max(...windows.map((window) => window.end)) * sampleRate)
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

export async function writePreview(folder: string, preview: SpeechPreview): Promise<void> {
  await writeFile(path.join(folder, previewName), JSON.stringify(preview))
}

/** Who speaks when, by the sound alone. */
export async function writeTurns(folder: string, turns: readonly VoiceTurn[]): Promise<void> {
  await write(folder, turnsName, turns)
}

export async function write(folder: string, name: string, value: unknown): Promise<void> {
  await writeFile(path.join(folder, name), v8.serialize({ version: measuresVersion, value }))
}

/** Whatever one version of the engine wrote has the shape that the same version reads. */
const Written = z.object({ version: z.literal(measuresVersion), value: z.unknown() })

async function read<Value>(folder: string, name: string): Promise<Value> {
  return Written.parse(v8.deserialize(await readFile(path.join(folder, name)))).value as Value
}
