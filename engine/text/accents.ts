/**
 * Finds accents that the recogniser reads as plain letters, as its training had few of them. Two
 * signs together show one: a small likelihood of it, and ink above the letter where others of its
 * kind have none.
 */
import type { Character, DecodeInput } from './character.ts'
import { lowLetters, measureTops } from './letter-tops.ts'
import type { LetterTops } from './letter-tops.ts'

/**
 * The likelihood that is needed with ink above the letter, and the one without: in 271 plain lines
 * of nine fonts no accent had more than .0012, and where a picture behind the line looks like ink,
 * .0004.
 */
const minWithInk = 0.0004
const minAlone = 0.003
/** How far an accent rises above other letters, as a part of the line's height. */
const minRise = 0.09
/** How far its ink goes down into the letter at most: the stem of a letter beside it goes on. */
const maxFall = 0.2

/** Looks for an accent around the peak of each letter, halfway to the letters beside it. */
export function withAccents(
  letters: readonly Character[],
  likelihoods: Float32Array,
  { steps, characters, line, pixelsPerStep }: DecodeInput,
): Character[] {
  const classes = characters.length
  let tops: LetterTops | null = null
  return letters.map((character, index) => {
    const from = index === 0 ? 0 : Math.ceil((letters[index - 1]!.step + character.step) / 2)
    const next = letters[index + 1]?.step ?? 2 * steps
    const to = Math.min(steps - 1, Math.floor((character.step + next) / 2))
    let best = { text: character.text, likelihood: minWithInk }
    for (const { number, text } of accentsOf(characters).get(character.text) ?? []) {
      for (let step = from; step <= to; step++) {
        const likelihood = likelihoods[step * classes + number]!
        if (likelihood >= best.likelihood) best = { text, likelihood }
      }
    }
    if (best.text === character.text) return character
    tops ??= measureTops(letters, line, pixelsPerStep)
    const isThere = best.likelihood >= minAlone || hasInkAbove(index, letters, tops)
    return isThere ? { ...character, text: best.text } : character
  })
}

/** Whether ink stands above a letter, higher than most others of its kind reach. */
function hasInkAbove(index: number, letters: readonly Character[], tops: LetterTops): boolean {
  const { text } = letters[index]!
  if (text === 'i') return false
  const isLow = lowLetters.includes(text)
  const usual = tops.usual(
    letters.flatMap((other, at) => {
      const isAlike = isLow ? lowLetters.includes(other.text) : /^[A-Z]$/.test(other.text)
      return isAlike && at !== index ? at : []
    }),
  )
  if (usual === null) return false
  const highest = usual - minRise * tops.height
  const lowest = usual + maxFall * tops.height
  return (
    tops.runsAt(index).filter(({ top, bottom }) => top <= highest && bottom <= lowest).length >= 2
  )
}

interface Accented {
  number: number
  text: string
}

let accentCache: { characters: readonly string[]; accents: Map<string, Accented[]> } | null = null

/**
 * The accented forms of each letter; those of Pinyin alone are no names. Most capitals with an
 * accent are not among the recogniser's characters: it gives some likelihood to the small letter.
 */
function accentsOf(characters: readonly string[]): Map<string, Accented[]> {
  if (accentCache?.characters === characters) return accentCache.accents
  const accents = new Map<string, Accented[]>()
  const add = (plain: string, accented: Accented): void => {
    accents.set(plain, [...(accents.get(plain) ?? []), accented])
  }
  for (const [number, text] of characters.entries()) {
    if (!/^[À-ÿ]$/.test(text)) continue
    const plain = text.normalize('NFD')[0]!
    if (plain === text) continue
    add(plain, { number, text })
    const upper = text.toUpperCase()
    if (upper !== text) add(plain.toUpperCase(), { number, text: upper })
  }
  accentCache = { characters, accents }
  return accents
}
