/**
 * Money is an integer number of micro-dollars ($1 = 1,000,000). Nothing here adds, multiplies or
 * rounds floating-point dollars; only the wire and the screen see dollars.
 */

/** An integer number of micro-dollars; safe up to nine billion dollars. */
export type Micros = number

export const microsPerUsd = 1_000_000
export const microsPerCent = microsPerUsd / 100

/** Parses a decimal dollar string exactly; more than six decimals are refused, not rounded. */
export function fromUsd(usd: string): Micros {
  const match = /^(-)?(\d{1,9})(?:\.(\d{1,6}))?$/.exec(usd)
  if (!match) throw new RangeError(`Not an amount in dollars: ${usd}`)
  const [, minus, whole, decimals = ''] = match
  const micros = Number(whole) * microsPerUsd + Number(decimals.padEnd(6, '0'))
  return minus && micros !== 0 ? -micros : micros
}

/** Reads a dollar number from the wire; one with more than six decimals is refused. */
export function fromUsdNumber(usd: number): Micros {
  const micros = Math.round(usd * microsPerUsd)
  if (!Number.isSafeInteger(micros) || micros / microsPerUsd !== usd) {
    throw new RangeError(`Not an amount in dollars: ${usd}`)
  }
  return micros
}

/** The dollar number of the wire: the closest double, which prints as the exact decimal. */
export function toUsd(micros: Micros): number {
  return assertMicros(micros) / microsPerUsd
}

/** The exact decimal, without trailing zeros beyond two decimals: for files and logs. */
export function toUsdText(micros: Micros): string {
  const absolute = Math.abs(assertMicros(micros))
  const whole = Math.trunc(absolute / microsPerUsd)
  const decimals = String(absolute % microsPerUsd).padStart(6, '0')
  const trimmed = decimals.slice(0, 2) + decimals.slice(2).replace(/0+$/, '')
  return `${micros < 0 ? '-' : ''}${whole}.${trimmed}`
}

/**
 * An amount on the screen: $ and a fixed number of decimals, halves rounded away from zero. What
 * would round to nothing reads as less than the smallest amount shown, because it is not free.
 */
export function formatUsd(micros: Micros, decimals = 2): string {
  const step = 10 ** (6 - decimals)
  const rounded = Math.floor((Math.abs(assertMicros(micros)) + step / 2) / step)
  const isLess = rounded === 0 && micros !== 0
  const units = isLess ? 1 : rounded
  const scale = 10 ** decimals
  const whole = grouped(Math.trunc(units / scale))
  const fraction = decimals > 0 ? `.${String(units % scale).padStart(decimals, '0')}` : ''
  return `${micros < 0 ? '-' : ''}${isLess ? '<' : ''}$${whole}${fraction}`
}

/** 12345 as 12,345. */
function grouped(whole: number): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A balance on the screen, in whole cents rounded down: never more than can be spent. */
export function formatBalanceUsd(micros: Micros): string {
  return formatUsd(Math.floor(assertMicros(micros) / microsPerCent) * microsPerCent)
}

/** A needed sum on the screen, rounded up: it never reads as if the balance covered it. */
export function formatNeedUsd(micros: Micros): string {
  return formatUsd(Math.ceil(assertMicros(micros) / microsPerCent) * microsPerCent)
}

export function assertMicros(value: number): Micros {
  if (!Number.isSafeInteger(value))
    throw new RangeError(`Not an integer of micro-dollars: ${value}`)
  return value
}
