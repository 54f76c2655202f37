/**
 * `npm run bench -- memory [minutes [extractors]]`: the memory that a worker's process and everything that
 * it starts take at once, for each kind of work on a film of ten minutes and on one of two hours.
 * Prepare and sound run on the whole film. Of frames and speech one part is run; the join then gets
 * the signals of that part as often as the film has parts, moved to their places.
 */
import { fork } from 'node:child_process'
import { copyFile, link, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import v8 from 'node:v8'
import { fullAnalysis } from '../../contract/catalogue.ts'
import type { ExtractorId } from '../../contract/catalogue.ts'
import { analyse } from '../../engine/analyse.ts'
import { makeClip } from '../../engine/clips.testing.ts'
import {
  hearingsName,
  isJoined,
  pieceName,
  readFilm,
  readPieces,
  readSpeech,
  seenName,
  writeFilm,
} from '../../engine/parts/hand-over.ts'
import type { SeenPart } from '../../engine/parts/look-at-part.ts'
import { neededFiles, runPart } from '../../engine/parts/run-part.ts'
import type { PartOrder } from '../../engine/parts/run-part.ts'
import type { Hearing } from '../../engine/speech/hear-windows.ts'
import { runCounted } from './cpu.ts'

type Kind = 'prepare' | PartOrder['kind'] | 'join'

interface Order {
  kind: Kind
  file: string
  workDir: string
}

const sample = resolve(import.meta.dirname, '../../assets/sample.mp4')
const sampleSeconds = 23
/** A segment is five times the sample, to the frame: so the signals of one fit in every place. */
const samplesInSegment = 5
const segmentSeconds = samplesInSegment * sampleSeconds - 0.1
const shortMinutes = 10
const maxRatio = 1.1
const everyMs = 100
const kinds: readonly Kind[] = ['prepare', 'sound', 'pictures', 'speech', 'join']

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
  console.log('The join gets the signals of one part of frames and one of speech, repeated.')
  const folder = await mkdtemp(join(tmpdir(), 'bench-memory-'))
  try {
    const peaks: Map<Kind, number>[] = []
    for (const length of [shortMinutes, Number(minutes)]) {
      const place = join(folder, String(length))
      await mkdir(place)
      peaks.push(await measureFilm(place, length, wanted))
      await rm(place, { recursive: true })
    }
    const [short, long] = [heaviest(peaks[0]!), heaviest(peaks[1]!)]
    const ratio = long / short
    const verdict = ratio <= maxRatio ? 'ok' : 'MISSED'
    const figures = `${megabytes(long)} ÷ ${megabytes(short)}`
    console.log(`heaviest, ${minutes} min ÷ ${shortMinutes} min: ${figures}: ${ratio.toFixed(2)}`)
    console.log(`limit ${maxRatio}: ${verdict}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureFilm(
  folder: string,
  minutes: number,
  extractors: string,
): Promise<Map<Kind, number>> {
  const segments = Math.round((minutes * 60) / (samplesInSegment * sampleSeconds))
  const loops = segments * samplesInSegment - 1
  const file = await makeClip(folder, `-stream_loop ${loops} -i ${sample} -c copy film.mp4`)
  const workDir = join(folder, 'work')
  await mkdir(workDir)
  const peaks = new Map<Kind, number>()
  for (const kind of kinds) {
    if (kind === 'speech' && !(await readFilm(workDir)).hearsWords) continue
    if (kind === 'join') await repeatPieces(workDir)
    const begunMs = Date.now()
    const peak = await peakOf({ kind, file, workDir }, extractors)
    peaks.set(kind, peak)
    const seconds = Math.round((Date.now() - begunMs) / 1000)
    console.log(`${minutes} min, ${kind}: ${megabytes(peak)} (${seconds} s)`)
  }
  return peaks
}

/** The signals of part 0 in every place, as the parts of the whole film would have left them. */
async function repeatPieces(folder: string): Promise<void> {
  const { segments, hearsWords } = await readFilm(folder)
  const seen = v8.deserialize(await readFile(join(folder, seenName))) as SeenPart
  const frames = seen.endFrame - seen.startFrame
  for (const [position, { startFrame, endFrame }] of segments.entries()) {
    if (endFrame - startFrame !== frames) throw new Error('Segments differ in length.')
    const by = startFrame - seen.startFrame
    const named = async (name: string | null): Promise<string | null> => {
      if (name === null || position === 0) return name
      await link(join(folder, name), join(folder, `${position}-${name}`))
      return `${position}-${name}`
    }
    const moved: SeenPart = {
      ...seen,
      startFrame,
      endFrame,
      frames: await named(seen.frames),
      proxy: await named(seen.proxy),
      tiles: await named(seen.tiles),
      faces: seen.faces && {
        sampled: seen.faces.sampled.map((frame) => frame + by),
        sightings: seen.faces.sightings.map((sighting) => ({
          ...sighting,
          frames: sighting.frames.map((frame) => frame + by),
        })),
      },
    }
    await writeFile(join(folder, pieceName(seenName, position)), v8.serialize(moved))
  }
  if (!hearsWords) return
  const heard = v8.deserialize(await readFile(join(folder, hearingsName))) as Hearing[]
  const { groups } = await readSpeech(folder)
  for (const [position, { windows }] of groups.entries()) {
    const hearings = windows.map((window, at) => {
      const { first } = heard[at % heard.length]!
      return { first: { ...first, window }, second: [] }
    })
    await writeFile(join(folder, pieceName(hearingsName, position)), v8.serialize(hearings))
  }
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

/** Of all processes here but the shell and this one; pages that several share count once. */
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
  } else if (kind === 'join') await joinPieces(workDir, extractors)
  else {
    const folder = await mkdtemp(join(workDir, `${kind}-`))
    for (const name of neededFiles({ kind, position: 0 })) {
      await copyFile(join(workDir, name), join(folder, name))
    }
    const end = await runPart({ kind, position: 0, file, params: {}, workDir: folder })
    if (end.end !== 'done') throw new Error(`The part ended as ${end.end}.`)
    for (const name of end.files) await copyFile(join(folder, name), join(workDir, name))
  }
  process.exit(0)
}

async function joinPieces(workDir: string, extractors: ExtractorId[]): Promise<void> {
  const done = JSON.parse(await readFile(join(workDir, 'done.json'), 'utf8')) as object
  for (const name of await readdir(workDir)) {
    if (!isJoined(name)) await rm(join(workDir, name))
  }
  const pieces = await readPieces(workDir)
  const { outcomes } = await analyse({ file: '', extractors, workDir, done, pieces })
  const failed = Object.entries(outcomes).find(([, outcome]) => outcome.status !== 'done')
  if (failed) throw new Error(`${failed[0]}: ${JSON.stringify(failed[1])}`)
}

function heaviest(peaks: ReadonlyMap<Kind, number>): number {
  return Math.max(...peaks.values())
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`
}
