/** The key of `cutindex login`: a file that only its owner can read. */
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { UsageError } from './usage.ts'

const isWindows = process.platform === 'win32'

export interface StoredKey {
  apiKey: string
  baseUrl: string | undefined
}

export function keyFilePath(environment: NodeJS.ProcessEnv): string {
  const folder = environment.XDG_CONFIG_HOME || join(homedir(), '.config')
  return join(folder, 'cutindex', 'key.json')
}

/** The environment comes before the file. */
export async function findKey(environment: NodeJS.ProcessEnv): Promise<StoredKey> {
  const apiKey = environment.CUTINDEX_API_KEY
  const baseUrl = environment.CUTINDEX_API
  if (apiKey) {
    checkKey(apiKey, 'CUTINDEX_API_KEY')
    return { apiKey, baseUrl }
  }
  const stored = await readKey(keyFilePath(environment))
  return { ...stored, baseUrl: baseUrl ?? stored.baseUrl }
}

/** Finds a wrong paste before the service has to. */
export function checkKey(apiKey: string, where: string): void {
  if (/^ci_(live|test)_[\dA-Za-z]+$/.test(apiKey)) return
  const advice = 'Keys begin with ci_live_ and are made under Profile, Security, API keys.'
  throw new UsageError(`${where} is no API key. ${advice}`, 3)
}

async function readKey(path: string): Promise<StoredKey> {
  const info = await stat(path).catch(() => null)
  if (!info) {
    throw new UsageError('No key. Run "cutindex login", or set CUTINDEX_API_KEY.', 3)
  }
  // Windows keeps rights elsewhere, and reports every file as open to all.
  if (!isWindows && (info.mode & 0o077) !== 0) {
    throw new UsageError(`Others can read ${path}. Run "chmod 600 ${path}", then try again.`, 3)
  }
  const stored = parse(await readFile(path, 'utf8'))
  if (!stored?.apiKey) throw new UsageError(`${path} holds no key. Run "cutindex login" again.`, 3)
  return { apiKey: stored.apiKey, baseUrl: stored.baseUrl }
}

function parse(text: string): Partial<StoredKey> | null {
  try {
    return JSON.parse(text) as Partial<StoredKey>
  } catch {
    return null
  }
}

export async function writeKey(path: string, key: StoredKey): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeWhole(path, `${JSON.stringify(key, null, 2)}\n`, 0o600)
}

/** Whole or not at all, also when the machine stops in between. */
export async function writeWhole(
  path: string,
  data: string | Uint8Array,
  mode = 0o666,
): Promise<void> {
  const temporary = join(dirname(path), `.cutindex-${process.pid}-${crypto.randomUUID()}.tmp`)
  const file = await open(temporary, 'wx', mode)
  try {
    await file.writeFile(data)
    await file.sync()
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  // Windows has no such thing, and refuses.
  if (isWindows) return
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
