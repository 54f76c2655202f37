/**
 * Finds how a text is encoded, by its bytes: nobody asks its writer. Marks come first, then UTF-8,
 * which hardly anything else looks like; the rest is judged by the letters that it would have.
 */
import { TextDecoder } from 'node:util'

/** The encoding is judged by this many bytes of a file. */
export const judgedBytes = 64 * 1024

/** Returns the encoding; null if the bytes are not text. Bytes after `judgedBytes` are ignored. */
export function encodingOf(bytes: Buffer): string | null {
  const head = bytes.subarray(0, judgedBytes)
  if (head.length === 0) return null
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  // UTF-16 without a byte order mark, assuming Latin letters.
  if (head.includes(0)) return ['utf-16le', 'utf-16be'].find((wide) => isLatin(head, wide)) ?? null
  if (!head.every(isTextual)) return null
  if (decode(head, 'utf-8') !== null) return 'utf-8'
  const japanese = decode(head, 'shift_jis')
  if (japanese !== null && isJapanese(japanese)) return 'shift_jis'
  const count = (matches: (byte: number) => boolean): number => head.filter(matches).length
  // Bytes that windows-1252 does not define.
  if (count((byte) => [0x7f, 0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte)) > 0) return null
  const high = count((byte) => byte >= 0x80)
  if (high < head.length * 0.3) return 'windows-1252'
  const cyrillic = count((byte) => byte >= 0xc0)
  const isRussian = cyrillic > high * 0.9 && count((byte) => byte >= 0xe0) > cyrillic * 0.6
  return isRussian ? 'windows-1251' : null
}

/** Decodes text; UTF-8 if nothing hints at another encoding. */
export function decodeText(bytes: Buffer): string {
  return new TextDecoder(encodingOf(bytes) ?? 'utf-8').decode(bytes)
}

function isLatin(head: Buffer, encoding: string): boolean {
  const codes = Uint16Array.from(decode(head, encoding) ?? '\0', (letter) => letter.charCodeAt(0))
  return codes.every(isTextual) && codes.filter((code) => code < 256).length > codes.length / 2
}

/**
 * True for letters and the controls that text files use: tab to return, DOS end of file, escape.
 */
function isTextual(code: number): boolean {
  return code >= 32 || (code >= 9 && code <= 13) || code === 0x1a || code === 0x1b
}

/** Kana are a third of Japanese and more; half-width ones come from letters with accents. */
function isJapanese(text: string): boolean {
  const wide = text.match(/[\u3040-\u30ff\u4e00-\u9fff]/g)?.length ?? 0
  const kana = text.match(/[\u3040-\u30ff]/g)?.length ?? 0
  const other = text.match(/[^\p{ASCII}\u3000-\u30ff\u4e00-\u9fff\uff00-\uff60]/gu)?.length ?? 0
  return kana >= wide * 0.15 && wide > other * 4
}

/** Decodes strictly: null if a byte is invalid, except in a last character that was cut off. */
function decode(head: Buffer, encoding: string): string | null {
  try {
    const stream = head.length === judgedBytes
    return new TextDecoder(encoding, { fatal: true }).decode(head, { stream })
  } catch {
    return null
  }
}
