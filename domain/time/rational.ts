/** Exact fractions for times and rates. Nothing here rounds unless its name says so. */

/** An exact fraction; `den` is positive. */
export interface Rational {
  num: bigint
  den: bigint
}

/** The fraction in lowest terms with a positive denominator. */
export function rational(num: bigint | number, den: bigint | number = 1n): Rational {
  const top = BigInt(num)
  const bottom = BigInt(den)
  if (bottom === 0n) throw new RangeError('A fraction needs a denominator other than zero')
  const divisor = greatestCommonDivisor(top, bottom) * (bottom < 0n ? -1n : 1n)
  return { num: top / divisor, den: bottom / divisor }
}

/** Reads "1001/30000", "25" or "12.5" exactly; null when it is none of them. */
export function parseRational(text: string): Rational | null {
  const fraction = /^(-?\d{1,24})(?:\/(\d{1,24}))?$/.exec(text.trim())
  if (fraction) {
    const den = BigInt(fraction[2] ?? 1)
    return den === 0n ? null : rational(BigInt(fraction[1]!), den)
  }
  const decimal = /^(-?)(\d{1,12})\.(\d{1,12})$/.exec(text.trim())
  if (!decimal) return null
  const [, minus, whole, decimals] = decimal
  const den = 10n ** BigInt(decimals!.length)
  const num = BigInt(whole!) * den + BigInt(decimals!)
  return rational(minus ? -num : num, den)
}

/** The text of the findings: numerator/denominator, also for whole numbers. */
export function formatRational(value: Rational): string {
  return `${value.num}/${value.den}`
}

export function add(a: Rational, b: Rational): Rational {
  return rational(a.num * b.den + b.num * a.den, a.den * b.den)
}

export function subtract(a: Rational, b: Rational): Rational {
  return rational(a.num * b.den - b.num * a.den, a.den * b.den)
}

export function multiply(a: Rational, b: Rational): Rational {
  return rational(a.num * b.num, a.den * b.den)
}

export function divide(a: Rational, b: Rational): Rational {
  return rational(a.num * b.den, a.den * b.num)
}

/** Negative, zero or positive, as `Array.sort` wants it. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.num * b.den - b.num * a.den
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** The greatest integer that is not above the value. */
export function floor(value: Rational): bigint {
  const quotient = value.num / value.den
  return value.num < 0n && quotient * value.den !== value.num ? quotient - 1n : quotient
}

/** The nearest integer; halves go up. */
export function round(value: Rational): bigint {
  return floor({ num: value.num * 2n + value.den, den: value.den * 2n })
}

/** The closest double: for reading and drawing, never for counting. */
export function toNumber(value: Rational): number {
  const isExact = (part: bigint): boolean => BigInt.asIntN(53, part) === part
  if (isExact(value.num) && isExact(value.den)) return Number(value.num) / Number(value.den)
  const whole = value.num / value.den
  return Number(whole) + Number(value.num - whole * value.den) / Number(value.den)
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x === 0n ? 1n : x
}
