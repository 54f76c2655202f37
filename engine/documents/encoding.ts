/**
 * How a text is encoded, by its bytes: nobody asks its writer. Marks come first, then UTF-8, which
 * hardly anything else looks like; what is left is judged by the letters that it would have.
 */
import { TextDecoder } from 'node:util'

export type Encoding =
  | 'utf-8'
  | 'utf-16le'
  | 'utf-16be'
  | 'shift_jis'
  | 'windows-1251'
  | 'windows-1252'

/** How much of a file is looked at. */
export const judgedBytes = 64 * 1024
/** Tab, line feed, vertical tab, form feed, return, the end of a DOS file, escape. */
const textControls = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1a, 0x1b])
/** The bytes of windows-1252 that stand for nothing. */
const unassigned = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

/** Null where the bytes are no text. Of more than `judgedBytes` the rest is not looked at. */
export function encodingOf(bytes: Buffer): Encoding | null {
  const head = bytes.subarray(0, judgedBytes)
  if (head.length === 0) return null
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  if (head.includes(0)) return wideEncoding(head)
  if (!head.every(isTextual)) return null
  // The last character may be cut in the middle.
  const maxCut = head.length < judgedBytes ? 0 : 3
  if (decodes(head, 'utf-8', maxCut) !== null) return 'utf-8'
  return legacyEncoding(head, maxCut)
}

/** The text of these bytes, as UTF-8 where they tell nothing. */
export function decodeText(bytes: Buffer): string {
  return new TextDecoder(encodingOf(bytes) ?? 'utf-8').decode(bytes)
}

/** UTF-16 without its mark: of Latin letters every other byte is zero. */
function wideEncoding(head: Buffer): Encoding | null {
  const zeros = [0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2]!++
  const pairs = head.length / 2
  const encoding = zeros[1]! > zeros[0]! ? 'utf-16le' : 'utf-16be'
  if (head.length % 2 !== 0 && head.length < judgedBytes) return null
  if (Math.max(...zeros) < pairs / 2 || Math.min(...zeros) > pairs / 100) return null
  const text = decodes(head, encoding, head.length < judgedBytes ? 0 : 2)
  return text !== null && Array.from(text).every((letter) => isTextual(letter.codePointAt(0)!))
    ? encoding
    : null
}

function isTextual(code: number): boolean {
  return code >= 32 || textControls.has(code)
}

function legacyEncoding(head: Buffer, maxCut: number): Encoding | null {
  const japanese = decodes(head, 'shift_jis', Math.min(1, maxCut))
  if (japanese !== null && isJapanese(japanese)) return 'shift_jis'
  let high = 0
  let cyrillic = 0
  let smallCyrillic = 0
  for (const byte of head) {
    if (byte === 0x7f || unassigned.has(byte)) return null
    if (byte < 0x80) continue
    high++
    if (byte >= 0xc0) cyrillic++
    if (byte >= 0xe0) smallCyrillic++
  }
  const share = high / head.length
  if (share < 0.3) return 'windows-1252'
  return cyrillic > high * 0.9 && smallCyrillic > cyrillic * 0.6 ? 'windows-1251' : null
}

/** Kana are a third of Japanese and more; half-width ones come from letters with accents. */
function isJapanese(text: string): boolean {
  const wide = text.match(/[\u3040-\u30ff\u4e00-\u9fff]/g)?.length ?? 0
  const kana = text.match(/[\u3040-\u30ff]/g)?.length ?? 0
  const other = text.match(/[^\p{ASCII}\u3000-\u30ff\u4e00-\u9fff\uff00-\uff60]/gu)?.length ?? 0
  return kana >= wide * 0.15 && wide > other * 4
}

function decodes(head: Buffer, encoding: Encoding, maxCut: number): string | null {
  const decoder = new TextDecoder(encoding, { fatal: true })
  for (let cut = 0; cut <= maxCut; cut++) {
    try {
      return decoder.decode(head.subarray(0, head.length - cut))
    } catch {
      // One byte less may end with a whole character.
    }
  }
  return null
}
