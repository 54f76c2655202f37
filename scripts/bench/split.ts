/**
 * `npm run bench -- split [minutes [extractors]]`: what it costs to take a film apart, and what it
 * brings. The same film is analysed in one go and in parts as workers run them; the processor time of
 * each part is recorded, and a simulation with those times says how long two hours take on 1, 4, 16
 * and 64 workers of one core. Fails where the findings differ.
 */
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { extractorIds, fullAnalysis } from '../../contract/catalogue.ts'
import type { ExtractorId } from '../../contract/catalogue.ts'
import type { Findings } from '../../contract/findings.ts'
import { analyse } from '../../engine/analyse.ts'
import { needsNoWords } from '../../engine/extractors/registry.ts'
import { makeClip } from '../../engine/clips.testing.ts'
import {
  isJoined,
  pieceName,
  readPieces,
  writeFilm,
  writeWatched,
} from '../../engine/parts/hand-over.ts'
import type { WatchedFilm } from '../../engine/parts/join-film.ts'
import { neededFiles, runPart } from '../../engine/parts/run-part.ts'
import type { PartOrder } from '../../engine/parts/run-part.ts'
import { cpuSoFar, runCounted } from './cpu.ts'

export interface PartTimes {
  prepare: number
  sound: number
  pictures: number[]
  speech: number[]
  /** The detectors that wait for no words, beside the speech. */
  judge: number
  join: number
}

const sample = resolve(import.meta.dirname, '../../assets/sample.mp4')
const simulatedMinutes = 120
const maxCpuRatio = 1.1
const minEfficiency = 0.8

if (import.meta.main) await measure(process.argv.slice(2))

export async function run(args: string[]): Promise<void> {
  const show = (text: string): void => void process.stdout.write(text)
  await runCounted(process.execPath, [import.meta.filename, ...args], {}, show)
}

async function measure([minutes = '6', wanted = fullAnalysis.join(',')]: string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-split-'))
  try {
    const words = `-stream_loop -1 -i ${sample} -t ${Number(minutes) * 60} -c copy film.mp4`
    const order = {
      file: await makeClip(folder, words),
      extractors: wanted.split(',') as ExtractorId[],
    }
    const begun = await cpuSoFar()
    const whole = await analyse({ ...order, workDir: join(folder, 'whole'), parts: 1 })
    const unsplit = (await cpuSoFar()) - begun
    const { times, findings } = await runApart(order, folder)
    if (JSON.stringify(findings) !== JSON.stringify(inOrder(whole.findings))) {
      throw new Error('The findings differ.')
    }
    const split = total(times)
    const ratio = split / unsplit
    const verdict = ratio <= maxCpuRatio ? 'ok' : 'MISSED'
    console.log(`${minutes} min in one go: ${unsplit.toFixed(1)} s of processor time`)
    console.log(`in ${1 + times.pictures.length + times.speech.length} parts: ${describe(times)}`)
    console.log(`split ÷ in one go: ${ratio.toFixed(2)} (limit ${maxCpuRatio}) ${verdict}`)
    for (const workers of [1, 4, 16, 64]) {
      const { wall, efficiency } = simulate(scale(times, Number(minutes)), workers)
      const limit = workers === 16 ? ` (limit ${minEfficiency})` : ''
      const length = `${(wall / 60).toFixed(1)} min for ${simulatedMinutes} min of film`
      console.log(`${workers} workers: ${length}, efficiency ${efficiency.toFixed(2)}${limit}`)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** As workers do it: each part in a folder of its own, with nothing but the files that it needs. */
async function runApart(order: { file: string; extractors: ExtractorId[] }, folder: string) {
  const shared = join(folder, 'shared')
  await mkdir(shared)
  const timed = async <Value>(work: () => Promise<Value>): Promise<[Value, number]> => {
    const begun = await cpuSoFar()
    const value = await work()
    return [value, (await cpuSoFar()) - begun]
  }
  let segments = 0
  const onFilm: Parameters<typeof analyse>[0]['onFilm'] = async (film) => {
    segments = film.segments.length
    await writeFilm(shared, film)
    return true
  }
  const [prepared, prepare] = await timed(() =>
    analyse({ ...order, workDir: join(folder, 'prepare'), onFilm }),
  )
  if (segments === 0) throw new Error('The film is too short to be taken apart.')
  const runOne = async (part: { kind: PartOrder['kind']; position: number }) => {
    const workDir = await mkdtemp(join(folder, 'part-'))
    for (const name of neededFiles(part)) await copyFile(join(shared, name), join(workDir, name))
    const { file } = order
    const [end, cpu] = await timed(() => runPart({ ...part, file, params: {}, workDir }))
    if (end.end !== 'done') throw new Error(`A part ended as ${end.end}.`)
    for (const name of end.files) {
      await copyFile(join(workDir, name), join(shared, pieceName(name, part.position)))
    }
    await rm(workDir, { recursive: true })
    return { cpu, groups: end.speech.length }
  }
  const sound = await runOne({ kind: 'sound', position: 0 })
  const times: PartTimes = {
    prepare,
    sound: sound.cpu,
    pictures: [],
    speech: [],
    judge: 0,
    join: 0,
  }
  for (let position = 0; position < segments; position++) {
    times.pictures.push((await runOne({ kind: 'pictures', position })).cpu)
  }
  for (let position = 0; position < sound.groups; position++) {
    times.speech.push((await runOne({ kind: 'speech', position })).cpu)
  }
  const bring = async (to: string) => {
    await mkdir(to)
    for (const name of (await readdir(shared)).filter(isJoined)) {
      await copyFile(join(shared, name), join(to, name))
    }
    return await readPieces(to)
  }
  let done = prepared.findings
  if (sound.groups > 0) {
    const workDir = join(folder, 'judged')
    const pieces = await bring(workDir)
    const extractors = order.extractors.filter(needsNoWords)
    const onWatched = (watched: WatchedFilm) => writeWatched(shared, watched)
    const judging = { ...order, extractors, workDir, done, pieces, onWatched }
    const [judged, cpu] = await timed(() => analyse(judging))
    done = judged.findings
    times.judge = cpu
  }
  const workDir = join(folder, 'joined')
  const pieces = await bring(workDir)
  const [{ findings }, cpu] = await timed(() => analyse({ ...order, workDir, done, pieces }))
  return { times: { ...times, join: cpu }, findings: inOrder(findings) }
}

/** As one analysis lists them. */
function inOrder(findings: Partial<Findings>): Partial<Findings> {
  const ids = ['media', ...extractorIds] as const
  const known = ids.filter((id) => findings[id] !== undefined)
  return Object.fromEntries(known.map((id) => [id, findings[id]]))
}

/** The parts of the longer film are like those that were recorded; the rest grows with its length. */
function scale(times: PartTimes, minutes: number): PartTimes {
  const factor = simulatedMinutes / minutes
  const repeat = (values: number[]): number[] =>
    Array.from(
      { length: Math.round(values.length * factor) },
      (_, at) => values[at % values.length]!,
    )
  const [sound, judge, join] = [times.sound, times.judge, times.join].map((one) => one * factor)
  const parts = { pictures: repeat(times.pictures), speech: repeat(times.speech) }
  return { ...times, ...parts, sound: sound!, judge: judge!, join: join! }
}

/**
 * Each free worker takes the next part; speech waits for the sound, judging for the sound and the
 * pictures, the join for everything. Judging goes before speech, as the queue has it.
 */
export function simulate(times: PartTimes, workers: number): { wall: number; efficiency: number } {
  const free = Array.from({ length: workers }, () => times.prepare)
  const take = (seconds: number, from = 0): number => {
    const at = free.indexOf(Math.min(...free))
    free[at] = Math.max(free[at]!, from) + seconds
    return free[at]
  }
  const heard = take(times.sound)
  const seen = Math.max(heard, ...times.pictures.map((seconds) => take(seconds)))
  const speech = [...times.speech]
  // A worker that is free before all pictures are seen hears speech.
  while (speech.length > 0 && Math.max(heard, Math.min(...free)) < seen)
    take(speech.shift()!, heard)
  take(times.judge, seen)
  for (const seconds of speech) take(seconds, heard)
  const wall = Math.max(...free) + times.join
  return { wall, efficiency: total(times) / workers / wall }
}

function total({ prepare, sound, pictures, speech, judge, join: joining }: PartTimes): number {
  return sum([prepare, sound, ...pictures, ...speech, judge, joining])
}

function describe({ prepare, sound, pictures, speech, judge, join: joining }: PartTimes): string {
  const list = (values: number[]): string => values.map((value) => value.toFixed(1)).join(', ')
  const [first, last] = [prepare.toFixed(1), joining.toFixed(1)]
  const parts = `pictures ${list(pictures)}; speech ${list(speech) || 'none'}`
  const middle = `sound ${sound.toFixed(1)}, ${parts}; judge ${judge.toFixed(1)}`
  return `prepare ${first}, ${middle}, join ${last} s`
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
