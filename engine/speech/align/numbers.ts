/** Numbers as they are said, for the aligner: it hears "twenty six", not "26". */

const english = {
  small: [
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen',
    'fifteen sixteen seventeen eighteen nineteen',
  ]
    .join(' ')
    .split(' '),
  tens: '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' '),
}
const french = {
  small: [
    'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze',
    'seize dix-sept dix-huit dix-neuf',
  ]
    .join(' ')
    .split(' ')
    .map((word) => word.replace('-', ' ')),
  tens: '- - vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt'
    .split(' ')
    .map((word) => word.replace('-', ' ')),
}

const englishOrdinals: Record<string, string> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
}

export function sayNumber(digits: string, language: 'en' | 'fr'): string[] {
  const plain = digits.replace(/^0+(?=\d)/, '')
  // Account numbers and the like are said digit by digit.
  if (plain.length > 12 || (digits.length > 1 && digits.startsWith('0'))) {
    return digits.split('').flatMap((digit) => sayNumber(digit, language))
  }
  const value = Number(plain)
  return (language === 'en' ? sayEnglish(value) : sayFrench(value)).split(' ')
}

/** 1999 is "nineteen ninety nine" far more often than a count. */
export function sayYear(value: number): string[] {
  const high = Math.floor(value / 100)
  const low = value % 100
  if (low === 0) return [...sayEnglish(high).split(' '), 'hundred']
  const tail = low < 10 ? `oh ${sayEnglish(low)}` : sayEnglish(low)
  return `${sayEnglish(high)} ${tail}`.split(' ')
}

export function sayOrdinal(digits: string): string[] {
  const words = sayNumber(digits, 'en')
  const last = words.pop() ?? ''
  const ordinal = englishOrdinals[last] ?? last.replace(/y$/, 'ie').replace(/t$/, 't') + 'th'
  return [...words, ordinal]
}

function sayEnglish(value: number): string {
  if (value < 20) return english.small[value]!
  if (value < 100) {
    return join(english.tens[Math.floor(value / 10)]!, value % 10, sayEnglish)
  }
  if (value < 1000) {
    return join(`${sayEnglish(Math.floor(value / 100))} hundred`, value % 100, sayEnglish)
  }
  for (const [unit, name] of [
    [1e9, 'billion'],
    [1e6, 'million'],
    [1e3, 'thousand'],
  ] as const) {
    if (value >= unit) {
      return join(`${sayEnglish(Math.floor(value / unit))} ${name}`, value % unit, sayEnglish)
    }
  }
  return ''
}

function sayFrench(value: number): string {
  if (value < 20) return french.small[value]!
  if (value < 100) {
    const ten = Math.floor(value / 10)
    const unit = ten === 7 || ten === 9 ? value - (ten - 1) * 10 : value % 10
    const and = (unit === 1 || unit === 11) && ten < 8 ? ' et' : ''
    return unit === 0 ? french.tens[ten]! : `${french.tens[ten]}${and} ${sayFrench(unit)}`
  }
  if (value < 1000) {
    const hundreds = Math.floor(value / 100)
    return join(hundreds === 1 ? 'cent' : `${sayFrench(hundreds)} cent`, value % 100, sayFrench)
  }
  for (const [unit, name] of [
    [1e9, 'milliard'],
    [1e6, 'million'],
    [1e3, 'mille'],
  ] as const) {
    if (value < unit) continue
    const count = Math.floor(value / unit)
    const head = unit === 1e3 && count === 1 ? name : `${sayFrench(count)} ${name}`
    return join(head, value % unit, sayFrench)
  }
  return ''
}

function join(head: string, rest: number, say: (value: number) => string): string {
  return rest === 0 ? head : `${head} ${say(rest)}`
}
