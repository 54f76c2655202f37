/**
 * How many pages a document has, for its price: read from the file's own structures, and of a PDF
 * by poppler, which opens it later too, so that no more pages are read than were counted. What has
 * no pages counts 1,800 characters as one. Every read and every inflation is bounded.
 */
import { stat } from 'node:fs/promises'
import { chaptersOf } from './book.ts'
import { decodeText } from './encoding.ts'
import { bodiesOf, isWebPage, pageBreak, withoutAsides, withoutTags } from './markup.ts'
import { inspectPdf } from './pdf.ts'
import { readEnds } from './read-ends.ts'
import { isSheet, readSheets } from './sheet.ts'
import { readArchive } from './zip.ts'
import type { Archive } from './zip.ts'

export const charactersPerPage = 1800
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

/** A file's own word about its pages counts as long as its text would fit on them. */
function believable(pages: number, letters: number): number {
  return letters <= pages * maxOnPage ? pages : letters / charactersPerPage
}

/** Small print on a large sheet. */
const maxOnPage = 4 * charactersPerPage

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
