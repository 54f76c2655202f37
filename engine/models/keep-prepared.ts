/**
 * Keeps what a model file was rewritten to. To check and rewrite Whisper takes longer than to open
 * the result, and every recogniser would do it again. A copy is found by the recorded sums of what
 * it was made from, the code that made it and its options; a damaged one is made again. Where
 * nothing can be written, as in an image that is read-only, every process makes its own.
 *
 * Copies are files rather than bytes, so that the runtime can map them into memory. To sum them up
 * would take as long as to open them, so their sums are compared once a day, and whenever a file's
 * stamp is not the one of the last time.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { crc32 } from 'node:zlib'

export interface PreparedKey {
  name: string
  /** The recorded sum of the file that it is made from. */
  madeFrom: string
  options: unknown
}

type Parts = Record<string, Buffer>

/** The folder that holds the parts as files, or the parts for the process that just made them. */
export type Kept<P> = { folder: string } | { parts: P }

const standardFolder = path.join(import.meta.dirname, '../../node_modules/.cache/models')
const makers = [
  'first-layers.ts',
  'flexible-encoder.ts',
  'keep-models.ts',
  'onnx-file.ts',
  'optimise.ts',
  'rewire-attention.ts',
  'sign-weights.ts',
  'split-decoder.ts',
]
const listName = 'parts.json'
const checkedName = 'checked.json'
const writingMs = 600_000
const checkedMs = 24 * 3600 * 1000
const chunkBytes = 1 << 20

/** Sizes and checksums by name; written by this file and checked against the files. */
type PartList = Partial<Record<string, { bytes: number; crc32: number }>>

interface Checked {
  at: number
  /** File stamps by name. */
  stamps: Partial<Record<string, string>>
}

interface KeepOptions<P> {
  folder?: string
  /** Writes the parts, or an improved form of them, into the folder that is kept. */
  improve?: (prepared: P, folder: string) => Promise<void>
}

/**
 * Returns the parts that `make` makes or made before; null results are not kept. `improve` runs
 * only if its result can be kept, because only later processes gain from it.
 */
export async function keepPrepared<P extends Parts>(
  key: PreparedKey,
  make: () => Promise<P | null>,
  { folder = standardFolder, improve = writeAll }: KeepOptions<P> = {},
): Promise<Kept<P> | null> {
  const home = path.join(folder, `${key.name}-${await digest(key)}`)
  if (await isWhole(home)) return { folder: home }
  const prepared = await make()
  if (!prepared) return null
  // A failure only costs speed.
  await keep(home, (work) => improve(prepared, work)).catch(() => undefined)
  return { parts: prepared }
}

async function writeAll(parts: Parts, folder: string): Promise<void> {
  for (const [name, bytes] of Object.entries(parts)) {
    await writeFile(path.join(folder, name), bytes)
  }
}

async function digest(key: PreparedKey): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(key))
  for (const name of makers) hash.update(await readFile(path.join(import.meta.dirname, name)))
  return hash.digest('hex').slice(0, 32)
}

/** Checks the kept parts; false if there are none. Damaged ones are moved away. */
async function isWhole(home: string): Promise<boolean> {
  const list = await readFile(path.join(home, listName), 'utf8').catch(() => null)
  if (list === null) return false
  try {
    await checkParts(home, JSON.parse(list) as PartList)
    return true
  } catch {
    await moveAway(home)
    return false
  }
}

async function checkParts(home: string, list: PartList): Promise<void> {
  const last = await lastChecked(home)
  const stamps: Checked['stamps'] = {}
  let isNew = false
  for (const [name, expected] of Object.entries(list)) {
    const file = path.join(home, name)
    const known = await stat(file)
    // A new link to the file changes its time of change, a restored backup its number.
    const stamp = `${known.size} ${known.mtimeMs} ${known.ctimeMs} ${known.ino}`
    stamps[name] = stamp
    if (known.size !== expected?.bytes) throw new Error(`${name} is damaged.`)
    if (last?.stamps[name] === stamp) continue
    if ((await sumOf(file)) !== expected.crc32) throw new Error(`${name} is damaged.`)
    isNew = true
  }
  // If the stamps cannot be written, the next process compares the checksums again.
  if (isNew) await writeChecked(home, { at: Date.now(), stamps }).catch(() => undefined)
}

/** The last check; null if there was none or if it is too old. */
async function lastChecked(home: string): Promise<Checked | null> {
  try {
    const text = await readFile(path.join(home, checkedName), 'utf8')
    const checked = JSON.parse(text) as Checked
    const age = Date.now() - checked.at
    return age >= 0 && age < checkedMs ? checked : null
  } catch {
    return null
  }
}

async function writeChecked(home: string, checked: Checked): Promise<void> {
  const passing = path.join(home, `${checkedName}.${randomUUID()}`)
  await writeFile(passing, JSON.stringify(checked))
  await rename(passing, path.join(home, checkedName))
}

async function sumOf(file: string): Promise<number> {
  await using handle = await open(file)
  const chunk = Buffer.allocUnsafe(chunkBytes)
  for (let sum = 0; ;) {
    const { bytesRead } = await handle.read(chunk, 0, chunkBytes)
    if (bytesRead === 0) return sum
    sum = crc32(chunk.subarray(0, bytesRead), sum)
  }
}

/** Writes all or nothing, because other processes may read or write the folder now. */
async function keep(home: string, fill: (work: string) => Promise<void>): Promise<void> {
  const temporary = `${home}.${randomUUID()}`
  try {
    await mkdir(temporary, { recursive: true })
    await fill(temporary)
    const list: PartList = {}
    for (const name of await readdir(temporary)) {
      const file = path.join(temporary, name)
      list[name] = { bytes: (await stat(file)).size, crc32: await sumOf(file) }
    }
    await writeFile(path.join(temporary, listName), JSON.stringify(list))
    await rename(temporary, home)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    throw error
  }
  await removeOthers(path.dirname(home), path.basename(home))
}

/** Moves the folder in one step, since another process may be replacing it with a whole one. */
async function moveAway(home: string): Promise<void> {
  const aside = `${home}.${randomUUID()}`
  try {
    await rename(home, aside)
    await rm(aside, { recursive: true, force: true })
  } catch {
    // Another process moved it, or nobody can.
  }
}

/** Removes the parts of other weights or older code, and the remains of killed processes. */
async function removeOthers(folder: string, own: string): Promise<void> {
  const model = own.slice(0, own.lastIndexOf('-') + 1)
  for (const other of await readdir(folder)) {
    if (!other.startsWith(model) || other === own) continue
    const known = await stat(path.join(folder, other)).catch(() => null)
    const isBeingWritten = other.includes('.') && Date.now() - (known?.mtimeMs ?? 0) < writingMs
    if (!isBeingWritten) await rm(path.join(folder, other), { recursive: true, force: true })
  }
}
