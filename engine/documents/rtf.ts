/**
 * The text of an RTF file, as its writers mean it: letters beyond ASCII stand as numbers that are followed
 * by a stand-in for old readers, or as bytes of the file's code page, and punctuation has names.
 */
import { TextDecoder } from 'node:util'

const tokens = /\\'[0-9a-f]{2}|\\[a-z]+(?:-?\d+)? ?|\\[^a-z]|[{}]|[\r\n]+|[^\\{}\r\n]+/gi
const asides = /^\\(?:\*|fonttbl|colortbl|stylesheet|info|pict|header|footer)/
const word = /^\\([a-z]+)(-?\d+)? ?$/i

const signs = new Map(
  Object.entries({
    par: '\n',
    line: '\n',
    page: '\n',
    sect: '\n',
    row: '\n',
    tab: ' ',
    cell: ' ',
    emspace: ' ',
    enspace: ' ',
    lquote: '‘',
    rquote: '’',
    ldblquote: '“',
    rdblquote: '”',
    emdash: '—',
    endash: '–',
    bullet: '•',
  }),
)
/** After a backslash; a soft hyphen and anything else say nothing. */
const escaped: Partial<Record<string, string>> = {
  '\\': '\\',
  '{': '{',
  '}': '}',
  '~': ' ',
  _: '-',
  '\n': '\n',
  '\r': '\n',
}
const eastern: Partial<Record<number, string>> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10_000: 'macintosh',
  65_001: 'utf-8',
}

export function rtfText(source: string): {
  title: string | undefined
  author: string | undefined
  text: string
} {
  const decoder = decoderOf(Number(/\\ansicpg(\d{3,5})/.exec(source)?.[1] ?? 1252))
  const info = (name: string): string | undefined => {
    const content = new RegExp(`\\{\\\\${name} ((?:[^{}\\\\]|\\\\.){1,500})`, 's').exec(source)?.[1]
    return content === undefined ? undefined : readGroups(content, decoder)
  }
  return { title: info('title'), author: info('author'), text: readGroups(source, decoder) }
}

/** One walk over the file; groups that are not the text's own are left out whole. */
function readGroups(source: string, decoder: TextDecoder): string {
  const parts: string[] = []
  const bytes: number[] = []
  /** How many letters stand in for a number, in each open group. */
  const standIns = [1]
  let skipped = 0
  let asideDepth = Infinity
  const flush = (): void => {
    if (bytes.length > 0) parts.push(decoder.decode(Uint8Array.from(bytes.splice(0))))
  }
  for (const [token] of source.matchAll(tokens)) {
    const isByte = token.startsWith("\\'")
    if (!isByte) flush()
    const depth = standIns.length - 1
    if (token === '{') standIns.push(standIns.at(-1)!)
    else if (token === '}') {
      if (depth > 0) standIns.pop()
      if (depth - 1 < asideDepth) asideDepth = Infinity
      skipped = 0
    } else if (depth >= asideDepth || /^[\r\n]/.test(token)) continue
    else if (asides.test(token)) asideDepth = depth
    else if (isByte && skipped > 0) skipped -= 1
    else if (isByte) bytes.push(parseInt(token.slice(2), 16))
    else if (!token.startsWith('\\')) {
      parts.push(token.slice(skipped))
      skipped = Math.max(0, skipped - token.length)
    } else {
      const [, name = '', number] = word.exec(token) ?? []
      if (name === 'uc') standIns[depth] = Math.max(0, Number(number ?? 1))
      else if (name === 'u' && number !== undefined) {
        parts.push(String.fromCharCode(Number(number) & 0xffff))
        skipped = standIns.at(-1)!
      } else parts.push((name ? signs.get(name) : escaped[token[1]!]) ?? '')
    }
  }
  flush()
  return parts.join('')
}

function decoderOf(codePage: number): TextDecoder {
  try {
    return new TextDecoder(eastern[codePage] ?? `windows-${codePage}`)
  } catch {
    return new TextDecoder('windows-1252')
  }
}
