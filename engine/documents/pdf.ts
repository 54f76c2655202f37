/** The pages, the properties and the text of a PDF, by poppler in isolation. */
import { runTool } from '../tools/run.ts'

const maxReportCharacters = 100_000

export interface PdfProperties {
  pages: number
  title: string | undefined
  author: string | undefined
}

/** Reads pages and properties; null if the file is locked or damaged. */
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
  // The file's own properties are printed before this line, and a title may hold line breaks, so
  // the last match counts.
  const pages = [...text.matchAll(/^Pages: +(\d{1,9})$/gm)].at(-1)?.[1]
  if (outcome.end !== 'done' || pages === undefined) return null
  const property = (name: string): string | undefined =>
    new RegExp(`^${name}: +(.+)$`, 'm').exec(text)?.[1]
  return { pages: Number(pages), title: property('Title'), author: property('Author') }
}

/** Reads page by page; empty if the file is locked, damaged or holds only images. */
export async function readPdfPages(
  file: string,
  wanted: { pages: number; maxCharacters: number; signal: AbortSignal | undefined },
): Promise<{ text: string[]; isEnded: boolean }> {
  const { pages, maxCharacters, signal } = wanted
  const decoder = new TextDecoder()
  let text = ''
  const outcome = await runTool({
    tool: 'pdftotext',
    input: file,
    wallMs: 120_000,
    signal,
    limits: { memoryBytes: 2 * 1024 ** 3, cpuSeconds: 60, fileBytes: 0 },
    args: ({ inputPath }) => [
      ...['-q', '-enc', 'UTF-8', '-eol', 'unix', '-l', String(pages)],
      ...[inputPath, '-'],
    ],
    pipes: {
      1(chunk) {
        if (text.length < maxCharacters) text += decoder.decode(chunk, { stream: true })
      },
    },
  })
  if (outcome.end === 'canceled') throw new Error('The document was not read to its end.')
  return { text: text.split('\f'), isEnded: outcome.end === 'done' }
}
