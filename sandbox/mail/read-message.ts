/** Reads a message as a mail program does: headers, and the text and HTML of multipart/alternative. */

export type Message = {
  headers: { name: string; value: string }[]
  subject: string
  from: string
  to: string
  text: string
  html: string
}

/** `raw` holds one character for each byte. */
export function readMessage(raw: string): Message {
  const { headers, body } = split(raw)
  const all = [...partsOf(headers, body)]
  const find = (type: string): string => all.find((part) => part.type === type)?.text ?? ''
  return {
    headers,
    subject: header(headers, 'subject'),
    from: header(headers, 'from'),
    to: header(headers, 'to'),
    text: find('text/plain'),
    html: find('text/html'),
  }
}

type Headers = Message['headers']

function* partsOf(headers: Headers, body: string): Generator<{ type: string; text: string }> {
  const type = header(headers, 'content-type') || 'text/plain'
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1]
  if (boundary === undefined) {
    const bytes = decodeBody(body, header(headers, 'content-transfer-encoding'))
    yield { type: (type.split(';')[0] ?? '').trim().toLowerCase(), text: bytes.toString('utf8') }
    return
  }
  const pieces = `\r\n${body}`.split(`\r\n--${boundary}`)
  for (const piece of pieces.slice(1)) {
    if (piece.startsWith('--')) return
    const part = split(piece.replace(/^[ \t]*\r\n/, ''))
    yield* partsOf(part.headers, part.body)
  }
}

function split(raw: string): { headers: Headers; body: string } {
  const end = raw.indexOf('\r\n\r\n')
  const head = end === -1 ? raw : raw.slice(0, end)
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  return {
    headers: lines.map((line) => {
      const colon = line.indexOf(':')
      return { name: line.slice(0, colon), value: decodeWords(line.slice(colon + 1).trim()) }
    }),
    body: end === -1 ? '' : raw.slice(end + 4),
  }
}

function header(headers: Headers, name: string): string {
  return headers.find((one) => one.name.toLowerCase() === name)?.value ?? ''
}

function decodeBody(body: string, encoding: string): Buffer {
  if (encoding.toLowerCase() === 'base64') return Buffer.from(body, 'base64')
  if (encoding.toLowerCase() !== 'quoted-printable') return Buffer.from(body, 'latin1')
  return decodeQuoted(body.replaceAll('=\r\n', ''))
}

function decodeQuoted(text: string): Buffer {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1')
}

/** RFC 2047: =?UTF-8?Q?…?= and =?UTF-8?B?…?=; the space between two of them is not part of the text. */
function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : decodeQuoted(text.replaceAll('_', ' ')).toString('utf8'),
    )
}
