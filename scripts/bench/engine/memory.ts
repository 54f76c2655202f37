/**
 * `npm run bench -- memory [minutes [extractors]]`: the memory that a worker's process and
 * everything that it starts take at once, for each kind of work on a film of ten minutes and on one
 * of two hours. Work that is done once for a film runs on all of it. Of frames and speech one part
 * is run; analyse-frames and join then get the signals of that part as often as the film has
 * parts, moved to their places.
 */
import { fork } from 'node:child_process'
import {
  copyFile,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
  mkdtempDisposable,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fullAnalysis } from '../../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../../domain/money/catalogue.ts'
import { analyse } from '../../../engine/analyse.ts'
import { needsNoWords } from '../../../engine/extractors/registry.ts'
import {
  isJoined,
  pieceName,
  readFilm,
  readPieces,
  readSpeech,
  watchedName,
  writeFilm,
  writeWatched,
} from '../../../engine/parts/artifacts.ts'
import { hasProxySound } from '../../../engine/parts/hear-film.ts'
import { neededFiles, offeredFiles, runPart } from '../../../engine/parts/run-part.ts'
import type { PartOrder } from '../../../engine/parts/run-part.ts'
import { runCounted } from '../cpu.ts'
import { makeLoop, repeatPieces, segmentSeconds } from './repeat-parts.ts'
import { print } from '../figures.ts'

type Kind = 'prepare' | PartOrder['kind'] | 'analyse-frames' | 'join'

interface Order {
  kind: Kind
  file: string
  workDir: string
}

const shortMinutes = 10
const maxRatio = 1.1
const everyMs = 100
const kinds: readonly Kind[] = [
  'prepare',
  'sound',
  'proxy',
  'voices',
  'frames',
  'speech',
  'analyse-frames',
  'join',
]

if (import.meta.main) {
  if (process.send) process.once('message', (order: Order) => void work(order))
  else await measure(process.argv.slice(2))
}

export async function run(args: string[]): Promise<void> {
  const show = (text: string): void => void process.stdout.write(text)
  await runCounted(process.execPath, [import.meta.filename, ...args], {}, show)
}

async function measure([
  minutes = '120',
  wanted = fullAnalysis.join(','),
]: string[]): Promise<void> {
  console.log(
    'Analyse-frames and join get the signals of one part of frames and one of speech, repeated.',
  )
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'bench-memory-'))
  const folder = scratch.path
  const peaks: Map<Kind, number>[] = []
  for (const length of [shortMinutes, Number(minutes)]) {
    const place = join(folder, String(length))
    await mkdir(place)
    peaks.push(await measureFilm(place, length, wanted))
    await rm(place, { recursive: true })
  }
  const [short, long] = [heaviest(peaks[0]!), heaviest(peaks[1]!)]
  const more = `${megabytes(long)} ÷ ${megabytes(short)}`
  const name = `heaviest, ${minutes} min ÷ ${shortMinutes} min`
  print(name, long / short, { max: maxRatio }, more)
}

async function measureFilm(
  folder: string,
  minutes: number,
  extractors: string,
): Promise<Map<Kind, number>> {
  const { file } = await makeLoop(folder, minutes)
  const workDir = join(folder, 'work')
  await mkdir(workDir)
  const peaks = new Map<Kind, number>()
  for (const kind of kinds) {
    if (kind === 'analyse-frames') await repeatPieces(workDir, workDir)
    if (!(await isDone(kind, workDir))) continue
    const begunMs = Date.now()
    const peak = await peakOf({ kind, file, workDir }, extractors)
    peaks.set(kind, peak)
    const seconds = Math.round((Date.now() - begunMs) / 1000)
    console.log(`${minutes} min, ${kind}: ${megabytes(peak)} (${seconds} s)`)
  }
  return peaks
}

/**
 * Whether the film has such a part; a film without speech has no analyse-frames before its join.
 */
async function isDone(kind: Kind, workDir: string): Promise<boolean> {
  if (kind === 'prepare' || kind === 'sound' || kind === 'frames' || kind === 'join') return true
  const film = await readFilm(workDir)
  if (kind === 'proxy') return hasProxySound(film)
  return film.hearsWords && (await readSpeech(workDir)).groups.length > 0
}

/** Runs in a process of its own, as the worker has one for it; the worker itself does not grow. */
async function peakOf(order: Order, extractors: string): Promise<number> {
  const child = fork(import.meta.filename, [extractors], { execArgv: [] })
  const ended = new Promise<number | null>((settle) => {
    child.once('exit', settle)
  })
  child.send(order)
  let peak = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      peak = Math.max(peak, await residentBytes())
      await wait(everyMs)
    }
  })()
  const code = await ended
  isOver = true
  await watching
  if (code !== 0) throw new Error(`${order.kind} ended with ${code}.`)
  return peak
}

/** Resident bytes of all processes here but the shell and this one; shared pages count once. */
async function residentBytes(): Promise<number> {
  const own = new Set(['1', String(process.pid)])
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && !own.has(name))
  const sizes = await Promise.all(
    ids.map(async (id) => {
      const text = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '')
      return 1024 * Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0)
    }),
  )
  return sizes.reduce((total, bytes) => total + bytes, 0)
}

async function work(order: Order): Promise<void> {
  const { kind, file, workDir } = order
  const extractors = process.argv[2]!.split(',') as ExtractorId[]
  if (kind === 'prepare') {
    const onFilm: Parameters<typeof analyse>[0]['onFilm'] = async (film) => {
      await writeFilm(workDir, film)
      return true
    }
    const target = `${workDir}-prepare`
    const { findings } = await analyse({
      file,
      extractors,
      workDir: target,
      segmentSeconds,
      onFilm,
    })
    await writeFile(join(workDir, 'done.json'), JSON.stringify(findings))
  } else if (kind === 'analyse-frames')
    await endFilm(workDir, extractors.filter(needsNoWords), true)
  else if (kind === 'join') await endFilm(workDir, extractors, false)
  else {
    const folder = await mkdtemp(join(workDir, `${kind}-`))
    const there = await readdir(workDir)
    const offered = offeredFiles({ kind }).filter((name) => there.includes(name))
    for (const name of [...neededFiles({ kind, position: 0 }), ...offered]) {
      await copyFile(join(workDir, name), join(folder, name))
    }
    const end = await runPart({ kind, position: 0, file, options: {}, workDir: folder })
    if (end.end !== 'done') throw new Error(`The part ended as ${end.end}.`)
    for (const name of end.files) {
      await copyFile(join(folder, name), join(workDir, pieceName(name, 0)))
    }
  }
  process.exit(0)
}

/** In a folder of its own, with links to the files of all parts. */
async function endFilm(
  shared: string,
  extractors: ExtractorId[],
  isAnalysing: boolean,
): Promise<void> {
  const doneFile = join(shared, 'done.json')
  const done = JSON.parse(await readFile(doneFile, 'utf8')) as object
  const workDir = await mkdtemp(join(shared, 'end-'))
  const names = await readdir(shared)
  const isSeen = names.includes(watchedName)
  for (const name of names.filter((name) => name.includes('.') && isJoined(name))) {
    if (!isSeen || !/seen\.bin$|^(\d+-)?(frames|proxy|tiles)-/.test(name)) {
      await link(join(shared, name), join(workDir, name))
    }
  }
  const pieces = await readPieces(workDir)
  const { findings, outcomes } = await analyse({
    ...{ file: '', extractors, workDir, done, pieces },
    async onWatched(watched) {
      if (isAnalysing) await writeWatched(shared, watched)
    },
  })
  const failed = Object.entries(outcomes).find(([, outcome]) => outcome.status !== 'done')
  if (failed) throw new Error(`${failed[0]}: ${JSON.stringify(failed[1])}`)
  await writeFile(doneFile, JSON.stringify(findings))
}

function heaviest(peaks: ReadonlyMap<Kind, number>): number {
  return Math.max(...peaks.values())
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`
}
