/**
 * Reads a document: its properties and its text, page by page, from the file's own structures like
 * its number of pages and within the same limits; a PDF by poppler in isolation.
 */
import type { FindingsOf } from '../../domain/findings/findings.ts'
import { charactersPerPage, maxCharacters, maxPdfPages, pagesOf } from './count-pages.ts'
import { decodeText } from './encoding.ts'
import { bodiesOf, isWebPage, pageBreak, withoutAsides, withoutTags } from './markup.ts'
import { inspectPdf, readPdfPages } from './pdf.ts'
import type { PdfProperties } from './pdf.ts'
import { readEnds } from './read-ends.ts'
import { withoutEntities } from './entities.ts'
import { readArchive } from './zip.ts'
import type { Archive } from './zip.ts'
import { sniffFile } from '../media/sniff.ts'

export type DocumentFindings = NonNullable<FindingsOf<'ffprobe'>['document']>

const maxPropertyLetters = 500

export async function readDocument(
  file: string,
  options: { signal?: AbortSignal; maxPages?: number; onCut?: () => void } = {},
): Promise<DocumentFindings> {
  const kind = await sniffFile(file)
  if (kind.kind !== 'document') throw new Error('This is no document.')
  const pdf = kind.format === 'pdf' ? await inspectPdf(file, options.signal) : null
  const counted = (kind.format === 'pdf' ? pdf?.pages : await pagesOf(file, kind.format)) ?? 1
  // A document at an address may have grown since its pages were counted for the price.
  const paid = Math.min(counted, options.maxPages ?? counted)
  const document =
    kind.format === 'pdf'
      ? await readPdf(file, pdf, { pages: Math.min(paid, maxPdfPages), signal: options.signal })
      : await readers[kind.format](file, counted)
  const { format, title, author } = document
  // A text brings page breaks of its own, so its parts are not the counted pages.
  const share = kind.format === 'pdf' ? 1 : paid / counted
  const parts = document.text.slice(0, Math.ceil(document.text.length * share))
  const { pages: text, isCut } = tidy(parts)
  if (document.isCut || isCut || parts.length < document.text.length) options.onCut?.()
  const whole = text.join(' ')
  const isRead = text.length > 0
  return {
    format,
    pages: counted,
    characters: isRead ? whole.length : null,
    words: isRead ? (whole.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0) : null,
    title: property(title),
    author: property(author),
    text,
  }
}

const readers = {
  zip: async (file: string, pages: number): Promise<ReadText> =>
    (await readArchive(file, (archive) => readWord(archive, pages))) ?? { format: 'zip', text: [] },
  text: async (file: string, pages: number): Promise<ReadText> =>
    readPlain(await readEnds(file), pages),
}

interface ReadText {
  format: string
  title?: string | undefined
  author?: string | undefined
  text: string[]
  /** True if only a part of the file was read. */
  isCut?: boolean
}

function readPlain(bytes: Buffer, pages: number): ReadText {
  const source = decodeText(bytes)
  if (isWebPage(source)) {
    const title = element(source, 'title')
    return { format: 'text', title, text: inPages(wordsOf(source), pages) }
  }
  const text = source.replace(/^\ufeff/, '').replaceAll('\v', '\n')
  const parts = text.includes('\f') ? text.split('\f') : inPages(text, pages)
  return { format: 'text', text: parts }
}

async function readPdf(
  file: string,
  properties: PdfProperties | null,
  wanted: { pages: number; signal: AbortSignal | undefined },
): Promise<ReadText> {
  if (!properties) return { format: 'pdf', text: [] }
  const { title, author } = properties
  const { text, isEnded } = await readPdfPages(file, { ...wanted, maxCharacters })
  return { format: 'pdf', title, author, text, isCut: !isEnded || properties.pages > wanted.pages }
}

async function readWord({ names, read, isCut }: Archive, pages: number): Promise<ReadText> {
  const about = await read('docProps/core.xml')
  const texts: string[] = []
  for (const name of bodiesOf(names)) texts.push(wordsOf(await read(name)))
  return {
    format: 'text',
    title: element(about, 'dc:title'),
    author: element(about, 'dc:creator'),
    text: atBreaks(texts.join('\n'), pages),
    isCut: isCut(),
  }
}

/**
 * Splits text at its page breaks if they give the counted number of pages, else into equal parts.
 */
function atBreaks(text: string, pages: number): string[] {
  const parts = text.split('\f')
  return parts.length === pages ? parts : inPages(text.replaceAll('\f', '\n'), pages)
}

/** Paragraphs and line breaks become lines; all other marks go. */
function wordsOf(xml: string): string {
  return withoutEntities(withoutTags(withoutAsides(xml), markOf))
}

function markOf(tag: string): string {
  if (pageBreak.test(tag)) return '\f'
  if (/^<(?:\/(?:w:p|a:p|p|h\d|li|tr|div)>|(?:w:br|br)\b)/i.test(tag)) return '\n'
  return /^<(?:w:tab\b|\/t[dh]>)/i.test(tag) ? ' ' : ''
}

function element(xml: string, name: string): string | undefined {
  const value = new RegExp(`<${name}\\b[^>]{0,200}>([^<]{1,${maxPropertyLetters}})<`).exec(xml)?.[1]
  return value && withoutEntities(value)
}

/** Splits text into as many parts as there are pages, each ending at the end of a word. */
function inPages(text: string, pages: number): string[] {
  const length = Math.max(charactersPerPage / 2, Math.ceil(text.length / Math.max(1, pages)))
  const parts: string[] = []
  let from = 0
  while (from < text.length) {
    const space = text.slice(from + length, from + length + 100).search(/\s/)
    const to = from + length + Math.max(0, space)
    parts.push(text.slice(from, to))
    from = to
  }
  return parts
}

/** Lines without needless blanks, no more than the limit in all; empty pages at the end go. */
function tidy(parts: string[]): { pages: string[]; isCut: boolean } {
  let left = maxCharacters
  let isCut = false
  const pages = parts.map((part) => {
    const plain = part
      .replace(/[^\P{C}\n\t]/gu, '')
      .replace(/[ \t]+/g, ' ')
      .replace(/ ?\n ?/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
    isCut ||= plain.length > left
    const kept = plain.slice(0, left).toWellFormed()
    left -= kept.length
    return kept
  })
  while (pages.at(-1) === '') pages.pop()
  return { pages, isCut }
}

function property(text: string | undefined): string | null {
  const plain = (text ?? '').replace(/\p{C}/gu, '').trim().toWellFormed()
  return plain === '' ? null : plain.slice(0, maxPropertyLetters)
}
