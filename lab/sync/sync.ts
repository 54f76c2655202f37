/**
 * `npm run lab -- sync [FOLDER] [--tune] [--cases=N] [--longest=S] [--strangers=N] [--seed=N]`
 *
 * How well recordings are put into sync, on made pairs whose offset and drift are known, beside a
 * plain cross-correlation of the whole. FOLDER has `voices/speakers`; those of even number were
 * tuned with (`--tune` uses them), the report is about the others. CPU time of the whole call with
 * its media tools, after probing. Below 30 s most of it is the start of ffmpeg, printed beside it.
 */
import { execFile } from 'node:child_process'
import { rm, writeFile, mkdtempDisposable } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parseRational, toNumber } from '../../domain/time/rational.ts'
import type { Media } from '../../domain/findings/findings.ts'
import { probe } from '../../engine/probe.ts'
import { syncSound } from '../../engine/sync-sound.ts'
import type { SyncedItem } from '../../engine/sync-sound.ts'
import { fftOf } from '../../engine/sync/fft.ts'
import { groupItems } from '../../engine/sync/group.ts'
import { soundInMemory } from '../../engine/sync/sound.ts'
import { cpuSoFar, runCounted } from '../../scripts/bench/cpu.ts'
import { print } from '../print.ts'
import { seeded } from '../../test/support/random.ts'
import { madeRate, readVoices } from '../sound.ts'
import { halveRate, makePair, makeStrangers } from './sync-cases.ts'
import type { MadePair, Recipe } from './sync-cases.ts'

const runFile = promisify(execFile)
/** Half a frame at 25 fps, and what is promised for the drift. */
const maxErrorMs = 20
const maxDriftPpm = 10
const maxCpu = 0.02

/** The number of pairs of each length. */
const pairsOfSeconds = { 5: 8, 10: 8, 30: 10, 60: 12, 120: 10, 300: 8, 900: 4, 1800: 2, 3600: 2 }
const lengths = Object.entries(pairsOfSeconds).flatMap(([seconds, count]) =>
  Array<number>(count).fill(Number(seconds)),
)

export async function run(args: string[]): Promise<void> {
  if (!args.includes('--counted')) {
    const figures = fileURLToPath(new URL('../../scripts/run-figures.ts', import.meta.url))
    const heap = '--max-old-space-size=4096'
    const words = [heap, figures, 'lab', 'sync', ...args, '--counted']
    await runCounted(process.execPath, words, {}, (text) => {
      process.stdout.write(text.replace(/^# sync\n/, ''))
    })
    return
  }
  const [folder = '../shared/media'] = args.filter((arg) => !arg.startsWith('--'))
  const isTuning = args.includes('--tune')
  const all = await readVoices(path.join(folder, 'voices/speakers'))
  const voices = all.filter((_, index) => (index % 2 === 0) === isTuning)
  const seed = numberOf(args, 'seed', isTuning ? 1 : 900_001)
  const longest = numberOf(args, 'longest', Infinity)
  const chosen = chooseLengths(longest, numberOf(args, 'cases', lengths.length))
  await benchPairs(voices, seed, chosen)
  await benchStrangers(voices, seed + 50_000, numberOf(args, 'strangers', 200))
}

function numberOf(args: readonly string[], name: string, standard: number): number {
  const option = args.find((arg) => arg.startsWith(`--${name}=`))
  return option ? Number(option.split('=')[1]) : standard
}

interface Result {
  recipe: Recipe
  errorMs: number
  isJoined: boolean
  /** Null: not reported. */
  driftErrorPpm: number | null
  plainErrorMs: number
  mediaSeconds: number
  cpuSeconds: number
}

/** Spread evenly over all lengths. */
function chooseLengths(longest: number, count: number): number[] {
  const all = lengths.filter((seconds) => seconds <= longest)
  const place = (index: number): number => Math.floor((index * count) / all.length)
  return all.filter((_, index) => count >= all.length || place(index) !== place(index + 1))
}

async function benchPairs(
  voices: readonly Float32Array[],
  seed: number,
  chosen: readonly number[],
): Promise<void> {
  const results: Result[] = []
  for (const [index, seconds] of chosen.entries()) {
    const recipe = recipeOf(seed, index, seconds)
    const result = await tryPair(recipe, makePair(recipe, voices))
    results.push(result)
    printCase(result)
  }
  report(results)
  reportCpu(results, await ffmpegStart())
}

function recipeOf(seed: number, index: number, seconds: number): Recipe {
  const random = seeded(seed + index * 7919)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  const snrDb = [20, 15, 10, 5, 0, -5][index % 6]!
  const echo = index % 4 === 3
  return {
    name: `case ${index + 1}`,
    seed: seed + index,
    seconds,
    snrDb,
    reverbSeconds: 0.2 + 0.4 * random(),
    driftPpm: index % 5 === 0 ? 0 : Math.round((random() * 2 - 1) * 1000) / 10,
    echoSeconds: echo ? 0.006 + 0.04 * random() : null,
    noise: pick(['white', 'pink', 'babble'] as const),
    rates: [pick([48_000, 96_000, 44_100]), pick([48_000, 44_100, 32_000, 16_000])],
    place: pick(['inside', 'inside', 'starts early', 'ends late'] as const),
  }
}

async function tryPair(recipe: Recipe, pair: MadePair): Promise<Result> {
  await using scratch = await mkdtempDisposable(path.join(os.tmpdir(), 'bench-sync-'))
  const work = scratch.path
  const recorder = path.join(work, 'recorder.wav')
  const isShort = recipe.seconds <= 120
  const camera = path.join(work, isShort ? 'camera.mp4' : 'camera.m4a')
  await writeSound(pair.recorder, recorder, recipe.rates[0], [])
  await writeSound(pair.camera, camera, recipe.rates[1], isShort ? videoOf(recipe) : [])
  const mediaSeconds = (pair.recorder.length + pair.camera.length) / madeRate
  const files: { file: string; maxSeconds: number; media: Media }[] = []
  for (const file of [recorder, camera]) {
    const probed = await probe(file)
    if (probed.status !== 'media') throw new Error(`${file} is ${probed.status}`)
    files.push({ file, maxSeconds: 8 * 3600, media: probed.media })
  }
  const before = await cpuSoFar()
  const items = await syncSound({ files, workDir: work })
  const cpuSeconds = (await cpuSoFar()) - before
  const { offset, driftPpm } = cameraLine(items)
  return {
    recipe,
    errorMs: (offset - pair.offset) * 1000,
    isJoined: items[1]?.group === 0,
    driftErrorPpm: driftPpm === null ? null : driftPpm - recipe.driftPpm,
    plainErrorMs: (plainOffset(pair) - pair.offset) * 1000,
    mediaSeconds,
    cpuSeconds,
  }
}

/** The camera on the recorder's clock; without a picture the longer of the two is the reference. */
function cameraLine([recorder, camera]: readonly SyncedItem[]): {
  offset: number
  driftPpm: number | null
} {
  const item = camera?.isReference ? recorder : camera
  const offset = toNumber(parseRational(item?.offset ?? '0/1')!)
  const driftPpm = item?.driftPpm ?? null
  if (!camera?.isReference) return { offset, driftPpm }
  const stretch = 1 + (driftPpm ?? 0) / 1e6
  return {
    offset: -offset / stretch,
    driftPpm: driftPpm === null ? null : (1 / stretch - 1) * 1e6,
  }
}

/** A small video at one of the rates of cameras. */
function videoOf({ seed }: Recipe): string[] {
  const rate = ['25', '24000/1001', '30000/1001', '50'][seed % 4]!
  return ['-f', 'lavfi', '-i', `color=gray:s=64x36:r=${rate}`, '-c:v', 'libx264', '-shortest']
}

async function writeSound(
  samples: Int16Array,
  file: string,
  rate: number,
  video: string[],
): Promise<void> {
  const raw = `${file}.s16`
  await writeFile(raw, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
  const [input, codec] = [video.slice(0, 4), video.slice(4)]
  const sound = file.endsWith('.wav') ? [] : ['-c:a', 'aac', '-b:a', '128k']
  await runFile('ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-f', 's16le', '-ar', String(madeRate), '-ac', '1'],
    ...['-i', raw, ...input, '-ar', String(rate), ...codec, ...sound, file],
  ])
  await rm(raw)
}

/** The lag of the highest peak of a plain cross-correlation of the whole, at 1 kHz. */
function plainOffset({ recorder, camera }: MadePair): number {
  const each = 16
  const small = (samples: Int16Array): Float64Array =>
    Float64Array.from({ length: Math.floor(samples.length / each) }, (_, index) => {
      let sum = 0
      for (let at = 0; at < each; at++) sum += samples[index * each + at]!
      return sum / each
    })
  const [first, second] = [small(recorder), small(camera)]
  const points = 2 ** Math.ceil(Math.log2(first.length + second.length))
  const re = new Float64Array(points)
  const im = new Float64Array(points)
  re.set(first)
  im.set(second)
  const fft = fftOf(points)
  fft.transform(re, im)
  const outRe = new Float64Array(points)
  const outIm = new Float64Array(points)
  for (let bin = 0; bin < points; bin++) {
    const twin = (points - bin) % points
    const [aRe, aIm] = [(re[bin]! + re[twin]!) / 2, (im[bin]! - im[twin]!) / 2]
    const [bRe, bIm] = [(im[bin]! + im[twin]!) / 2, (re[twin]! - re[bin]!) / 2]
    outRe[bin] = aRe * bRe + aIm * bIm
    outIm[bin] = aIm * bRe - aRe * bIm
  }
  fft.transform(outIm, outRe)
  let top = 0
  for (let lag = 0; lag < points; lag++) if (outRe[lag]! > outRe[top]!) top = lag
  return ((top > first.length ? top - points : top) * each) / madeRate
}

function printCase(result: Result): void {
  const { recipe, errorMs, driftErrorPpm, plainErrorMs, isJoined } = result
  const drift = driftErrorPpm === null ? 'not reported' : `${driftErrorPpm.toFixed(1)} ppm off`
  const conditions = [
    `${recipe.seconds} s`,
    `${recipe.snrDb} dB ${recipe.noise}`,
    `reverb ${recipe.reverbSeconds.toFixed(2)} s`,
    recipe.echoSeconds === null ? '' : `echo ${(recipe.echoSeconds * 1000).toFixed(0)} ms`,
    `drift ${recipe.driftPpm}`,
    recipe.place,
    recipe.rates.join('/'),
  ].filter(Boolean)
  const isRight = isJoined && Math.abs(errorMs) <= maxErrorMs
  console.log(
    [
      isRight ? '  ' : '! ',
      `${recipe.name}: ${conditions.join(', ')}`.padEnd(90),
      isJoined ? `${errorMs.toFixed(2)} ms` : 'alone',
      drift,
      `plain ${plainErrorMs.toFixed(0)} ms`,
      `cpu ${share([result]).toFixed(4)}`,
    ].join('  '),
  )
}

function report(results: readonly Result[]): void {
  const right = results.filter(
    (result) => result.isJoined && Math.abs(result.errorMs) <= maxErrorMs,
  )
  const plain = results.filter((result) => Math.abs(result.plainErrorMs) <= maxErrorMs)
  const reported = results.flatMap(({ driftErrorPpm }) => driftErrorPpm ?? [])
  const near = reported.filter((error) => Math.abs(error) <= maxDriftPpm)
  const errors = right.map(({ errorMs }) => Math.abs(errorMs)).sort((a, b) => a - b)
  const long = results.filter(({ recipe }) => recipe.seconds >= 60)
  print(`offset within ${maxErrorMs} ms`, `${right.length} of ${results.length}`, {
    'median of them': `${errors[errors.length >> 1]?.toFixed(2)} ms`,
    worst: `${errors.at(-1)?.toFixed(2)} ms`,
    'plain cross-correlation': `${plain.length} of ${results.length}`,
  })
  print(`drift within ${maxDriftPpm} ppm`, `${near.length} of ${reported.length} reported`, {
    worst: `${Math.max(...reported.map(Math.abs)).toFixed(1)} ppm`,
    'reported of 60 s and more': `${long.filter((result) => result.driftErrorPpm !== null).length} of ${long.length}`,
    'plain cross-correlation': 'tells none',
  })
}

/** CPU per second of media, which is the real time of one item; the whole is held to the limit. */
function reportCpu(results: readonly Result[], startSeconds: number): void {
  for (const seconds of new Set(results.map(({ recipe }) => recipe.seconds))) {
    const same = results.filter(({ recipe }) => recipe.seconds === seconds)
    const mediaSeconds = same.reduce((sum, result) => sum + result.mediaSeconds, 0)
    print(`CPU at ${seconds} s`, `${share(same).toFixed(4)} × real time per item`, {
      'of the limit': (share(same) / maxCpu).toFixed(2),
      'of which one start of ffmpeg': ((2 * same.length * startSeconds) / mediaSeconds).toFixed(4),
    })
  }
  const whole = share(results)
  print('CPU of all cases', `${whole.toFixed(4)} × real time per item`, {
    'of the limit': `${(whole / maxCpu).toFixed(2)} (${whole <= maxCpu ? 'kept' : 'missed'})`,
  })
}

function share(results: readonly Result[]): number {
  const sum = (figure: (result: Result) => number): number =>
    results.reduce((total, result) => total + figure(result), 0)
  return sum((result) => result.cpuSeconds) / sum((result) => result.mediaSeconds)
}

/** CPU seconds of a bare ffmpeg that has nothing to do: loading its libraries. */
async function ffmpegStart(): Promise<number> {
  const starts = 10
  const before = await cpuSoFar()
  for (let index = 0; index < starts; index++) {
    await runFile('ffmpeg', ['-v', 'error', '-f', 's16le', '-i', '/dev/null', '-f', 'null', '-'])
  }
  return ((await cpuSoFar()) - before) / starts
}

async function benchStrangers(
  voices: readonly Float32Array[],
  seed: number,
  count: number,
): Promise<void> {
  let joined = 0
  let highest = 0
  for (let index = 0; index < count; index++) {
    const random = seeded(seed + index)
    const seconds: [number, number] = [10 + 110 * random(), 5 + 85 * random()]
    const sounds = makeStrangers(seed + index, seconds, voices).map((samples) => ({
      sound: soundInMemory(halveRate(samples)),
      isRecorder: false,
      timecode: null,
    }))
    const placed = await groupItems(sounds)
    if (placed[0]!.group !== null) joined++
    highest = Math.max(highest, ...placed.map((result) => result.match?.height ?? 0))
  }
  print('unrelated pairs joined', `${joined} of ${count}`, {
    'highest match': `${highest.toFixed(1)} of the 8 that are needed`,
  })
}
