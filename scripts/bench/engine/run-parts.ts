/**
 * A film in parts, one after the other, as workers run them: each in a folder of its own, with
 * nothing but the files that it needs. The processor time of each is recorded; start the command by
 * `runCounted`.
 */
import { copyFile, link, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { extractorIds } from '../../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../../domain/money/catalogue.ts'
import type { Findings } from '../../../domain/findings/findings.ts'
import { analyse } from '../../../engine/analyse.ts'
import { needsNoWords } from '../../../engine/extractors/registry.ts'
import {
  isJoined,
  pieceName,
  readPieces,
  readSpeech,
  writeFilm,
  writeWatched,
} from '../../../engine/parts/artifacts.ts'
import { hasProxySound } from '../../../engine/parts/hear-film.ts'
import type { WatchedFilm } from '../../../engine/parts/join-film.ts'
import { neededFiles, offeredFiles, runPart } from '../../../engine/parts/run-part.ts'
import type { PartOrder } from '../../../engine/parts/run-part.ts'
import type { Seconds } from '../../../engine/speech/voice/vad.ts'
import { cpuSoFar } from '../cpu.ts'
import { repeatPieces } from './repeat-parts.ts'

export interface PartTimes {
  prepare: number
  sound: number
  /** The proxy's sound. */
  proxy: number
  /** Who speaks when. */
  voices: number
  frames: number[]
  speech: number[]
  /** The detectors that wait for no words, beside the speech. */
  analyseFrames: number
  join: number
}

export interface FilmOrder {
  file: string
  extractors: ExtractorId[]
  segmentSeconds: number
}

/** Leaves what the parts handed on in `shared` of the folder. */
export async function runApart(
  order: FilmOrder,
  folder: string,
): Promise<{ times: PartTimes; groups: Seconds[][]; findings: Partial<Findings> }> {
  const parts = await openParts(order, folder)
  const { groups, ...early } = await parts.runEarly()
  const frames: number[] = []
  for (let position = 0; position < parts.segments; position++) {
    frames.push((await parts.run({ kind: 'frames', position })).cpu)
  }
  const speech: number[] = []
  for (let position = 0; position < groups; position++) {
    speech.push((await parts.run({ kind: 'speech', position })).cpu)
  }
  const { analyseFrames, join: joining, findings } = await parts.end(groups > 0)
  const heard = speech.length > 0 ? await readSpeech(join(folder, 'shared')) : null
  return {
    groups: heard?.groups.map(({ windows }) => windows) ?? [],
    times: { ...early, frames, speech, analyseFrames, join: joining },
    findings,
  }
}

export type GrowingTimes = Pick<
  PartTimes,
  'prepare' | 'sound' | 'proxy' | 'voices' | 'analyseFrames' | 'join'
>

/** Runs what is done once for a film; the signals of its other parts are those in `pieces`. */
export async function runGrowing(
  order: FilmOrder,
  folder: string,
  pieces: string,
): Promise<GrowingTimes> {
  const parts = await openParts(order, folder)
  const { groups, ...early } = await parts.runEarly()
  await repeatPieces(pieces, join(folder, 'shared'))
  const { analyseFrames, join: joining } = await parts.end(groups > 0)
  return { ...early, analyseFrames, join: joining }
}

async function openParts(order: FilmOrder, folder: string) {
  const shared = join(folder, 'shared')
  await mkdir(shared, { recursive: true })
  let segments = 0
  let hasProxy = false
  const onFilm: Parameters<typeof analyse>[0]['onFilm'] = async (film) => {
    segments = film.segments.length
    hasProxy = hasProxySound(film)
    await writeFilm(shared, film)
    return true
  }
  const [prepared, prepare] = await timed(() =>
    analyse({ ...order, workDir: join(folder, 'prepare'), onFilm }),
  )
  if (segments === 0) throw new Error('The film is too short to be taken apart.')
  const bring = async (to: string) => {
    await mkdir(to)
    for (const name of (await readdir(shared)).filter(isJoined)) {
      await link(join(shared, name), join(to, name))
    }
    return await readPieces(to)
  }
  const run = async (part: { kind: PartOrder['kind']; position: number }) => {
    const workDir = await mkdtemp(join(folder, 'part-'))
    const there = await readdir(shared)
    const offered = offeredFiles(part).filter((name) => there.includes(name))
    for (const name of [...neededFiles(part), ...offered]) {
      await copyFile(join(shared, name), join(workDir, name))
    }
    const { file } = order
    const [end, cpu] = await timed(() => runPart({ ...part, file, options: {}, workDir }))
    if (end.end !== 'done') throw new Error(`A part ended as ${end.end}.`)
    for (const name of end.files) {
      await copyFile(join(workDir, name), join(shared, pieceName(name, part.position)))
    }
    await rm(workDir, { recursive: true })
    return { cpu, groups: end.speech.length }
  }
  return {
    segments,
    run,
    /** The parts of which there is one at most. */
    async runEarly() {
      const once = { position: 0 }
      const { cpu: sound, groups } = await run({ kind: 'sound', ...once })
      const proxy = hasProxy ? (await run({ kind: 'proxy', ...once })).cpu : 0
      const voices = groups > 0 ? (await run({ kind: 'voices', ...once })).cpu : 0
      return { groups, prepare, sound, proxy, voices }
    },
    async end(analysesFirst: boolean) {
      let done = prepared.findings
      let analyseFrames = 0
      if (analysesFirst) {
        const workDir = join(folder, 'analysed')
        const extractors = order.extractors.filter(needsNoWords)
        const onWatched = (watched: WatchedFilm) => writeWatched(shared, watched)
        const [analysed, cpu] = await timed(async () => {
          const pieces = await bring(workDir)
          return await analyse({ ...order, extractors, workDir, done, pieces, onWatched })
        })
        done = analysed.findings
        analyseFrames = cpu
      }
      const workDir = join(folder, 'joined')
      const [{ findings, outcomes }, cpu] = await timed(async () => {
        const pieces = await bring(workDir)
        return await analyse({ ...order, workDir, done, pieces })
      })
      const failed = Object.entries(outcomes).find(([, { status }]) => status !== 'done')
      if (failed) throw new Error(`${failed[0]}: ${JSON.stringify(failed[1])}`)
      return { analyseFrames, join: cpu, findings: inOrder(findings) }
    },
  }
}

/** As one analysis lists them. */
export function inOrder(findings: Partial<Findings>): Partial<Findings> {
  const ids = ['media', ...extractorIds] as const
  const known = ids.filter((id) => findings[id] !== undefined)
  return Object.fromEntries(known.map((id) => [id, findings[id]]))
}

async function timed<Value>(work: () => Promise<Value>): Promise<[Value, number]> {
  const begun = await cpuSoFar()
  const value = await work()
  return [value, (await cpuSoFar()) - begun]
}
