/**
 * Fixes mistakes of the recogniser that show in the words alone: a zero among letters is an O, a
 * one between them an l, an O among digits a zero, and a quotation opens after a space.
 */
export function tidyWords(text: string): string {
  const words = text.replaceAll(/[\p{L}\d]+/gu, withoutDigits)
  const figures = words.replaceAll(/(?<=\d)[Oo](?=\d)/g, '0')
  return withQuotes(figures).replaceAll(/(?<![\p{L}\d])([ODLodl]['’]) (?=\p{L})/gu, '$1')
}

/** "0ctober", "P0RT", "CE0", "E1len"; "A004" and "A0" are numbers. */
function withoutDigits(word: string): string {
  if (/[2-9]/.test(word) || !/[01]/.test(word)) return word
  const letters = word.replaceAll(/[01]/g, '').length
  const min = word.includes('1') ? 3 : 2
  const isWord = letters >= min || /^0\p{L}$/u.test(word)
  const isNumber = letters < word.length - letters || /^\p{L}{1,2}0{2,}$/u.test(word)
  if (!isWord || isNumber) return word
  let fixed = ''
  for (const [at, letter] of word.split('').entries()) {
    const next = word.slice(at + 1)
    const isSmall = at > 0 && (/\p{Ll}$/u.test(fixed) || /^1?\p{Ll}/u.test(next))
    const isInside = at > 0 && /^1?\p{L}/u.test(next)
    if (letter === '0') fixed += isSmall ? 'o' : 'O'
    else if (letter === '1' && isInside) fixed += isSmall ? 'l' : 'I'
    else fixed += letter
  }
  return fixed
}

/** 'OF"COLD WATER"' has lost the space before its quotation. Marks that do not pair are left. */
function withQuotes(text: string): string {
  const parts = text.split('"')
  if (parts.length < 3 || parts.length % 2 === 0) return text
  return parts
    .map((part, at) => {
      if (at % 2 === 1) return part.trim()
      const opens = at < parts.length - 1 && /[\p{L}\d,.:;&]$/u.test(part)
      const closes = at > 0 && /^[\p{L}\d&]/u.test(part)
      return `${closes ? ' ' : ''}${part}${opens ? ' ' : ''}`
    })
    .join('"')
}
