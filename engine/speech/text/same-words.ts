/** Compares what two hearings wrote: by letters and figures alone, and by the words they share. */
import type { Seconds } from '../voice/vad.ts'

interface Word {
  text: string
}

export function bareText(words: readonly Word[]): string {
  return words.map(({ text }) => bare(text)).join(' ')
}

function bare(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** The longest row of words that are in both, in the same order: their places in each. */
export function commonWords(
  these: readonly Word[],
  those: readonly Word[],
): (readonly [number, number])[] {
  const left = these.map(({ text }) => bare(text))
  const right = those.map(({ text }) => bare(text))
  // How many are shared from each pair of places on.
  const counts = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1))
  for (let at = left.length - 1; at >= 0; at--) {
    for (let other = right.length - 1; other >= 0; other--) {
      counts[at]![other] =
        left[at] === right[other]
          ? counts[at + 1]![other + 1]! + 1
          : Math.max(counts[at + 1]![other]!, counts[at]![other + 1]!)
    }
  }
  const pairs: (readonly [number, number])[] = []
  let [at, other] = [0, 0]
  while (at < left.length && other < right.length) {
    if (left[at] === right[other]) pairs.push([at++, other++])
    else if (counts[at + 1]![other]! >= counts[at]![other + 1]!) at++
    else other++
  }
  return pairs
}

/** By its middle. */
export function isWithin({ start, end }: Seconds, word: Seconds): boolean {
  const middle = (word.start + word.end) / 2
  return middle >= start && middle < end
}
