/**
 * From the recogniser's likelihoods to text (connectionist temporal classification). The model
 * knows 6,623 characters, most of them Chinese; in a Latin line those are only mistakes, so a line
 * that is Latin for the greater part is read again with Latin alone. The model often drops spaces
 * between Latin words; gaps in the picture put them back. Accents are looked for in `accents.ts`.
 */
import { withAccents } from './accents.ts'
import type { Character, DecodeInput } from './character.ts'
import type { Gray } from './gray.ts'
import { withCapitals } from './letter-tops.ts'
import { tidyWords } from './tidy-words.ts'

/** A gap of this part of the line's height divides words where the model thinks of a space too. */
const wordGap = 0.2
const minSpaceLikelihood = 0.05
/** A gap this wide divides words whatever the model thinks. */
const wideGap = 0.5

export function decodeLine(
  likelihoods: Float32Array,
  input: DecodeInput,
): { text: string; confidence: number } {
  const any = pick(likelihoods, input, null)
  const latin = latinOf(input.characters)
  const isLatin = any.filter(({ text }) => isPlain(text)).length * 2 >= any.length
  const letters = isLatin ? readLatin(likelihoods, input, latin) : any
  if (letters.length === 0) return { text: '', confidence: 0 }
  const confidence = letters.reduce((sum, letter) => sum + letter.certainty, 0) / letters.length
  const spaced = isLatin
    ? tidyWords(withGaps(letters, likelihoods, input))
    : letters.map(({ text }) => text).join('')
  return { text: spaced.replaceAll(/\s+/g, ' ').trim(), confidence }
}

function readLatin(
  likelihoods: Float32Array,
  input: DecodeInput,
  latin: Int32Array,
): readonly Character[] {
  const letters = withCapitals(pick(likelihoods, input, latin), input.line, input.pixelsPerStep)
  return withAccents(letters, likelihoods, input)
}

function pick(
  likelihoods: Float32Array,
  { steps, characters }: DecodeInput,
  allowed: Int32Array | null,
): Character[] {
  const classes = characters.length
  const letters: Character[] = []
  let before = 0
  for (let step = 0; step < steps; step++) {
    const from = step * classes
    let best = 0
    let value = likelihoods[from]!
    const count = allowed ? allowed.length : classes
    for (let index = 0; index < count; index++) {
      const letter = allowed ? allowed[index]! : index
      if (likelihoods[from + letter]! <= value) continue
      best = letter
      value = likelihoods[from + letter]!
    }
    // Which case it is shows in the line, not in the letter: a C that might be a c is a sure C.
    const twin = best === 0 ? undefined : twinsOf(characters).get(best)
    if (twin !== undefined) value = Math.min(1, value + likelihoods[from + twin]!)
    const last = letters.at(-1)
    if (best !== 0 && best !== before) {
      letters.push({ text: characters[best]!, certainty: value, step })
    } else if (best !== 0 && last && value > last.certainty) {
      letters[letters.length - 1] = { ...last, certainty: value, step }
    }
    before = best
  }
  return letters
}

let twinCache: { characters: readonly string[]; twins: Map<number, number> } | null = null

/** The number of the same letter in the other case, where both look alike. */
function twinsOf(characters: readonly string[]): Map<number, number> {
  if (twinCache?.characters === characters) return twinCache.twins
  const twins = new Map<number, number>()
  for (const letter of 'CKOPSUVWXYZ') {
    const [upper, lower] = [characters.indexOf(letter), characters.indexOf(letter.toLowerCase())]
    twins.set(upper, lower).set(lower, upper)
  }
  twinCache = { characters, twins }
  return twins
}

let latinCache: { characters: readonly string[]; numbers: Int32Array } | null = null

function latinOf(characters: readonly string[]): Int32Array {
  if (latinCache?.characters !== characters) {
    const numbers = characters.flatMap((text, index) => (isPlain(text) ? [index] : []))
    latinCache = { characters, numbers: Int32Array.from([0, ...numbers]) }
  }
  return latinCache.numbers
}

/** Latin letters with their accents, digits, signs and currency. */
function isPlain(text: string): boolean {
  return /^[ -~\u00a1-\u024f\u2010-\u2026\u20ac]$/.test(text)
}

/** Puts a space where the columns between two characters are empty for long enough. */
function withGaps(
  letters: readonly Character[],
  likelihoods: Float32Array,
  { line, pixelsPerStep, characters }: DecodeInput,
): string {
  const ink = inkOf(line)
  const classes = characters.length
  const spaceBetween = (first: number, last: number): number => {
    let max = 0
    for (let step = first; step <= last; step++) {
      max = Math.max(max, likelihoods[(step + 1) * classes - 1]!)
    }
    return max
  }
  let text = ''
  for (const [index, character] of letters.entries()) {
    const before = letters[index - 1]
    if (before && before.text !== ' ' && character.text !== ' ') {
      const from = (before.step + 0.5) * pixelsPerStep
      const to = (character.step + 0.5) * pixelsPerStep
      const gap = longestGap(ink, from, to) / line.height
      const isLikely = spaceBetween(before.step, character.step) >= minSpaceLikelihood
      if (gap >= wideGap || (gap >= wordGap && isLikely)) text += ' '
    }
    text += character.text
  }
  return text
}

/** How much each column differs from the line's ground, 0 to 255. */
function inkOf({ pixels, width, height }: Gray): Float32Array {
  const ink = new Float32Array(width)
  const top = Math.floor(height * 0.15)
  const bottom = Math.ceil(height * 0.85)
  for (let x = 0; x < width; x++) {
    let low = 255
    let high = 0
    for (let y = top; y < bottom; y++) {
      const value = pixels[y * width + x]!
      if (value < low) low = value
      if (value > high) high = value
    }
    ink[x] = high - low
  }
  return ink
}

function longestGap(ink: Float32Array, from: number, to: number): number {
  const peak = ink.reduce((max, value) => Math.max(max, value), 0)
  const limit = peak * 0.3
  let longest = 0
  let length = 0
  for (let x = Math.max(0, Math.floor(from)); x < Math.min(ink.length, to); x++) {
    length = ink[x]! < limit ? length + 1 : 0
    if (length > longest) longest = length
  }
  return longest
}
