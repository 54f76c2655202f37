/**
 * The one file of a multipart form, as a stream. The bytes pass through no stream but the request's
 * own (docs/decisions/0100-what-stays-our-own.md). RFC 7578; parts other than the wanted file are
 * read over.
 */
import { Refusal } from '../ground/refusal.ts'

export interface FilePart {
  fileName: string | undefined
  mimeType: string
  /** Ends at the boundary; throws when the form ends before it. */
  body: AsyncIterable<Buffer>
}

const maxHeaderBytes = 16 * 1024
const maxHeaderLines = 50
const maxParts = 30
const maxFieldBytes = 64 * 1024

export function boundaryOf(contentType: string): Buffer {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    throw new Refusal('unsupported_type', 'Please send the file as multipart/form-data.')
  }
  const match = /;\s*boundary\s*=\s*(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  const boundary = match?.[1] ?? match?.[2]
  if (!boundary) throw new Refusal('malformed', 'The multipart form has no valid boundary.')
  return Buffer.from(`\r\n--${boundary}`, 'latin1')
}

/** Runs `take` on the part whose field has this name. The rest is not read. */
export async function readFilePart<T>(
  source: AsyncIterator<Buffer>,
  form: { delimiter: Buffer; field: string },
  take: (part: FilePart) => Promise<T>,
): Promise<T> {
  // The first boundary may stand at the very start, without the line end that belongs to it.
  const bytes = createScanner(source, Buffer.from('\r\n'))
  await skip(bytes.until(form.delimiter), maxFieldBytes)
  for (let parts = 0; parts < maxParts; parts += 1) {
    const line = await text(bytes.until(lineEnd))
    if (line.startsWith('--')) break
    const headers = await readHeaders(bytes)
    const disposition = headers.get('content-disposition') ?? ''
    const body = bytes.until(form.delimiter)
    const isFile = parameter(disposition, 'filename') !== undefined
    if (isFile && parameter(disposition, 'name') === form.field) {
      const mimeType = headers.get('content-type')?.split(';')[0]?.trim() ?? ''
      return take({ fileName: parameter(disposition, 'filename'), mimeType, body })
    }
    await skip(body, maxFieldBytes)
  }
  throw new Refusal('malformed', `Please send the file in a form field named "${form.field}".`)
}

const lineEnd = Buffer.from('\r\n')

interface Scanner {
  /** The bytes before the delimiter, which is then behind us. */
  until(delimiter: Buffer): AsyncGenerator<Buffer, void>
}

function createScanner(source: AsyncIterator<Buffer>, first: Buffer): Scanner {
  let rest = first
  return {
    async *until(delimiter) {
      for (;;) {
        const at = rest.indexOf(delimiter)
        if (at >= 0) {
          const before = rest.subarray(0, at)
          rest = rest.subarray(at + delimiter.length)
          if (before.length > 0) yield before
          return
        }
        const held = tailThatMayBegin(rest, delimiter)
        const sure = rest.subarray(0, rest.length - held)
        rest = rest.subarray(rest.length - held)
        if (sure.length > 0) yield sure
        const { done, value } = await source.next()
        if (done) throw broken()
        rest = rest.length === 0 ? value : Buffer.concat([rest, value])
      }
    },
  }
}

/** How many bytes at the end could begin a delimiter that continues in the next chunk. */
function tailThatMayBegin(bytes: Buffer, delimiter: Buffer): number {
  const [first = 0] = delimiter
  const from = Math.max(0, bytes.length - delimiter.length + 1)
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    const length = bytes.length - at
    if (bytes.compare(delimiter, 0, length, at) === 0) return length
  }
  return 0
}

async function readHeaders(bytes: Scanner): Promise<Map<string, string>> {
  const headers = new Map<string, string>()
  for (let lines = 0; lines < maxHeaderLines; lines += 1) {
    const line = await text(bytes.until(lineEnd))
    if (line === '') return headers
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  throw new Refusal('malformed', 'A part of the form has too many headers.')
}

/** Browsers send names as they are, in UTF-8, and write a quotation mark as %22; curl writes \". */
function parameter(header: string, name: string): string | undefined {
  const extended = new RegExp(`;\\s*${name}\\*\\s*=\\s*utf-8''([^;\\s]+)`, 'i').exec(header)?.[1]
  if (extended && name === 'filename') {
    try {
      return decodeURIComponent(extended)
    } catch {
      throw new Refusal('malformed', 'The name of the file cannot be read.')
    }
  }
  const plain = new RegExp(`;\\s*${name}\\s*=\\s*(?:"((?:\\\\"|[^"])*)"|([^;\\s]*))`, 'i').exec(
    header,
  )
  return (plain?.[1] ?? plain?.[2])?.replaceAll('\\"', '"').replaceAll('%22', '"')
}

async function text(bytes: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > maxHeaderBytes) throw new Refusal('malformed', 'A header of the form is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function skip(bytes: AsyncIterable<Buffer>, maxBytes: number): Promise<void> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > maxBytes) throw new Refusal('malformed', 'The file must come first in the form.')
  }
}

export function broken(): Refusal {
  return new Refusal('malformed', 'The upload ended before the file was complete.')
}
