/**
 * From the recogniser's likelihoods to text (connectionist temporal classification). The model knows
 * 6,623 characters, most of them Chinese; in a Latin line those are only mistakes, so a line that is
 * Latin for the greater part is read again with Latin alone. The model often drops spaces between
 * Latin words; gaps in the picture put them back.
 */
import type { Gray } from './gray.ts'

interface Character {
  text: string
  certainty: number
  /** The step of its peak. */
  step: number
}

export interface DecodeInput {
  steps: number
  characters: readonly string[]
  line: Gray
  pixelsPerStep: number
}

/** A gap this many times the height of the line divides words. */
const wordGap = 0.22

export function decodeLine(
  likelihoods: Float32Array,
  input: DecodeInput,
): { text: string; confidence: number } {
  const any = pick(likelihoods, input, null)
  const latin = latinOf(input.characters)
  const isLatin = any.filter(({ text }) => isPlain(text)).length * 2 >= any.length
  const found = isLatin ? pick(likelihoods, input, latin) : any
  if (found.length === 0) return { text: '', confidence: 0 }
  const confidence = found.reduce((sum, one) => sum + one.certainty, 0) / found.length
  const spaced = isLatin ? withGaps(found, input) : found.map(({ text }) => text).join('')
  return { text: spaced.replaceAll(/\s+/g, ' ').trim(), confidence }
}

function pick(
  likelihoods: Float32Array,
  { steps, characters }: DecodeInput,
  allowed: Int32Array | null,
): Character[] {
  const classes = characters.length
  const found: Character[] = []
  let before = 0
  for (let step = 0; step < steps; step++) {
    const from = step * classes
    let best = 0
    let value = likelihoods[from]!
    const count = allowed ? allowed.length : classes
    for (let index = 0; index < count; index++) {
      const one = allowed ? allowed[index]! : index
      if (likelihoods[from + one]! <= value) continue
      best = one
      value = likelihoods[from + one]!
    }
    const last = found.at(-1)
    if (best !== 0 && best !== before) {
      found.push({ text: characters[best]!, certainty: value, step })
    } else if (best !== 0 && last && value > last.certainty) {
      found[found.length - 1] = { ...last, certainty: value, step }
    }
    before = best
  }
  return found
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
function withGaps(found: readonly Character[], { line, pixelsPerStep }: DecodeInput): string {
  const ink = inkOf(line)
  let text = ''
  for (const [index, character] of found.entries()) {
    const before = found[index - 1]
    if (before && before.text !== ' ' && character.text !== ' ') {
      const from = (before.step + 0.5) * pixelsPerStep
      const to = (character.step + 0.5) * pixelsPerStep
      if (longestGap(ink, from, to) >= wordGap * line.height) text += ' '
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
