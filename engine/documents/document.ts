/**
 * How many pages a document has, for its price: read from the file's own structures, and of a PDF
 * by poppler, which opens it later too, so that no more pages are read than were counted. What has
 * no pages counts 1,800 characters as one. Every read and every inflation is bounded.
 */
import { open, stat } from 'node:fs/promises'
import { chaptersOf } from './book.ts'
import { encodingOf } from './encoding.ts'
import { runTool } from '../tools/run.ts'
import { isSheet, readSheets } from './sheet.ts'
import { readArchive } from './zip.ts'
import type { Archive } from './zip.ts'

export const charactersPerPage = 1800
const readLimitBytes = 64 * 1024 * 1024
const maxPages = 100_000
/** Of a document, as many characters as this are read; of a PDF, as many pages. */
export const maxCharacters = 2_000_000
export const maxPdfPages = 10_000

export type DocumentFormat = 'pdf' | 'zip' | 'text' | 'rtf' | 'office'

interface Extent {
  pages: number
  /** Roughly what a reader finds on them. */
  letters: number
}

/** The pages that are read, for the price. Null where the file is an archive without a document. */
export async function countPages(file: string, format: DocumentFormat): Promise<number | null> {
  const extent = await measure(file, format)
  if (!extent) return null
  const { pages, letters } = extent
  if (format === 'pdf') return Math.min(pages, maxPdfPages)
  return Math.max(1, Math.ceil(pages * Math.min(1, maxCharacters / Math.max(1, letters))))
}

/** All pages, whether they are read or not. */
export async function pagesOf(file: string, format: DocumentFormat): Promise<number | null> {
  return (await measure(file, format))?.pages ?? null
}

async function measure(file: string, format: DocumentFormat): Promise<Extent | null> {
  const extent = await extentOf(file, format)
  if (!extent) return null
  const pages = Math.min(maxPages, Math.max(1, Math.ceil(extent.pages)))
  return { pages, letters: extent.letters }
}

async function extentOf(file: string, format: DocumentFormat): Promise<Extent | null> {
  // Nothing of a locked or damaged PDF is read later, so it costs as little as it can.
  if (format === 'pdf') return { pages: (await inspectPdf(file))?.pages ?? 1, letters: 0 }
  if (format === 'zip') return readArchive(file, zipExtent)
  const bytes = await readEnds(file)
  const extent = extentIn(bytes, format)
  const { size } = await stat(file)
  if (size <= bytes.length || format !== 'text') return extent
  const times = size / bytes.length
  return { pages: extent.pages * times, letters: extent.letters * times }
}

function extentIn(bytes: Buffer, format: 'text' | 'rtf' | 'office'): Extent {
  if (format === 'rtf') return rtfExtent(bytes.toString('latin1'))
  // The text of an old binary file is not read, its pages are counted.
  if (format === 'office') return { pages: utf16Letters(bytes) / charactersPerPage, letters: 0 }
  const text = decodeText(bytes)
  const letters = isWebPage(text) ? withoutTags(withoutAsides(text)).length : text.length
  return { pages: letters / charactersPerPage, letters }
}

export function decodeText(bytes: Buffer): string {
  return new TextDecoder(encodingOf(bytes) ?? 'utf-8').decode(bytes)
}

/** Marks up its words: they are read without the marks. */
export function isWebPage(text: string): boolean {
  return /^\ufeff?\s*(?:<\?xml[^>]{0,200}>\s*)?<(?:!doctype\s+html|html)[\s>]/i.test(text)
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

export interface PdfProperties {
  pages: number
  title: string | undefined
  author: string | undefined
}

/** Null where the file is locked or damaged. */
export async function inspectPdf(
  file: string,
  signal?: AbortSignal,
): Promise<PdfProperties | null> {
  const decoder = new TextDecoder()
  let text = ''
  const outcome = await runTool({
    tool: 'pdfinfo',
    input: file,
    wallMs: 20_000,
    signal,
    limits: { memoryBytes: 2 * 1024 ** 3, cpuSeconds: 10, fileBytes: 0 },
    args: ({ inputPath }) => ['-enc', 'UTF-8', inputPath],
    pipes: {
      1(chunk) {
        if (text.length < maxReportCharacters) text += decoder.decode(chunk, { stream: true })
      },
    },
  })
  // The file's own words come before this line, and a title may hold line breaks: the last counts.
  const pages = [...text.matchAll(/^Pages: +(\d{1,9})$/gm)].at(-1)?.[1]
  if (outcome.end !== 'done' || pages === undefined) return null
  const property = (name: string): string | undefined =>
    new RegExp(`^${name}: +(.+)$`, 'm').exec(text)?.[1]
  return { pages: Number(pages), title: property('Title'), author: property('Author') }
}

const maxReportCharacters = 100_000

async function zipExtent(archive: Archive): Promise<Extent | null> {
  const { names, read, isCut } = archive
  const app = await read('docProps/app.xml')
  const slides = names.filter((name) => /^ppt\/slides\/slide\d+\.xml$/.test(name))
  const known =
    countBy(app, /<Pages>(\d{1,6})</) ||
    slides.length ||
    countBy(await read('meta.xml'), /meta:page-count="(\d{1,6})"/)
  if (isSheet(names)) {
    const letters = (await readSheets(archive, maxCharacters)).text.length
    return { pages: believable(known, letters), letters }
  }
  const own = bodiesOf(names)
  const bodies = own.length > 0 ? own : await chaptersOf(archive)
  if (bodies.length === 0) return known > 0 ? { pages: known, letters: 0 } : null
  let letters = 0
  let breaks = 0
  for (const name of bodies) {
    const body = withoutAsides(await read(name))
    letters += withoutTags(body).length
    breaks += body.split(pageBreak).length - 1
  }
  const pages = believable(known || (breaks > 0 ? breaks + 1 : 0), letters)
  // No more than can be inflated is read.
  return { pages: isCut() ? Math.min(pages, letters / charactersPerPage) : pages, letters }
}

/** The text of a document that is written in one, with its notes behind it. */
export function bodiesOf(names: readonly string[]): string[] {
  const parts = ['document', 'footnotes', 'endnotes', 'comments'].map((part) => `word/${part}.xml`)
  return [...parts, 'content.xml'].filter((name) => names.includes(name))
}

/** Where Word broke a page when it saved the file, or the writer asked for a new one. */
export const pageBreak = /<w:lastRenderedPageBreak\b|<w:br [^<>]{0,200}\bw:type="page"/

/**
 * What a file keeps but its reader does not see: text that was deleted or moved away with changes
 * tracked, the codes of fields, the second copy of a drawing, a web page's head.
 */
const asides = [
  ...['w:delText', 'w:instrText', 'w:delInstrText', 'w:moveFrom', 'mc:Fallback'],
  ...['text:tracked-changes', 'a:fld', 'head', 'script', 'style', 'HEAD', 'SCRIPT', 'STYLE'],
]

export function withoutAsides(xml: string): string {
  return asides.reduce(withoutElement, xml)
}

/** By one walk: a pattern would look for the end of each from every start. */
function withoutElement(xml: string, name: string): string {
  let kept = ''
  let from = 0
  let search = 0
  for (;;) {
    const start = xml.indexOf(`<${name}`, search)
    const tagEnd = start < 0 ? -1 : xml.indexOf('>', start)
    if (tagEnd < 0) break
    search = tagEnd
    const isOther = !/[\s>]/.test(xml[start + name.length + 1] ?? '')
    if (isOther || xml[tagEnd - 1] === '/') continue
    const end = xml.indexOf(`</${name}>`, tagEnd)
    if (end < 0) break
    kept += xml.slice(from, start)
    from = end + name.length + 3
    search = from
  }
  return kept + xml.slice(from)
}

/** A file's own word about its pages counts as long as its text would fit on them. */
function believable(pages: number, letters: number): number {
  return letters <= pages * maxOnPage ? pages : letters / charactersPerPage
}

/** Small print on a large sheet. */
const maxOnPage = 4 * charactersPerPage

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

function rtfExtent(text: string): Extent {
  const known = Number(/\\nofpages(\d{1,6})/.exec(text)?.[1] ?? 0)
  const letters = text.replace(/\\[a-z]+-?\d* ?|[{}]/gi, '').length
  return { pages: believable(known, letters), letters }
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
