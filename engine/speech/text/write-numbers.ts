/**
 * English captions write the numbers up to ten as words ("two cameras", "one more"); Whisper writes
 * now a word, now a figure. Figures stay where they are names, measures or parts of a larger
 * number: "Take 3", "March 5", "5 mm", "7 p.m.", "3 million", "5 5 5".
 */
import { sayNumber } from '../align/numbers.ts'

const lone = /^(["“‘'([]*)(10|[1-9])([.,;:?!…)\]"”’']*)$/u
const startsWithFigure = /^["“‘'([]*[\p{N}$£€%°×]/u
const named = new Set(
  [
    'act apollo article bay bus cam camera category chapter channel class day episode exit figure file flight floor',
    'formula gate highway item lane level line lot mark no number page part phase platform question reel room',
    'round route row scene season section shot slate slide step studio suite take tier top track type unit version',
    'volume ward week january february march april may june july august september october november december',
    'jan feb mar apr jun jul aug sep sept oct nov dec plus minus times point equals',
  ]
    .join(' ')
    .split(' '),
)
const measured = new Set(
  [
    'mm cm km kg mg lb lbs oz ft mi mph kph hz khz mhz ghz kb mb gb tb kbps mbps gbps fps ms kw',
    'am pm percent degrees hundred thousand million billion trillion plus minus times point equals',
  ]
    .join(' ')
    .split(' '),
)

/** Only those that are said in English. */
export function writeNumbers<Word extends { text: string; language: string }>(
  words: readonly Word[],
): Word[] {
  return words.map((word, index) => {
    if (word.language !== 'en') return word
    const [, opening = '', figure, closing = ''] = lone.exec(word.text) ?? []
    const previous = words[index - 1]?.text ?? ''
    const next = words[index + 1]?.text ?? ''
    if (!figure || !isCount(previous, next, closing)) return word
    const said = sayNumber(figure, 'en').join(' ')
    const isStart = previous === '' || /[.?!…]["”’')\]]*$/u.test(previous)
    const written = isStart ? said[0]!.toUpperCase() + said.slice(1) : said
    return { ...word, text: `${opening}${written}${closing}` }
  })
}

function isCount(previous: string, next: string, closing: string): boolean {
  if (/\p{N}["”’')\],]*$/u.test(previous) || startsWithFigure.test(next)) return false
  const isApart = /[.,;:?!…]["”’')\]]*$/u.test(previous) && plain(previous) !== 'no'
  if (!isApart && named.has(plain(previous))) return false
  // A word after a comma or a full stop does not measure this number.
  return closing !== '' || !measured.has(plain(next))
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}]/gu, '')
}
