/** Signs that XML and HTML name or number. The names are those that books and pages use. */

/** Names of the code points from 160 on, in their order. */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 ' +
  'acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest ' +
  'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ' +
  'ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig ' +
  'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml ' +
  'eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
const greek =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho ? Sigma Tau ' +
  'Upsilon Phi Chi Psi Omega'
const others: Record<string, string> = {
  ...{ lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ' },
  ...{ ndash: '–', mdash: '—', hellip: '…', bull: '•', middot: '·', prime: '′', Prime: '″' },
  ...{ lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„' },
  ...{ lsaquo: '‹', rsaquo: '›', dagger: '†', Dagger: '‡', permil: '‰', euro: '€', trade: '™' },
  ...{ OElig: 'Œ', oelig: 'œ', Scaron: 'Š', scaron: 'š', Yuml: 'Ÿ', fnof: 'ƒ', minus: '−' },
  ...{
    larr: '←',
    uarr: '↑',
    rarr: '→',
    darr: '↓',
    harr: '↔',
    infin: '∞',
    ne: '≠',
    le: '≤',
    ge: '≥',
  },
  ...{ shy: '', zwnj: '', zwj: '', lrm: '', rlm: '' },
}

const signs = new Map<string, string>([
  ...latin.split(' ').map((name, at): [string, string] => [name, String.fromCodePoint(160 + at)]),
  ...greek.split(' ').flatMap((name, at): [string, string][] => [
    [name, String.fromCodePoint(0x391 + at)],
    [name[0]!.toLowerCase() + name.slice(1), String.fromCodePoint(0x3b1 + at)],
  ]),
  ...Object.entries(others),
])

export function withoutEntities(text: string): string {
  return text
    .replace(/&#(x?)([0-9a-f]{1,6});/gi, (all, hex: string, digits: string) => {
      const code = parseInt(digits, hex ? 16 : 10)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all
    })
    .replace(/&([a-z]{2,8}[0-9]{0,2});/gi, (all, name: string) => signs.get(name) ?? all)
    .replaceAll('&amp;', '&')
}
