/** Clips that tests make for themselves, in a folder that goes away with the test. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const cache = path.join(import.meta.dirname, '../node_modules/.cache/clips')

export async function clipFolder(t: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'clips-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Runs ffmpeg with these words; the last one is the file's name in the folder. The same words over
 * the same input files give a copy of what they gave before.
 */
export async function makeClip(folder: string, words: string): Promise<string> {
  const args = words.trim().split(/\s+/)
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

const version = run('ffmpeg', ['-version']).then(({ stdout }) => stdout.split('\n')[0])

/** The words, the version of ffmpeg, and the content of every file that the words name. */
async function keyOf(folder: string, args: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(`${await version}\n`)
  for (const arg of args) hash.update(`${arg.replaceAll(folder, '.')}\n`)
  const inFolder = (await readdir(folder)).map((name) => path.join(folder, name)).sort()
  const inputs = args.slice(0, -1)
  const named = inFolder.filter((file) => inputs.some((arg) => arg.includes(path.basename(file))))
  const elsewhere = inputs.filter((arg) => path.isAbsolute(arg) && existsSync(arg))
  for (const file of new Set([...named, ...elsewhere])) hash.update(await readFile(file))
  return hash.digest('hex')
}
