/**
 * Reads the parts of a Word document, which is a ZIP archive. yauzl reads the archive's table and
 * believes no size that it states; here all parts together inflate to a limit, so that a bomb costs
 * that and no more.
 */
import { openPromise } from 'yauzl'
import type { Entry, ZipFile } from 'yauzl'

const inflateLimitBytes = 16 * 1024 * 1024
const maxEntries = 20_000

export interface Archive {
  names: string[]
  /** The text of a part; what is absent or damaged is empty, what is too large is cut. */
  read: (name: string) => Promise<string>
  /** True once something was too large and was cut. */
  isCut: () => boolean
}

/** Opens an archive for `use`; null if the file is not one. */
export async function readArchive<T>(
  file: string,
  use: (archive: Archive) => Promise<T>,
): Promise<T | null> {
  const zip = await openPromise(file, { autoClose: false }).catch(() => null)
  if (!zip) return null
  try {
    const entries = await listEntries(zip)
    let budget = inflateLimitBytes
    let isCut = false
    return await use({
      names: [...entries.keys()],
      async read(name) {
        const entry = entries.get(name)
        if (!entry) return ''
        const bytes = await inflate(zip, entry, budget + 1)
        isCut ||= bytes.length > budget
        const kept = bytes.subarray(0, budget)
        budget -= kept.length
        return kept.toString('utf8')
      },
      isCut: () => isCut,
    })
  } finally {
    zip.close()
  }
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileName, entry)
      if (entries.size >= maxEntries) break
    }
  } catch {
    // The rest of the table is damaged; what was listed before can still be read.
  }
  return entries
}

async function inflate(zip: ZipFile, entry: Entry, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let left = maxBytes
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      const part = (chunk as Buffer).subarray(0, left)
      chunks.push(part)
      left -= part.length
      if (left <= 0) break
    }
  } catch {
    // Damaged or encrypted: what came out before counts.
  }
  return Buffer.concat(chunks)
}
