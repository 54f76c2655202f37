/** Joins what was seen and heard of a film to the signals that one pass over a clip gathers. */
import path from 'node:path'
import type { Faults, Need, PassFiles } from '../extractors/extractor.ts'
import type { Gathered } from '../extractors/gather.ts'
import { spriteGrid, watchChanges } from '../extractors/see-frames.ts'
import { joinSightings, recogniseFaces } from '../faces/recognise-faces.ts'
import type { FaceTracks } from '../faces/recognise-faces.ts'
import { readFrames } from '../pass/kept-frames.ts'
import type { Detection } from '../shots/detector.ts'
import type { Hearing } from '../speech/hear-windows.ts'
import type { BlockMotion } from '../text/block-motion.ts'
import type { TextReadings } from '../text/text-process.ts'
import type { VoiceTurn } from '../voices/tell-apart.ts'
import type { HeardFilm } from './hear-film.ts'
import type { SeenPart } from './look-at-part.ts'
import { joinProxy, joinTiles, nameProxy } from './join-files.ts'
import { filmClock, firstFrame } from './plan-film.ts'
import type { Film } from './plan-film.ts'

/** Signals of all frames of a film. */
export interface WatchedFilm {
  changes: Detection | null
  motion: BlockMotion | null
  faces: FaceTracks | null
  faults: Faults
}

/** Results of all parts of a film. */
export interface FilmPieces {
  film: Film
  /** Empty if `watched` has everything that is needed of the frames. */
  parts: readonly SeenPart[]
  watched: WatchedFilm | null
  heard: HeardFilm
  /** Null if no words were ordered. */
  hearings: readonly Hearing[] | null
  /** Null if speakers are not recognised by voice. */
  turns: readonly VoiceTurn[] | null
}

interface Options {
  /** Folder of the files that the parts name. */
  workDir: string
  signal?: AbortSignal
}

/** Runs the detectors of frames over all parts. */
export async function watchFilm(
  film: Film,
  seen: readonly SeenPart[],
  options: Options,
): Promise<WatchedFilm> {
  const parts = inOrder(seen)
  const sightings = parts.flatMap((part) => part.faces ?? [])
  const areAllSeen = parts.length > 0 && sightings.length === parts.length
  const watched = await watchParts(film, parts, options)
  return {
    ...watched,
    faces: areAllSeen ? recogniseFaces(joinSightings(sightings)) : null,
    faults: Object.assign(watched.faults, ...parts.map((part) => part.faults)) as Faults,
  }
}

export async function joinFilm(
  film: Film,
  pieces: Pick<FilmPieces, 'parts' | 'heard'> & { watched: WatchedFilm },
  options: Options & { needs: ReadonlySet<Need> },
): Promise<Gathered> {
  const parts = inOrder(pieces.parts)
  const { proxy: _, faults: soundFaults, waveform, ...heard } = pieces.heard
  const { changes, motion, faces, faults } = pieces.watched
  const readings = joinReadings(parts)
  return {
    outcome: { end: 'done', code: 0, stderr: '' },
    firstPts: film.segments.length > 0 ? (film.details.video?.firstPts ?? null) : null,
    clock: filmClock(film),
    startFrame: firstFrame(film),
    places: null,
    ...heard,
    changes,
    faces,
    text: readings && motion ? { readings, motion } : null,
    files: options.needs.has('files')
      ? { ...(await joinFiles(film, { ...pieces, parts }, options)), waveform }
      : null,
    faults: { ...faults, ...soundFaults },
  }
}

function inOrder(parts: readonly SeenPart[]): SeenPart[] {
  return parts.toSorted((a, b) => a.startFrame - b.startFrame)
}

/** Passes every small frame of the film, in order, through the detectors. */
async function watchParts(film: Film, parts: readonly SeenPart[], { workDir, signal }: Options) {
  const watched = watchChanges(film.details, film.needs)
  const files = parts.flatMap(({ frames }) => (frames === null ? [] : path.join(workDir, frames)))
  await readFrames(files, (yuv) => watched.push(yuv), signal)
  return await watched.finish((take) => readFrames(files, take, signal), signal)
}

function joinReadings(parts: readonly SeenPart[]): TextReadings | null {
  const texts = parts.flatMap((part) => part.text ?? [])
  const [first] = texts
  if (!first || texts.length < parts.length) return null
  return { ...first, readings: texts.flatMap((text) => text.readings) }
}

async function joinFiles(
  film: Film,
  { parts, heard }: Pick<FilmPieces, 'parts' | 'heard'>,
  options: Options,
): Promise<Pick<PassFiles, 'proxy' | 'pieces' | 'sprite'>> {
  if (film.segments.length === 0) {
    return { proxy: await nameProxy(heard.proxy, options), sprite: null }
  }
  const grid = spriteGrid(film.media, film.details)
  const tiles = parts.flatMap((part) => part.tiles ?? [])
  const names = await joinTiles(tiles, grid, options)
  const first = firstFrame(film)
  return {
    pieces: parts.flatMap(({ proxy: file, startFrame, endFrame }) =>
      file === null ? [] : { file, startFrame: startFrame - first, endFrame: endFrame - first },
    ),
    proxy: await joinProxy(film, { parts, sound: heard.proxy }, options),
    sprite: names.length > 0 ? { names, ...grid } : null,
  }
}
