/**
 * Tokens become words. A token is a piece of UTF-8, not of a word: one character may take several
 * tokens and one word usually does. A word begins where a token begins with a space; in scripts
 * without spaces every character that stands alone is one, and every Latin word. Marks without a
 * sound (a dash between spaces, a lone quotation mark) stay with a neighbour, so that the words
 * joined with single spaces are the text.
 */

export interface RecognisedWord {
  text: string
  /** Seconds from the start of the window, as the model hears them. */
  start: number
  end: number
  /** Geometric mean of the probabilities of the word's tokens. */
  confidence: number
}

interface TimedToken {
  bytes: Uint8Array
  logProbability: number
  start: number
  end: number
}

/** Scripts whose words are not set apart by spaces. */
const unspaced = new Set(['zh', 'ja', 'th', 'lo', 'my', 'yue', 'km'])
const sounding = /[\p{L}\p{N}&+%@=]/u
/** Byte-level vocabularies write each byte as a printable character; this is GPT-2's table. */
const byteOf = byteAlphabet()
/** Without a space before it, a piece of the word before. */
const latin = /^[\p{Script=Latin}\p{N}\p{M}.,'’&%+-]+$/u
const opening = /^[\s"“‘«(¿¡[{-]+$/u

export function isUnspaced(language: string): boolean {
  return unspaced.has(language)
}

export function wordsOfTokens(tokens: readonly TimedToken[], language: string): RecognisedWord[] {
  const groups = isUnspaced(language) ? groupByCharacter(tokens) : groupBySpace(tokens)
  const words: RecognisedWord[] = []
  let prefix = ''
  for (const group of groups) {
    const text = decodeBytes(group).trim()
    if (!text) continue
    const last = words.at(-1)
    if (!sounding.test(text)) {
      if (last && !opening.test(text)) last.text += isUnspaced(language) ? text : ` ${text}`
      else prefix += text
      continue
    }
    const logs = group.reduce((sum, token) => sum + token.logProbability, 0)
    words.push({
      text: prefix + text,
      start: group[0]!.start,
      end: group.at(-1)!.end,
      confidence: Math.exp(logs / group.length),
    })
    prefix = ''
  }
  const last = words.at(-1)
  if (last && prefix) last.text += prefix
  return words
}

function groupBySpace(tokens: readonly TimedToken[]): TimedToken[][] {
  const groups: TimedToken[][] = []
  for (const token of tokens) {
    const last = groups.at(-1)
    if (last && token.bytes[0] !== 0x20) last.push(token)
    else groups.push([token])
  }
  return groups
}

/** Groups tokens to whole characters; pieces of a Latin word or a figure stay together. */
function groupByCharacter(tokens: readonly TimedToken[]): TimedToken[][] {
  const groups: TimedToken[][] = []
  let isWhole = true
  for (const token of tokens) {
    const last = groups.at(-1)
    const goesOn =
      last !== undefined && latin.test(decodeBytes([token])) && latin.test(decodeBytes(last).trim())
    if (last && (!isWhole || goesOn)) last.push(token)
    else groups.push([token])
    isWhole = !decodeBytes(groups.at(-1)!).includes('\uFFFD')
  }
  return groups
}

function decodeBytes(tokens: readonly { bytes: Uint8Array }[]): string {
  return new TextDecoder().decode(Buffer.concat(tokens.map((token) => token.bytes)))
}

/**
 * The tokens of a byte-level vocabulary by id, as it writes them; ids from `limit` on are no text.
 * Checked by hand: fifty thousand entries take a schema longer than a short clip takes to be heard.
 */
export function tokensById(vocabulary: unknown, limit: number): string[] {
  const isObject = typeof vocabulary === 'object' && vocabulary !== null
  const tokens: string[] = []
  for (const [token, id] of Object.entries(isObject ? vocabulary : { vocabulary })) {
    const isId = typeof id === 'number' && Number.isInteger(id) && id >= 0
    if (!isId) throw new Error('The vocabulary does not name tokens with their ids.')
    if (id < limit) tokens[id] = token
  }
  return tokens
}

/** The bytes that a token of the vocabulary stands for. */
export function tokenBytes(token: string): Uint8Array {
  return Uint8Array.from(token, (character) => byteOf.get(character) ?? 0x20)
}

function byteAlphabet(): Map<string, number> {
  const map = new Map<string, number>()
  let next = 256
  for (let byte = 0; byte < 256; byte++) {
    const isPrintable =
      (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255)
    map.set(String.fromCodePoint(isPrintable ? byte : next++), byte)
  }
  return map
}
