/**
 * `npm run bench -- engine [part ...]`: what the engine costs and how right it is, on films that it
 * makes itself (film.ts). CPU time of whole commands with all their children, each as a ratio to a
 * limit or a peer measured in the same run; rounds alternate, so that whatever else the machine
 * does weighs on all alike, and the median counts. Parts: shots, together, silence, empty.
 */
import { execFile } from 'node:child_process'
import { readFile, mkdtempDisposable } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Findings } from '../../../domain/findings/findings.ts'
import { fullAnalysis } from '../../../domain/money/catalogue.ts'
import { extractors } from '../../../engine/extractors/registry.ts'
import { installIfPossible } from '../../system-packages.ts'
import { cpuOf } from '../cpu.ts'
import { framesPerSecond, makeFilms } from './film.ts'
import type { Film } from './film.ts'
import { analyseCpu, printShotCost } from './shot-cost.ts'
import { inTurns, median, scatter } from '../figures.ts'

const execute = promisify(execFile)
const command = fileURLToPath(new URL('../../../engine/analyse-command.ts', import.meta.url))
const parts = ['shots', 'together', 'silence', 'empty']

export async function run(args: string[] = []): Promise<void> {
  const wants = (part: string): boolean =>
    args.includes(part) || !args.some((arg) => parts.includes(arg))
  await using scratch = await mkdtempDisposable(path.join(os.tmpdir(), 'bench-engine-'))
  const folder = scratch.path
  const films = await makeFilms(folder, [
    { name: '1080p, 40 s', height: 1080, seconds: 40 },
    { name: '720p, 24 s', height: 720, seconds: 24 },
    { name: '540p, 10 s', height: 540, seconds: 10 },
  ])
  if (wants('shots')) {
    for (const { name, file } of films) {
      console.log(name)
      await printShotCost(file)
    }
  }
  const [, middle] = films
  if (middle && wants('together')) await benchTogether(middle)
  if (wants('together')) await benchMinute(folder)
  if (middle && wants('silence')) await benchSilence(middle, folder)
  if (wants('empty')) await benchEmpty(folder)
}

/**
 * Every extractor alone, then all of them. Their own need is their cost alone without the start and
 * the decode that all share; and since cut points look at shots, faces and voice as well,
 * the stricter sum counts those once too.
 */
async function benchTogether({ file, seconds, name }: Film): Promise<void> {
  const ids = extractors.map((extractor) => extractor.id)
  const alone: Record<string, number> = {}
  for (const id of ids) alone[id] = await analyseCpu(file, id)
  const together = await analyseCpu(file)
  const decode = await cpuOf('ffmpeg', ['-v', 'error', '-nostdin', '-i', file, '-f', 'null', '-'])
  const cost = (id: string): number => alone[id] ?? 0
  const start = cost('ffprobe')
  // Transcription hears the sound alone: of the decoded frames it has nothing to share.
  const own = (id: string): number => cost(id) - start - (id === 'transcription' ? 0 : decode)
  console.log(`full analysis, ${name}, in CPU seconds for each second of media:`)
  for (const id of ids) console.log(`  ${id} alone: ${(cost(id) / seconds).toFixed(3)}`)
  console.log(`  together: ${(together / seconds).toFixed(3)}`)
  const sum = (some: string[]): number =>
    some.reduce((total, id) => total + own(id), start + decode)
  const plain = sum(ids.filter((id) => id !== 'ffprobe'))
  const strict = sum(['thumbnail', 'transcription', 'cutpoints'])
  print('together ÷ what only they need, one start and one decode', together / plain, '≤ 1.15')
  print('the same with faces, voice and shots counted once', together / strict, '≤ 1.15')
  const all = (await analyseCpu(file, fullAnalysis.join(','))) / decode
  print('the six without on-screen text ÷ decode', all)
  const apart = ids.reduce((total, id) => total + cost(id), 0)
  print('together ÷ one after the other', together / apart)
  print('real time ÷ transcription on one core', seconds / (cost('transcription') - start), '≥ 1')
}

/** On a longer and larger film the start of the models weighs as little as it does in real work. */
async function benchMinute(folder: string): Promise<void> {
  const minute = { name: '1080p, 1 min', height: 1080, seconds: 60 }
  const [film] = await makeFilms(folder, [minute])
  const { file, name } = film!
  const costs = await inTurns(3, {
    decode: () => cpuOf('ffmpeg', ['-v', 'error', '-nostdin', '-i', file, '-f', 'null', '-']),
    thumbnail: () => analyseCpu(file, 'thumbnail'),
    talking: () => analyseCpu(file, 'talking'),
    transcription: () => analyseCpu(file, 'transcription'),
    full: () => analyseCpu(file, fullAnalysis.join(',')),
  })
  const { decode, ...others } = costs
  console.log(`${name}, CPU s, median of three in turns: decode ${scatter(decode)}`)
  for (const [what, times] of Object.entries(others)) {
    const limit = what === 'full' ? '≤ 5' : undefined
    console.log(`  ${what === 'full' ? 'full analysis' : what}: ${scatter(times)}`)
    print('  ÷ decode', median(times.map((time, round) => time / decode[round]!)), limit)
  }
}

/** Pauses between sentences in a room that gets louder, beside auto-editor. */
async function benchSilence(film: Film, folder: string): Promise<void> {
  const { file, seconds, pauses } = film
  const sound = path.join(folder, 'sound.mka')
  await execute('ffmpeg', ['-v', 'error', '-y', '-i', file, '-vn', '-c', 'copy', sound])
  const { talking } = await findingsOf(sound, 'talking')
  const ours = pauseTally(pauses, talking?.silence ?? [])
  const oursCpu = await inTurns(3, { talking: () => analyseCpu(sound, 'talking') })
  console.log(`pauses found: ${ours.hit} of ${pauses.length}, ${ours.extra} false`)
  print('media ÷ CPU for speech and silence', seconds / median(oursCpu.talking))
  if (!installIfPossible({ command: 'auto-editor', debian: 'auto-editor', why: 'is a peer' })) {
    console.log('auto-editor is not installed (Debian package auto-editor): no comparison with it')
    return
  }
  const list = path.join(folder, 'auto-editor.json')
  const words = [
    file,
    '--no-open',
    '--my-ffmpeg',
    '--margin',
    '0sec',
    '--export',
    'json',
    '-o',
    list,
  ]
  const theirCpu = await inTurns(3, { peer: () => cpuOf('auto-editor', words) })
  const json = JSON.parse(await readFile(list, 'utf8')) as AutoEditorList
  const kept = (json.timeline.a[0] ?? []).map(({ offset, dur }) => ({
    start: offset / framesPerSecond,
    end: (offset + dur) / framesPerSecond,
  }))
  const edges = [0, ...kept.flatMap(({ start, end }) => [start, end]), seconds]
  const gaps = Array.from({ length: edges.length / 2 }, (_, at) => ({
    start: edges[at * 2] ?? 0,
    end: edges[at * 2 + 1] ?? 0,
  })).filter(({ start, end }) => end - start >= 0.3)
  const theirs = pauseTally(pauses, gaps)
  console.log(`pauses of auto-editor: ${theirs.hit} of ${pauses.length}, ${theirs.extra} false`)
  print('media ÷ CPU of auto-editor', seconds / median(theirCpu.peer))
}

interface AutoEditorList {
  timeline: { a: { offset: number; dur: number }[][] }
}

function pauseTally(
  truth: Film['pauses'],
  ranges: readonly { start: number; end: number }[],
): { hit: number; extra: number } {
  const near = (a: number, b: number): boolean => Math.abs(a - b) < 0.2
  const hit = truth.filter((pause) =>
    ranges.some((range) => near(range.start, pause.start) && near(range.end, pause.end)),
  ).length
  const extra = ranges.filter(
    (range) => !truth.some((pause) => range.start < pause.end && range.end > pause.start),
  )
  return { hit, extra: extra.length }
}

/** Silence, noise and music must give no words. */
async function benchEmpty(folder: string): Promise<void> {
  const sounds = {
    silence: 'anullsrc=r=48000',
    noise: 'anoisesrc=a=0.2:r=48000',
    music: "aevalsrc='0.2*sin(2*PI*220*t)*(1+sin(2*PI*2*t))+0.1*sin(2*PI*330*t)':s=48000",
  }
  for (const [name, source] of Object.entries(sounds)) {
    const file = path.join(folder, `${name}.wav`)
    await execute('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, '-t', '20', file])
    const { transcription } = await findingsOf(file, 'transcription')
    const words = transcription?.words.length
    console.log(`words in 20 s of ${name}: ${words} (target 0)`)
  }
}

async function findingsOf(file: string, id: string): Promise<Findings> {
  const words = [command, file, '--extractors', id, '--json']
  const { stdout } = await execute(process.execPath, words, { maxBuffer: 256 << 20 })
  return JSON.parse(stdout) as Findings
}

function print(name: string, value: number, target?: string): void {
  console.log(`${name}: ${value.toFixed(2)}${target ? ` (target ${target})` : ''}`)
}
