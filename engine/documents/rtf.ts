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

/** What a font's letters are; those of 0 and 1 are the file's own. */
const charsets: Partial<Record<number, number>> = {
  77: 10_000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
}
const maxFonts = 1000

/** Letters of one code page; of some, a letter may take a second byte. */
interface Letters {
  decode: (bytes: number[]) => string
  isFirstOfTwo: (byte: number) => boolean
}

export function rtfText(source: string): {
  title: string | undefined
  author: string | undefined
  text: string
} {
  const own = lettersOf(Number(/\\ansicpg(\d{3,5})/.exec(source)?.[1] ?? 1252))
  const fonts = fontsOf(source)
  const info = (name: string): string | undefined => {
    const content = new RegExp(`\\{\\\\${name} ((?:[^{}\\\\]|\\\\.){1,500})`, 's').exec(source)?.[1]
    return content === undefined ? undefined : readGroups(content, { own, fonts: new Map() })
  }
  return { title: info('title'), author: info('author'), text: readGroups(source, { own, fonts }) }
}

/** The letters of each font that has some of its own, by the font's number. */
function fontsOf(source: string): Map<number, Letters> {
  const fonts = new Map<number, Letters>()
  const start = source.indexOf('{\\fonttbl')
  if (start < 0) return fonts
  const table = source.slice(start, start + 200_000)
  for (const [, font, charset] of table.matchAll(
    /\\f(\d{1,6})[^{};]{0,100}?\\fcharset(\d{1,3})/g,
  )) {
    const codePage = charsets[Number(charset)]
    if (codePage !== undefined && !fonts.has(Number(font))) {
      fonts.set(Number(font), lettersOf(codePage))
    }
    if (fonts.size >= maxFonts) break
  }
  return fonts
}

/** What an open group has set. */
interface Group {
  /** How many letters stand in for a number. */
  standIns: number
  letters: Letters
}

/** One walk over the file; groups that are not the text's own are left out whole. */
function readGroups(
  source: string,
  { own, fonts }: { own: Letters; fonts: ReadonlyMap<number, Letters> },
): string {
  const lettersOfFont = (font: number): Letters => fonts.get(font) ?? own
  const plain = lettersOfFont(Number(/\\deff(\d{1,6})/.exec(source.slice(0, 2000))?.[1] ?? 0))
  const parts: string[] = []
  const bytes: number[] = []
  const groups: Group[] = [{ standIns: 1, letters: plain }]
  let skipped = 0
  let asideDepth = Infinity
  const flush = (): void => {
    if (bytes.length > 0) parts.push(groups.at(-1)!.letters.decode(bytes.splice(0)))
  }
  for (const [whole] of source.matchAll(tokens)) {
    const isByte = whole.startsWith("\\'")
    let token = whole
    if (!isByte) {
      const second = skipped === 0 ? secondByte(token, bytes, groups.at(-1)!.letters) : 0
      if (second > 0) bytes.push(token.charCodeAt(second - 1))
      token = token.slice(second)
      flush()
      if (token === '') continue
    }
    const depth = groups.length - 1
    const group = groups.at(-1)!
    if (token === '{') groups.push({ ...group })
    else if (token === '}') {
      if (depth > 0) groups.pop()
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
      if (name === 'uc') group.standIns = Math.max(0, Number(number ?? 1))
      else if (name === 'f' && number !== undefined) group.letters = lettersOfFont(Number(number))
      else if (name === 'plain') group.letters = plain
      else if (name === 'u' && number !== undefined) {
        parts.push(String.fromCharCode(Number(number) & 0xffff))
        skipped = group.standIns
      } else parts.push((name ? signs.get(name) : escaped[token[1]!]) ?? '')
    }
  }
  flush()
  return parts.join('')
}

/** How much of a token is the second byte of a letter that was begun: "\'83e" is one letter. */
function secondByte(token: string, bytes: readonly number[], letters: Letters): 0 | 1 | 2 {
  let isOpen = false
  for (const byte of bytes) isOpen = !isOpen && letters.isFirstOfTwo(byte)
  if (!isOpen) return 0
  if (/^\\[\\{}]/.test(token)) return 2
  return /^[\\{}\r\n]/.test(token) ? 0 : 1
}

function lettersOf(codePage: number): Letters {
  const decoder = decoderOf(codePage)
  const isFirstOfTwo =
    codePage === 932
      ? (byte: number) => (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc)
      : (byte: number) => [936, 949, 950].includes(codePage) && byte >= 0x81 && byte <= 0xfe
  return { decode: (bytes) => decoder.decode(Uint8Array.from(bytes)), isFirstOfTwo }
}

function decoderOf(codePage: number): TextDecoder {
  try {
    return new TextDecoder(eastern[codePage] ?? `windows-${codePage}`)
  } catch {
    return new TextDecoder('windows-1252')
  }
}
