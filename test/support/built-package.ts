/**
 * The npm package as `npm run package` makes it, for all tests of it and of its command: built once
 * for the same sources, which takes eight seconds of processor time.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { buildPackage } from '../../scripts/build/build-package.ts'
import { until } from './until.ts'

const root = resolve(import.meta.dirname, '../..')
const cache = join(root, 'node_modules/.cache/package-of-tests')
const dayMs = 86_400_000

/** Returns its folder, which is not to be changed. */
export async function builtPackage(): Promise<string> {
  const folder = join(cache, keyOfSources())
  await removeOld()
  await until(async () => existsSync(folder) || (await buildAlone(folder)))
  return folder
}

/** False while another process builds it; one that has died over it is not waited for. */
async function buildAlone(folder: string): Promise<boolean> {
  const lock = `${folder}.lock`
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' })
  } catch {
    const builder = await readFile(lock, 'utf8').catch(() => '')
    if (builder && !existsSync(`/proc/${builder}`)) await rm(lock, { force: true })
    return false
  }
  try {
    // Another may have ended just before.
    if (existsSync(folder)) return true
    await buildPackage(`${folder}.new`)
    await rename(`${folder}.new`, folder)
    return true
  } finally {
    await rm(lock)
  }
}

export async function builtCommand(): Promise<string> {
  return join(await builtPackage(), 'command/command.js')
}

function keyOfSources(): string {
  const hash = createHash('sha256')
  const patterns = [
    '{client,contract,domain}/**/*.{ts,json,md}',
    'scripts/build/{build-package,package-types,slim-contract}.ts',
    'package-lock.json',
  ]
  for (const file of globSync(patterns, { cwd: root }).sort()) {
    hash.update(`${file}\n`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

async function removeOld(): Promise<void> {
  await mkdir(cache, { recursive: true })
  for (const name of await readdir(cache)) {
    const { mtimeMs } = await stat(join(cache, name))
    if (Date.now() - mtimeMs > dayMs) await rm(join(cache, name), { recursive: true })
  }
}
