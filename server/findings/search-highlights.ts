/** Which words of a hit are marked. */
import type { SearchHit } from '../../contract/footage/search.ts'
import { markEnd, markStart } from './search-statements.ts'
import type { HitRow } from './search-statements.ts'

/** A word that is marked has at least this share of letter pairs in common. */
const minLikeness = 0.4

/** Highlights matches of the full text search, and words that begin like or resemble a token. */
export function highlightsOf(row: HitRow, tokens: string[]): [number, number][] {
  const ranges = readMarks(row.marked)
  const words = [...row.text.matchAll(/[\p{L}\p{N}]+/gu)]
  for (const token of tokens) {
    for (const word of words) {
      if (!word[0].toLowerCase().startsWith(token)) continue
      ranges.push([word.index, word.index + word[0].length])
    }
  }
  if (ranges.length === 0 && isByPeople(row.kind)) {
    const likeness = (word: RegExpExecArray): number =>
      Math.max(...tokens.map((token) => likenessOf(token, word[0].toLowerCase())))
    const best = words.toSorted((a, b) => likeness(b) - likeness(a))[0]
    if (best && likeness(best) >= minLikeness) {
      ranges.push([best.index, best.index + best[0].length])
    }
  }
  const sorted = ranges.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])
  return sorted.filter((range, index) => index === 0 || range[0] >= (sorted[index - 1]?.[1] ?? 0))
}

/** Said, written or named by a person, and so spelled in any way. */
function isByPeople(kind: SearchHit['kind']): boolean {
  return kind === 'word' || kind === 'text' || kind === 'screen' || kind === 'name'
}

function readMarks(marked: string): [number, number][] {
  const ranges: [number, number][] = []
  let at = 0
  let from = 0
  for (const part of marked.split(/([\ue000\ue001])/)) {
    if (part === markStart) from = at
    else if (part === markEnd) ranges.push([from, at])
    else at += part.length
  }
  return ranges
}

/** Share of letter pairs that two words have in common. */
function likenessOf(a: string, b: string): number {
  const pairs = (text: string): string[] =>
    Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2))
  const left = pairs(a)
  const right = new Set(pairs(b))
  const shared = left.filter((pair) => right.has(pair)).length
  return (2 * shared) / Math.max(1, left.length + right.size)
}
