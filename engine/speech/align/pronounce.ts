/**
 * A guess at the sound of words that the pronouncing dictionary lacks (names, new words, typing
 * errors). It only has to be near enough for the aligner to find the word's place.
 */
import type { AlignLanguage } from './spoken.ts'

type Rules = [letters: string, phones: string][]

/** Longest first at each place; "" is silent. */
const englishRules: Rules = [
  ['tion', 'SH AH N'],
  ['sion', 'ZH AH N'],
  ['ough', 'AO'],
  ['augh', 'AO'],
  ['eigh', 'EY'],
  ['tch', 'CH'],
  ['sch', 'SH'],
  ['igh', 'AY'],
  ['dge', 'JH'],
  ['ing', 'IH NG'],
  ['ch', 'CH'],
  ['sh', 'SH'],
  ['th', 'TH'],
  ['ph', 'F'],
  ['wh', 'W'],
  ['ck', 'K'],
  ['ng', 'NG'],
  ['qu', 'K W'],
  ['kn', 'N'],
  ['wr', 'R'],
  ['ee', 'IY'],
  ['ea', 'IY'],
  ['ie', 'IY'],
  ['ei', 'EY'],
  ['ey', 'IY'],
  ['ai', 'EY'],
  ['ay', 'EY'],
  ['oo', 'UW'],
  ['ou', 'AW'],
  ['ow', 'OW'],
  ['oa', 'OW'],
  ['oi', 'OY'],
  ['oy', 'OY'],
  ['au', 'AO'],
  ['aw', 'AO'],
  ['ar', 'AA R'],
  ['er', 'ER'],
  ['ir', 'ER'],
  ['ur', 'ER'],
  ['or', 'AO R'],
  ['ce', 'S'],
  ['ci', 'S IH'],
  ['cy', 'S IY'],
  ['ge', 'JH'],
  ['a', 'AE'],
  ['b', 'B'],
  ['c', 'K'],
  ['d', 'D'],
  ['e', 'EH'],
  ['f', 'F'],
  ['g', 'G'],
  ['h', 'HH'],
  ['i', 'IH'],
  ['j', 'JH'],
  ['k', 'K'],
  ['l', 'L'],
  ['m', 'M'],
  ['n', 'N'],
  ['o', 'AA'],
  ['p', 'P'],
  ['q', 'K'],
  ['r', 'R'],
  ['s', 'S'],
  ['t', 'T'],
  ['u', 'AH'],
  ['v', 'V'],
  ['w', 'W'],
  ['x', 'K S'],
  ['y', 'IY'],
  ['z', 'Z'],
]

const frenchRules: Rules = [
  ['eaux', 'au'],
  ['tion', 'ss yy on'],
  ['eau', 'au'],
  ['ille', 'ii yy'],
  ['ain', 'in'],
  ['ein', 'in'],
  ['oin', 'ww in'],
  ['ien', 'yy in'],
  ['ch', 'ch'],
  ['ph', 'ff'],
  ['gn', 'gn'],
  ['qu', 'kk'],
  ['ou', 'ou'],
  ['oi', 'ww aa'],
  ['ai', 'ai'],
  ['ei', 'ai'],
  ['au', 'au'],
  ['eu', 'eu'],
  ['an', 'an'],
  ['am', 'an'],
  ['en', 'an'],
  ['em', 'an'],
  ['on', 'on'],
  ['om', 'on'],
  ['in', 'in'],
  ['im', 'in'],
  ['un', 'un'],
  ['ez', 'ei'],
  ['er', 'ei'],
  ['ce', 'ss'],
  ['ci', 'ss ii'],
  ['ge', 'jj'],
  ['gi', 'jj ii'],
  ['a', 'aa'],
  ['b', 'bb'],
  ['c', 'kk'],
  ['d', 'dd'],
  ['e', 'ee'],
  ['é', 'ei'],
  ['è', 'ai'],
  ['ê', 'ai'],
  ['ç', 'ss'],
  ['f', 'ff'],
  ['g', 'gg'],
  ['h', ''],
  ['i', 'ii'],
  ['j', 'jj'],
  ['k', 'kk'],
  ['l', 'll'],
  ['m', 'mm'],
  ['n', 'nn'],
  ['o', 'oo'],
  ['p', 'pp'],
  ['q', 'kk'],
  ['r', 'rr'],
  ['s', 'ss'],
  ['t', 'tt'],
  ['u', 'uu'],
  ['v', 'vv'],
  ['w', 'ww'],
  ['x', 'kk ss'],
  ['y', 'ii'],
  ['z', 'zz'],
]

const englishSuffixes: [string, string][] = [
  ["'s", 'Z'],
  ["'ve", 'V'],
  ["'ll", 'L'],
  ["'d", 'D'],
  ["'st", 'S T'],
  ['s', 'Z'],
  ['ed', 'D'],
  ['ing', 'IH NG'],
  ['ly', 'L IY'],
  ['ness', 'N AH S'],
]

/** `known` gives the phones of a dictionary word, or null. */
export function pronounce(
  word: string,
  language: AlignLanguage,
  known: (word: string) => string | null,
): string {
  if (language === 'en') {
    for (const [suffix, phones] of englishSuffixes) {
      const stem = word.endsWith(suffix) ? known(word.slice(0, -suffix.length)) : null
      if (stem) return `${stem} ${phones}`
    }
  }
  return language === 'en' ? byRules(word, englishRules, 'AH') : byRules(word, frenchRules, 'ee')
}

function byRules(word: string, rules: Rules, fallback: string): string {
  // Accents that have no rule of their own lose them; a doubled letter sounds once.
  const known = new Set(rules.map(([letters]) => letters))
  const letters = Array.from(word)
    .map((letter) => (known.has(letter) ? letter : letter.normalize('NFD')[0]!))
    .join('')
    .replaceAll(/[^\p{L}]/gu, '')
    .replaceAll(/([bcdfgklmnprstz])\1/g, '$1')
    .replace(/(?<=[^aeiou]{1}[a-z]*[^aeiou])e$/, '')
  const phones: string[] = []
  for (let at = 0; at < letters.length;) {
    const rule = rules.find(([start]) => letters.startsWith(start, at))
    if (rule?.[1]) phones.push(rule[1])
    at += rule ? rule[0].length : 1
  }
  return phones.join(' ') || fallback
}
