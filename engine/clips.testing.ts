/** Clips that tests make for themselves, in a folder that goes away with the test. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '..')
const cache = path.join(root, 'node_modules/.cache/clips')

export async function clipFolder(t: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'clips-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Runs ffmpeg with these arguments; the last one is the file's name in the folder. The same
 * arguments over the same input files give a copy of an earlier clip.
 */
export async function makeClip(folder: string, words: string): Promise<string> {
  const args = splitWords(words, folder)
  const file = path.join(folder, args.at(-1) ?? '')
  const kept = path.join(cache, `${await keyOf(folder, args)}${path.extname(file)}`)
  if (!existsSync(kept)) {
    await encode(folder, args)
    await keep(file, kept)
  } else {
    await copyFile(kept, file, constants.COPYFILE_FICLONE)
  }
  return file
}

/** Splits at white space, but not within the paths of the folder and of this project. */
function splitWords(words: string, folder: string): string[] {
  const hidden = words.trim().replaceAll(folder, '<folder>').replaceAll(root, '<root>')
  return hidden
    .split(/\s+/)
    .map((word) => word.replaceAll('<root>', () => root).replaceAll('<folder>', () => folder))
}

async function encode(folder: string, args: readonly string[]): Promise<void> {
  await run('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { cwd: folder, timeout: 120_000 })
}

/** The rename makes the file appear whole: two tests may make the same clip at once. */
async function keep(file: string, kept: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  const half = `${kept}.${process.pid}.${Math.random().toString(36).slice(2)}`
  await copyFile(file, half, constants.COPYFILE_FICLONE)
  await rename(half, kept)
}

let version: Promise<string | undefined> | undefined

/** Read on first use: the `prove` commands install ffmpeg after this file is loaded. */
function ffmpegVersion(): Promise<string | undefined> {
  version ??= run('ffmpeg', ['-version']).then(({ stdout }) => stdout.split('\n')[0])
  return version
}

/** The words, the version of ffmpeg, and the content of every file that the words name. */
async function keyOf(folder: string, args: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(`${await ffmpegVersion()}\n`)
  for (const arg of args) hash.update(`${arg.replaceAll(folder, '.')}\n`)
  const entries = await readdir(folder, { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const inFolder = files.map(({ name }) => path.join(folder, name)).sort()
  const inputs = args.slice(0, -1)
  const named = inFolder.filter((file) => inputs.some((arg) => arg.includes(path.basename(file))))
  const elsewhere = inputs.filter((arg) => path.isAbsolute(arg) && existsSync(arg))
  for (const file of new Set([...named, ...elsewhere])) hash.update(await readFile(file))
  return hash.digest('hex')
}

export interface ManyShots {
  file: string
  /** First frames of all shots but the first. */
  cuts: number[]
  frames: number
}

const sample = path.join(import.meta.dirname, '../assets/sample.mp4')
/** First frames of scenes of the sample clip, in an order in which no two neighbours are alike. */
const scenes = [5, 105, 180, 280, 400, 480, 110, 20, 285, 200]

/**
 * A small film of many shots: pieces of the sample clip, encoded once and then repeated by copying,
 * so that hours of it take seconds to make.
 */
export async function makeManyShots(
  folder: string,
  options: { shots: number; framesEach?: number; name?: string },
): Promise<ManyShots> {
  const { framesEach = 12, name = 'many-shots.mp4' } = options
  const pieces = scenes.map(
    (from, at) =>
      `[s${at}]trim=start_frame=${from}:end_frame=${from + framesEach},setpts=PTS-STARTPTS[p${at}]`,
  )
  const labels = (letter: string): string => scenes.map((_, at) => `[${letter}${at}]`).join('')
  const graph = [
    `[0:v]scale=128:72,split=${scenes.length}${labels('s')}`,
    ...pieces,
    `${labels('p')}concat=n=${scenes.length},format=yuv420p[v]`,
  ].join(';')
  const codec = `-c:v libx264 -preset ultrafast -crf 12 -g ${framesEach} -bf 0`
  await makeClip(folder, `-i ${sample} -filter_complex ${graph} -map [v] -an ${codec} once.mp4`)
  const frames = options.shots * framesEach
  const file = await makeClip(
    folder,
    `-stream_loop -1 -i once.mp4 -c copy -frames:v ${frames} ${name}`,
  )
  const cuts = Array.from({ length: options.shots - 1 }, (_, at) => (at + 1) * framesEach)
  return { file, cuts, frames }
}

const font = path.join(import.meta.dirname, '../node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf')

/**
 * A filter that draws a line of white text, in all frames or in a range. ffmpeg reads the text from
 * a file, since it holds spaces.
 */
export async function drawLine(
  folder: string,
  text: string,
  at: { x: number; y: number; size: number; frames?: [number, number] },
): Promise<string> {
  const file = `${at.x}-${at.y}.txt`
  await writeFile(path.join(folder, file), text)
  const when = at.frames ? `:enable='between(n,${at.frames[0]},${at.frames[1] - 1})'` : ''
  const place = `x=${at.x}:y=${at.y}:fontsize=${at.size}:fontcolor=white`
  return `drawtext=fontfile=${font}:textfile=${file}:${place}${when}`
}

/** Two seconds of a slate: scene 12A, take 3, roll A004, camera B, and a clap in frame 30. */
export async function makeSlateClip(folder: string): Promise<string> {
  const field = async (label: string, value: string, x: number, y: number): Promise<string> =>
    [
      await drawLine(folder, label, { x, y, size: 16 }),
      await drawLine(folder, value, { x, y: y + 20, size: 36 }),
    ].join(',')
  const filters = [
    await field('SCENE', '12A', 60, 120),
    await field('TAKE', '3', 260, 120),
    await field('ROLL', 'A004', 420, 120),
    await field('DATE', '2024-03-07', 60, 220),
    await field('CAMERA', 'B', 420, 220),
  ].join(',')
  const image = '-f lavfi -i color=0x202830:s=640x360:r=25:d=2'
  const crack = `if(between(t,1.205,1.3),exp(-(t-1.205)*120),0)*(random(0)*2-1)*0.7`
  const sound = `-f lavfi -i aevalsrc='${crack}+(random(1)-0.5)*0.004':s=16000:d=2`
  const codec = '-c:v libx264 -preset ultrafast -crf 18 -pix_fmt yuv420p -c:a pcm_s16le'
  return await makeClip(folder, `${image} ${sound} -vf ${filters} ${codec} slate.mov`)
}
