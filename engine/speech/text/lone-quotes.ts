/**
 * Removes quotation marks that stand alone. Windows are recognised on their own, so speech that the
 * model takes for a quotation is often opened in one window and closed in none, or the other way.
 */

/** A quotation that is longer was hardly meant as one. */
const maxQuotedWords = 120

const opening = /^"(?=.)/
/** After the word and its punctuation, or between them. */
const closing = /(?<=.)"(?=\p{P}*$)/u
/** Inches, where nothing is open. */
const measure = /\d"\p{P}*$/u

export function dropLoneQuotes<Word extends { text: string }>(words: readonly Word[]): Word[] {
  const kept = new Set<Word>()
  let open: number | null = null
  for (const [at, word] of words.entries()) {
    if (opening.test(word.text)) open = at
    if (open === null || at - open > maxQuotedWords || !closing.test(word.text)) continue
    kept.add(words[open]!).add(word)
    open = null
  }
  return words.map((word) => (kept.has(word) ? word : withoutQuotes(word)))
}

function withoutQuotes<Word extends { text: string }>(word: Word): Word {
  const begun = word.text.replace(opening, '')
  const text = measure.test(begun) ? begun : begun.replace(closing, '')
  return text === word.text ? word : { ...word, text }
}
