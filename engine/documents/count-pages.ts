/**
 * Counts the pages of a document, for its price: from the file's own structures, and of a PDF by
 * poppler, which opens it later too, so that no more pages are read than were counted. A text
 * without pages counts 1,800 characters as one. Every read and every inflation is bounded.
 */
import { stat } from 'node:fs/promises'
import { decodeText } from './encoding.ts'
import { bodiesOf, isWebPage, pageBreak, withoutAsides, withoutTags } from './markup.ts'
import { inspectPdf } from './pdf.ts'
import { readEnds } from './read-ends.ts'
import { readArchive } from './zip.ts'
import type { Archive } from './zip.ts'

export const charactersPerPage = 1800
const maxPages = 100_000
/** At most this many characters of a document are read; for a PDF, at most this many pages. */
export const maxCharacters = 2_000_000
export const maxPdfPages = 10_000

export type DocumentFormat = 'pdf' | 'zip' | 'text'

interface Extent {
  pages: number
  /** Estimated number of letters on all pages. */
  letters: number
}

/** Counts the pages that are read, for the price; null if the file is an archive without text. */
export async function countPages(file: string, format: DocumentFormat): Promise<number | null> {
  const extent = await measure(file, format)
  if (!extent) return null
  const { pages, letters } = extent
  if (format === 'pdf') return Math.min(pages, maxPdfPages)
  return Math.max(1, Math.ceil(pages * Math.min(1, maxCharacters / Math.max(1, letters))))
}

/** Counts all pages, including those beyond what is read. */
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
  const extent = textExtent(decodeText(bytes))
  const { size } = await stat(file)
  if (size <= bytes.length) return extent
  const times = size / bytes.length
  return { pages: extent.pages * times, letters: extent.letters * times }
}

function textExtent(text: string): Extent {
  const letters = isWebPage(text) ? withoutTags(withoutAsides(text)).length : text.length
  return { pages: letters / charactersPerPage, letters }
}

async function zipExtent({ names, read, isCut }: Archive): Promise<Extent | null> {
  const app = await read('docProps/app.xml')
  const known = Number(/<Pages>(\d{1,6})</.exec(app)?.[1] ?? 0)
  const bodies = bodiesOf(names)
  if (bodies.length === 0) return null
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

/** Accepts the page count that a file states only if its text would fit on that many pages. */
function believable(pages: number, letters: number): number {
  return letters <= pages * maxOnPage ? pages : letters / charactersPerPage
}

/** A dense page: small print on a large sheet. */
const maxOnPage = 4 * charactersPerPage
