/**
 * How many pages a document has, for its price: read from the file's own structures, and of a PDF
 * by what opens it later, so that no more pages are read than were counted. What has no pages
 * counts 1,800 characters as one. Every read and every inflation is bounded, so a bomb costs its
 * limit and no more.
 */
import { open, stat } from 'node:fs/promises'
import { inflateRawSync, inflateSync } from 'node:zlib'
import { runTool } from '../tools/run.ts'

export const charactersPerPage = 1800
const readLimitBytes = 64 * 1024 * 1024
const inflateLimitBytes = 16 * 1024 * 1024
const maxPages = 100_000

export type DocumentFormat = 'pdf' | 'zip' | 'text' | 'rtf' | 'office'

/** Null where the file is an archive that holds no document. */
export async function countPages(file: string, format: DocumentFormat): Promise<number | null> {
  const bytes = await readEnds(file)
  const pages = (format === 'pdf' ? await openedPages(file) : null) ?? countIn(bytes, format)
  if (pages === null) return null
  const { size } = await stat(file)
  const whole = size > bytes.length && format === 'text' ? (pages * size) / bytes.length : pages
  return Math.min(maxPages, Math.max(1, Math.ceil(whole)))
}

function countIn(bytes: Buffer, format: DocumentFormat): number | null {
  if (format === 'pdf') return pdfPages(bytes)
  if (format === 'zip') return zipPages(bytes)
  if (format === 'office') return Math.ceil(utf16Letters(bytes) / charactersPerPage)
  if (format === 'rtf') return rtfPages(bytes.toString('latin1'))
  return decodeText(bytes).length / charactersPerPage
}

export function decodeText(bytes: Buffer): string {
  const encoding = bytes[0] === 0xff ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

/** The file, or its first and last half where it is larger than the limit. */
export async function readEnds(file: string): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const bytes = Buffer.alloc(Math.min(size, readLimitBytes))
    if (size <= readLimitBytes) {
      await handle.read(bytes, 0, bytes.length, 0)
      return bytes
    }
    const half = readLimitBytes / 2
    await handle.read(bytes, 0, half, 0)
    await handle.read(bytes, half, half, size - half)
    return bytes
  } finally {
    await handle.close()
  }
}

/** Null where the file is locked or damaged. */
async function openedPages(file: string): Promise<number | null> {
  let text = ''
  const outcome = await runTool({
    tool: 'pdfinfo',
    input: file,
    wallMs: 20_000,
    limits: { memoryBytes: 2 * 1024 ** 3, cpuSeconds: 10, fileBytes: 0 },
    args: ({ inputPath }) => [inputPath],
    pipes: {
      1(chunk) {
        if (text.length < 100_000) text += chunk.toString('latin1')
      },
    },
  })
  // Properties are printed before it, each on one line.
  const pages = /^Pages:\s+(\d{1,9})$/m.exec(text)?.[1]
  return outcome.end === 'done' && pages !== undefined ? Number(pages) : null
}

/** More of them than any real file has would only be there to be counted for a long time. */
const mostNodes = 20_000
const mostStreams = 5000

function pdfPages(bytes: Buffer): number {
  const text = bytes.toString('latin1')
  const nodes = { left: mostNodes }
  const plain = pageTree(text, nodes)
  if (plain > 0) return plain
  let budget = inflateLimitBytes
  let most = 0
  for (const { index } of text.matchAll(/\/Type\s*\/ObjStm/g).take(mostStreams)) {
    if (budget <= 0) break
    const start = /stream\r?\n/.exec(text.slice(index, index + 450))
    if (!start) continue
    try {
      const inflated = inflateSync(bytes.subarray(index + start.index + start[0].length), {
        maxOutputLength: budget,
      })
      // A small one costs its setting up.
      budget -= Math.max(inflated.length, inflateLimitBytes / mostStreams)
      most = Math.max(most, pageTree(inflated.toString('latin1'), nodes))
    } catch {
      // A damaged or encrypted stream tells nothing; the others may.
      continue
    }
  }
  // It stands at the very beginning, or nowhere.
  const linear = /\/Linearized[^]{0,200}?\/N\s+(\d{1,6})/.exec(text.slice(0, 2048))
  return most || Number(linear?.[1] ?? 1)
}

/** The largest /Count of a page tree's node, or the number of page objects. */
function pageTree(text: string, nodes: { left: number }): number {
  let most = 0
  for (const match of text.matchAll(/\/Type\s*\/Pages\b/g)) {
    nodes.left -= 1
    if (nodes.left < 0) break
    const near = text.slice(Math.max(0, match.index - 2000), match.index + 2000)
    const before = near.slice(0, Math.min(2000, match.index)).split('endobj').at(-1) ?? ''
    const after = near.slice(Math.min(2000, match.index)).split('endobj')[0] ?? ''
    for (const count of (before + after).matchAll(/\/Count\s+(\d{1,6})/g)) {
      most = Math.max(most, Number(count[1]))
    }
  }
  if (most > 0) return most
  return text
    .matchAll(/\/Type\s*\/Page\b(?!s)/g)
    .take(maxPages)
    .reduce((count) => count + 1, 0)
}

function zipPages(bytes: Buffer): number | null {
  const entries = zipEntries(bytes)
  const read = (name: string): string => entries.get(name)?.().toString('utf8') ?? ''
  const app = read('docProps/app.xml')
  const slides = [...entries.keys()].filter((name) => /^ppt\/slides\/slide\d+\.xml$/.test(name))
  const known =
    countBy(app, /<Pages>(\d{1,6})</) ||
    slides.length ||
    countBy(read('meta.xml'), /meta:page-count="(\d{1,6})"/)
  const bodies = [...entries.keys()].filter((name) =>
    /^(?:word\/document\.xml|content\.xml|xl\/sharedStrings\.xml)$|\.x?html$/.test(name),
  )
  if (bodies.length === 0) return known || null
  let letters = 0
  for (const name of bodies.slice(0, 500)) letters += withoutTags(read(name)).length
  return believable(known, letters)
}

/** A file's own word about its pages counts as long as its text would fit on them. */
function believable(pages: number, letters: number): number {
  return letters <= pages * mostOnPage ? pages : letters / charactersPerPage
}

/** Small print on a large sheet. */
const mostOnPage = 4 * charactersPerPage

/**
 * By one walk: a pattern would look for the end of each `<` up to the end of the text, which for a
 * text of nothing else takes days. `mark` says what stands in a tag's place.
 */
export function withoutTags(xml: string, mark: (tag: string) => string = () => ''): string {
  let text = ''
  let from = 0
  for (;;) {
    const start = xml.indexOf('<', from)
    const end = start < 0 ? -1 : xml.indexOf('>', start)
    if (end < 0) return text + xml.slice(from)
    text += xml.slice(from, start) + mark(xml.slice(start, end + 1))
    from = end + 1
  }
}

function countBy(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? 0)
}

/** The archive's own table, each entry as a function that inflates it within the limit. */
export function zipEntries(bytes: Buffer): Map<string, () => Buffer> {
  const entries = new Map<string, () => Buffer>()
  let budget = inflateLimitBytes
  let at = bytes.indexOf('PK\x01\x02', 0, 'latin1')
  while (at >= 0 && at + 46 <= bytes.length && bytes.readUInt32LE(at) === 0x02014b50) {
    const method = bytes.readUInt16LE(at + 10)
    const size = bytes.readUInt32LE(at + 20)
    const nameLength = bytes.readUInt16LE(at + 28)
    const local = bytes.readUInt32LE(at + 42)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    entries.set(name, () => {
      if (local + 30 > bytes.length || budget <= 0) return Buffer.alloc(0)
      const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
      const packed = bytes.subarray(start, start + size)
      const plain = method === 8 ? inflateOrNothing(packed, budget) : packed
      budget -= plain.length
      return plain
    })
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    if (entries.size > 20_000) break
  }
  return entries
}

function inflateOrNothing(packed: Buffer, maxOutputLength: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength })
  } catch {
    // Damaged or too large: it counts as no text.
    return Buffer.alloc(0)
  }
}

function rtfPages(text: string): number {
  const known = Number(/\\nofpages(\d{1,6})/.exec(text)?.[1] ?? 0)
  return believable(known, text.replace(/\\[a-z]+-?\d* ?|[{}]/gi, '').length)
}

/** The old binary formats keep their text as 8-bit or UTF-16 runs; both are counted roughly. */
function utf16Letters(bytes: Buffer): number {
  let letters = 0
  let run = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte >= 0x20 && byte <= 0x7e) run += 1
    // The high half of a letter of UTF-16.
    else if (byte !== 0 || bytes[at - 1] === 0) {
      if (run >= shortestRun) letters += run
      run = 0
    }
  }
  return run >= shortestRun ? letters + run : letters
}

const shortestRun = 24
