/**
 * VAT ids of the European Union: the form of each country and, where it is simple, the check
 * digits. Whether an id is registered is known to the tax offices alone and is not asked here.
 */

interface VatForm {
  pattern: RegExp
  check?: (id: string) => boolean
}

const digits = (id: string): number[] => (id.match(/\d/g) ?? []).map(Number)
const weigh = (values: number[], weights: number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * (values[index] ?? 0), 0)

/** Keyed by country; Greece writes EL before its ids. */
const forms: Record<string, VatForm> = {
  AT: { pattern: /^ATU\d{8}$/ },
  BE: { pattern: /^BE[01]\d{9}$/, check: isBelgian },
  BG: { pattern: /^BG\d{9,10}$/ },
  CY: { pattern: /^CY\d{8}[A-Z]$/ },
  CZ: { pattern: /^CZ\d{8,10}$/ },
  DE: { pattern: /^DE[1-9]\d{8}$/, check: isGerman },
  DK: {
    pattern: /^DK[1-9]\d{7}$/,
    check: (id) => weigh(digits(id), [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  },
  EE: { pattern: /^EE\d{9}$/ },
  ES: { pattern: /^ES[A-Z0-9]\d{7}[A-Z0-9]$/ },
  FI: { pattern: /^FI\d{8}$/, check: isFinnish },
  FR: { pattern: /^FR[A-HJ-NP-Z0-9]{2}\d{9}$/, check: isFrench },
  GR: { pattern: /^EL\d{9}$/ },
  HR: { pattern: /^HR\d{11}$/ },
  HU: { pattern: /^HU\d{8}$/ },
  IE: { pattern: /^IE(\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/ },
  IT: { pattern: /^IT\d{11}$/, check: isLuhn },
  LT: { pattern: /^LT(\d{9}|\d{12})$/ },
  LU: {
    pattern: /^LU\d{8}$/,
    check: (id) => Number(id.slice(2, 8)) % 89 === Number(id.slice(8)),
  },
  LV: { pattern: /^LV\d{11}$/ },
  MT: { pattern: /^MT\d{8}$/ },
  NL: { pattern: /^NL[A-Z0-9+*]{9}B\d{2}$/ },
  PL: {
    pattern: /^PL\d{10}$/,
    check: (id) => weigh(digits(id), [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === digits(id)[9],
  },
  PT: { pattern: /^PT\d{9}$/ },
  RO: { pattern: /^RO\d{2,10}$/ },
  SE: { pattern: /^SE\d{10}01$/ },
  SI: { pattern: /^SI[1-9]\d{7}$/ },
  SK: { pattern: /^SK\d{10}$/ },
}

export function isEuCountry(country: string): boolean {
  return country in forms
}

/** An id without its spaces, dots and dashes, in capitals. */
export function cleanVatId(id: string): string {
  return id.toUpperCase().replace(/[\s.-]/g, '')
}

/** Elsewhere a tax id has any form: letters, digits and the marks between them. */
export function isVatId(country: string, id: string): boolean {
  const form = forms[country]
  if (!form) return /^[A-Z0-9/]{2,30}$/.test(id)
  return form.pattern.test(id) && (form.check?.(id) ?? true)
}

function isBelgian(id: string): boolean {
  return 97 - (Number(id.slice(2, 10)) % 97) === Number(id.slice(10))
}

/** ISO 7064, mod 11, 10. */
function isGerman(id: string): boolean {
  const all = digits(id)
  let product = 10
  for (const digit of all.slice(0, 8)) {
    const sum = (digit + product) % 10 || 10
    product = (2 * sum) % 11
  }
  return (11 - product) % 10 === all[8]
}

function isFinnish(id: string): boolean {
  const all = digits(id)
  const rest = weigh(all, [7, 9, 10, 5, 8, 4, 2]) % 11
  return rest !== 1 && (11 - rest) % 11 === all[7]
}

/** Old keys have two digits that follow from the company's number; new ones hold letters. */
function isFrench(id: string): boolean {
  const key = id.slice(2, 4)
  if (!/^\d\d$/.test(key)) return true
  return (12 + 3 * (Number(id.slice(4)) % 97)) % 97 === Number(key)
}

function isLuhn(id: string): boolean {
  const sum = digits(id)
    .toReversed()
    .map((digit, index) => (index % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2))
    .reduce((total, value) => total + value, 0)
  return sum % 10 === 0
}
