/**
 * Words as a line of text. Whether a space stands between two of them is a matter of their scripts,
 * since one file may hold several languages; where the scripts differ the file's language decides.
 */
import { isUnspaced } from '../whisper/tokens.ts'

const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u
const letters = /[\p{L}\p{N}]/gu

export function joinWords(words: readonly string[], language: string): string {
  let text = ''
  for (const [at, word] of words.entries()) {
    text += at === 0 ? word : separator(words[at - 1]!, word, language) + word
  }
  return text
}

/** Returns the separator of two words. */
export function separator(before: string, after: string, language: string): '' | ' ' {
  const last = before.match(letters)?.at(-1)
  const first = after.match(letters)?.[0]
  if (last === undefined || first === undefined) return isUnspaced(language) ? '' : ' '
  const isGlued = unspacedScript.test(last)
  if (isGlued === unspacedScript.test(first)) return isGlued ? '' : ' '
  return isUnspaced(language) ? '' : ' '
}
