/**
 * Keeps what a model file was rewritten to. To check and rewrite Whisper takes longer than to open
 * the result, and every recogniser would do it again. A copy is found by the recorded sums of what
 * it was made from, the code that made it and its options; a damaged one is made again. Where nothing
 * can be written, as in an image that is read-only, every process makes its own.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import * as z from 'zod'

export interface PreparedKey {
  name: string
  /** The recorded sum of the file that it is made from. */
  madeFrom: string
  options: unknown
}

type Parts = Record<string, Buffer>

const standardFolder = path.join(import.meta.dirname, '../../node_modules/.cache/models')
const makers = [
  'flexible-encoder.ts',
  'onnx-file.ts',
  'optimise.ts',
  'rewire-attention.ts',
  'sign-weights.ts',
  'split-decoder.ts',
]
const listName = 'parts.json'
const writingMs = 600_000
const partList = z.record(z.string(), z.object({ bytes: z.int(), crc32: z.int() }))

interface KeepOptions<P> {
  folder?: string
  /** Changes what is kept for the better, with a folder for passing files. */
  improve?: (made: P, folder: string) => Promise<P>
}

/**
 * The parts that `make` gives, or gave before; a null is not kept. `improve` runs only where its
 * result can be kept, since others gain from it, not whoever runs it.
 */
export async function keepPrepared<P extends Parts>(
  key: PreparedKey,
  make: () => Promise<P | null>,
  { folder = standardFolder, improve }: KeepOptions<P> = {},
): Promise<P | null> {
  const home = path.join(folder, `${key.name}-${await digest(key)}`)
  const kept = await readParts(home)
  // Parts of the same key were made by the same code, and so have the same names.
  if (kept) return kept as P
  const made = await make()
  if (!made) return null
  const give = async (work: string) => (improve ? await improve(made, work) : made)
  // It is only slower without them.
  await writeParts(home, give).catch(() => undefined)
  return made
}

async function digest(key: PreparedKey): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(key))
  for (const name of makers) hash.update(await readFile(path.join(import.meta.dirname, name)))
  return hash.digest('hex').slice(0, 32)
}

async function readParts(home: string): Promise<Parts | null> {
  const list = await readFile(path.join(home, listName), 'utf8').catch(() => null)
  if (list === null) return null
  try {
    const parts: Parts = {}
    for (const [name, expected] of Object.entries(partList.parse(JSON.parse(list)))) {
      const bytes = await readFile(path.join(home, name))
      const isWhole = bytes.length === expected.bytes && crc32(bytes) === expected.crc32
      if (!isWhole) throw new Error(`${name} is damaged.`)
      parts[name] = bytes
    }
    return parts
  } catch {
    await moveAway(home)
    return null
  }
}

/** All or nothing: others may read or write the same at this moment. */
async function writeParts(home: string, give: (work: string) => Promise<Parts>): Promise<void> {
  const temporary = `${home}.${randomUUID()}`
  try {
    await mkdir(temporary, { recursive: true })
    const parts = await give(temporary)
    for (const [part, bytes] of Object.entries(parts)) {
      await writeFile(path.join(temporary, part), bytes)
    }
    const list = Object.fromEntries(
      Object.entries(parts).map(([part, bytes]) => [
        part,
        { bytes: bytes.length, crc32: crc32(bytes) },
      ]),
    )
    await writeFile(path.join(temporary, listName), JSON.stringify(list))
    await rename(temporary, home)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    throw error
  }
  await removeOthers(path.dirname(home), path.basename(home))
}

/** In one step, since another process may be about to put a whole one in its place. */
async function moveAway(home: string): Promise<void> {
  const aside = `${home}.${randomUUID()}`
  try {
    await rename(home, aside)
    await rm(aside, { recursive: true, force: true })
  } catch {
    // Somebody else did, or nobody can.
  }
}

/** Those of other weights or of older code, and what a killed process left. */
async function removeOthers(folder: string, own: string): Promise<void> {
  const model = own.slice(0, own.lastIndexOf('-') + 1)
  for (const other of await readdir(folder)) {
    if (!other.startsWith(model) || other === own) continue
    const known = await stat(path.join(folder, other)).catch(() => null)
    const isBeingWritten = other.includes('.') && Date.now() - (known?.mtimeMs ?? 0) < writingMs
    if (!isBeingWritten) await rm(path.join(folder, other), { recursive: true, force: true })
  }
}
