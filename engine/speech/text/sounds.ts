/**
 * Names of sounds are not words. Captions that a recogniser learned from say "(laughter)",
 * "[Applause]" or "♪": nobody said that, so it is no word of a transcript.
 */
import type { RecognisedWord } from '../whisper/tokens.ts'

/** Round brackets may hold what somebody said; the others never do. */
const opening = /^[[*♪♫]/u
const closing = /[\]*♪♫][.,!?…]*$/u
const sound =
  /^\((?:laugh|chuckl|applau|clap|cheer|music|sigh|cough|gasp|silence)\p{L}*\)[.,!?…]*$/iu
/** Written without brackets as well, as a sentence of their own. */
const names = new Set([
  'laughter',
  'applause',
  'audience laughing',
  'audience laughter',
  'audience applauding',
  'crowd cheering',
  'laughter and applause',
  'applause and laughter',
  'music playing',
  'rires',
  'applaudissements',
  'gelächter',
  'applaus',
  'risas',
  'aplausos',
])
/** Somebody may well say the word; then the model is sure of it. */
const sureConfidence = 0.9
const maxNameWords = 3

/** The words without the names of sounds. */
export function dropSounds(words: readonly RecognisedWord[]): RecognisedWord[] {
  const kept: RecognisedWord[] = []
  for (let at = 0; at < words.length;) {
    const length = bracketed(words, at) || named(words, at)
    if (length === 0) kept.push(words[at]!)
    at += Math.max(1, length)
  }
  return kept
}

/** Number of words from here on in one pair of brackets; 0 if there are none. */
function bracketed(words: readonly RecognisedWord[], at: number): number {
  if (sound.test(words[at]!.text)) return 1
  if (!opening.test(words[at]!.text)) return 0
  for (let length = 1; length <= maxNameWords && at + length <= words.length; length++) {
    if (closing.test(words[at + length - 1]!.text)) return length
  }
  return 0
}

function named(words: readonly RecognisedWord[], at: number): number {
  if (at > 0 && !endsSentence(words[at - 1]!)) return 0
  for (let length = 1; length <= maxNameWords && at + length <= words.length; length++) {
    const part = words.slice(at, at + length)
    const isWhole = at + length === words.length || endsSentence(part.at(-1)!)
    if (!isWhole || !names.has(part.map(bare).join(' '))) continue
    return part.some(({ confidence }) => confidence < sureConfidence) ? length : 0
  }
  return 0
}

function endsSentence({ text }: RecognisedWord): boolean {
  return /[.?!…]["'”’)\]]*$/u.test(text)
}

function bare({ text }: RecognisedWord): string {
  return text.toLowerCase().replaceAll(/[^\p{L}]/gu, '')
}
