/**
 * Measures how high the letters of a line reach: it shows whether a letter that looks alike in both
 * cases is a capital, and whether one carries an accent.
 */
import type { Character } from './character.ts'
import type { Gray } from './gray.ts'

/** Letters of one height, without dots, dashes or stems. */
export const lowLetters = 'acemnorsuvwxz'
/** Letters whose case only the size shows. */
const twins = 'cosuvwxz'
const minLetters = 3
/** The part of the letters that must begin within this part of the height: a texture is no ink. */
const minAgreed = 0.6
const maxSpread = 0.06
/** Difference of low and high letters, as a part of the line's height, below which none shows. */
const minDifference = 0.1
/** Which part of it a letter must rise to be a capital, and at most. */
const [minCapital, maxCapital] = [0.55, 1.25]

/**
 * Capitalises the first letter of a word if both cases look alike and it is as high as a capital.
 */
export function withCapitals(
  letters: readonly Character[],
  line: Gray,
  pixelsPerStep: number,
): readonly Character[] {
  const isDoubtful = (index: number): boolean =>
    twins.includes(letters[index]!.text) && !/^\p{L}$/u.test(letters[index - 1]?.text ?? ' ')
  if (!letters.some((_, index) => isDoubtful(index))) return letters
  const tops = measureTops(letters, line, pixelsPerStep)
  const usualTop = (kind: RegExp): number | null =>
    tops.usual(letters.flatMap(({ text }, index) => (kind.test(text) ? index : [])))
  const low = usualTop(/^[aemnr]$/)
  const high = usualTop(/^[ABDEFGHIJLMNQRTbdhkl]$/)
  if (low === null || high === null || low - high < minDifference * line.height) return letters
  return letters.map((character, index) => {
    const top = isDoubtful(index) ? tops.at(index) : null
    const part = top === null ? 0 : (low - top) / (low - high)
    const isCapital = part >= minCapital && part <= maxCapital
    return isCapital ? { ...character, text: character.text.toUpperCase() } : character
  })
}

export interface LetterTops {
  height: number
  /** The first row with ink in the middle of a character; null where there is none. */
  at(index: number): number | null
  /** The row at which most of these characters begin; null where they are too few or differ. */
  usual(indexes: readonly number[]): number | null
  /** The highest stretch of ink in each column in the middle of a character. */
  runsAt(index: number): { top: number; bottom: number }[]
}

export function measureTops(
  letters: readonly Character[],
  line: Gray,
  pixelsPerStep: number,
): LetterTops {
  const { width, height } = line
  const isInk = inkIn(line)
  const centres = letters.map(({ step }) => (step + 0.5) * pixelsPerStep)
  const columnsOf = (index: number, isWide: boolean): [number, number] => {
    const centre = centres[index]!
    const before = centre - (centres[index - 1] ?? -Infinity)
    const after = (centres[index + 1] ?? Infinity) - centre
    const reach = Math.max(3, Math.min(10, 0.35 * Math.min(before, after)))
    // Nothing stands before a word, and a W is lower in its middle.
    const isFirst = (letters[index - 1]?.text ?? ' ') === ' ' && after < Infinity
    const left = isWide && isFirst ? Math.max(reach, 0.6 * after) : reach
    return [Math.max(0, Math.round(centre - left)), Math.min(width, Math.round(centre + reach))]
  }
  const at = (index: number): number | null => {
    const [left, right] = columnsOf(index, true)
    for (let y = 1; y < height; y++) {
      let count = 0
      // A column with ink at the border belongs to something behind the line.
      for (let x = left; x < right; x++) count += isInk[x] ? 0 : isInk[y * width + x]!
      if (count >= 2) return y
    }
    return null
  }
  return {
    height,
    at,
    usual(indexes) {
      const tops = indexes.flatMap((index) => at(index) ?? []).toSorted((a, b) => a - b)
      const middle = tops[tops.length >> 1]
      if (middle === undefined || tops.length < minLetters) return null
      const near = tops.filter((top) => Math.abs(top - middle) <= maxSpread * height)
      return near.length >= minAgreed * indexes.length ? middle : null
    },
    runsAt(index) {
      const [left, right] = columnsOf(index, false)
      const runs: { top: number; bottom: number }[] = []
      for (let x = left; x < right; x++) {
        if (isInk[x]) continue
        let top = 1
        while (top < height && !isInk[top * width + x]) top++
        let bottom = top
        while (bottom < height && isInk[bottom * width + x]) bottom++
        if (top < height) runs.push({ top, bottom })
      }
      return runs
    },
  }
}

/** Points on the rarer side of the threshold (Otsu): letters cover less than half. */
function inkIn({ pixels }: Gray): Uint8Array {
  const counts = new Float64Array(256)
  for (const value of pixels) counts[value]!++
  let total = 0
  for (let value = 0; value < 256; value++) total += value * counts[value]!
  let [below, sum, best, threshold] = [0, 0, -1, 128]
  for (let value = 0; value < 255; value++) {
    below += counts[value]!
    sum += value * counts[value]!
    const above = pixels.length - below
    if (below === 0 || above === 0) continue
    const spread = below * above * (sum / below - (total - sum) / above) ** 2
    if (spread <= best) continue
    best = spread
    threshold = value
  }
  const bright = pixels.reduce((count, value) => count + Number(value > threshold), 0)
  const isBright = bright * 2 < pixels.length
  return Uint8Array.from(pixels, (value) => Number(value > threshold === isBright))
}
