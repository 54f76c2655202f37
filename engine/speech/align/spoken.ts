/**
 * Turns written words into words of a pronouncing dictionary. "$1,500" is three of them,
 * "self-made" two, "don't" one; each written word keeps its own list, so that times of the spoken
 * words lead back to it.
 */
import { sayNumber, sayOrdinal, sayYear } from './numbers.ts'

export type AlignLanguage = 'en' | 'fr'

const symbols: Record<AlignLanguage, Record<string, string[]>> = {
  en: {
    '&': ['and'],
    '+': ['plus'],
    '%': ['percent'],
    '@': ['at'],
    '=': ['equals'],
    $: ['dollars'],
    '£': ['pounds'],
    '€': ['euros'],
    '°': ['degrees'],
  },
  fr: {
    '&': ['et'],
    '+': ['plus'],
    '%': ['pour', 'cent'],
    '@': ['arobase'],
    '=': ['égale'],
    $: ['dollars'],
    '£': ['livres'],
    '€': ['euros'],
    '°': ['degrés'],
  },
}

const abbreviations: Record<string, string[]> = {
  'mr.': ['mister'],
  'mrs.': ['missus'],
  'dr.': ['doctor'],
  'st.': ['saint'],
  'vs.': ['versus'],
  'etc.': ['et', 'cetera'],
}

export function spokenForms(written: string, language: AlignLanguage): string[] {
  const text = written.normalize('NFC').toLowerCase().replaceAll('’', "'")
  const bare = text.replace(/^[^\p{L}\p{N}$£€&+%@=]+/u, '').replace(/[^\p{L}\p{N}%°.+&@=]+$/u, '')
  if (language === 'en' && abbreviations[bare]) return abbreviations[bare]
  // Money is said after its number; a comma between digits only groups them.
  const ordered = bare
    .replace(/^([$£€])([\d.,]*\d)/, '$2 $1')
    .replaceAll(language === 'en' ? /(\d),(?=\d{3})/g : /(\d)[  .](?=\d{3})/g, '$1')
  const pieces =
    ordered.match(/\d+(?:st|nd|rd|th)\b|\d+s\b|\d+|[\p{L}']+|[&+%@=$£€°]|[.,:]/gu) ?? []
  return pieces.flatMap((piece, index) => sayPiece(piece, pieces, index, language))
}

function sayPiece(
  piece: string,
  pieces: readonly string[],
  index: number,
  language: AlignLanguage,
): string[] {
  const isEnglish = language === 'en'
  if (/^\d+$/.test(piece)) {
    if (pieces[index - 1] === '.')
      return piece.split('').flatMap((digit) => sayNumber(digit, language))
    const isYear = isEnglish && pieces.length === 1 && /^(1[1-9]|20[1-9])\d/.test(piece)
    if (isYear && piece.length === 4) return sayYear(Number(piece))
    return sayNumber(piece, language)
  }
  if (/^\d+(st|nd|rd|th)$/.test(piece)) return sayOrdinal(piece.slice(0, -2))
  if (/^\d+s$/.test(piece)) return sayDecade(piece.slice(0, -1))
  if (piece === '.' || piece === ',') {
    const isDecimal = /^\d/.test(pieces[index - 1] ?? '') && /^\d/.test(pieces[index + 1] ?? '')
    return isDecimal ? [isEnglish ? 'point' : 'virgule'] : []
  }
  if (piece === ':') return []
  const symbol = symbols[language][piece]
  if (symbol) return symbol
  return isEnglish ? sayEnglishWord(piece) : sayFrenchWord(piece)
}

function sayDecade(digits: string): string[] {
  const words = digits.length === 4 ? sayYear(Number(digits)) : sayNumber(digits, 'en')
  const last = words.pop() ?? ''
  return [...words, last.endsWith('y') ? `${last.slice(0, -1)}ies` : `${last}s`]
}

/** An apostrophe belongs to an English word ("don't") unless it opens or closes a quotation. */
function sayEnglishWord(piece: string): string[] {
  const word = piece.replace(/^'+(?!(?:tis|twas|em|cause|til|bout)$)/, '').replace(/'+$/, '')
  return word ? [word] : []
}

/** In French it parts two words: "l'eau" is "l'" and "eau", as the dictionary has them. */
function sayFrenchWord(piece: string): string[] {
  return piece.split(/(?<=')/).filter((part) => part !== "'")
}
