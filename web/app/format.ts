/** How amounts, dates and sizes read on every screen. */
import { formatBalanceUsd, formatUsd } from '../../domain/money/money.ts'
import type { Micros } from '../../domain/money/money.ts'
import { serverNow } from '../session/server-clock.ts'

/** A dollar number of the wire; a wrong one of another service must not take the screen away. */
function shownMicros(amount: number): Micros {
  const micros = Math.round(amount * 1_000_000)
  return Number.isSafeInteger(micros) ? micros : 0
}

/** A dollar number of the wire as $ with two decimals. */
export function usd(amount: number): string {
  return formatUsd(shownMicros(amount))
}

/** A balance as $ with two decimals, rounded down; a cost is rounded to the nearest. */
export function balanceUsd(amount: number): string {
  return formatBalanceUsd(shownMicros(amount))
}

/** An amount with its sign in front: +$50.00, -$0.75. */
export function signedUsd(amount: number): string {
  return amount < 0 ? `-${usd(-amount)}` : `+${usd(amount)}`
}

// Making one takes longer than drawing a row.
const dateTimes = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

export function dateTime(iso: string): string {
  return dateTimes.format(new Date(iso))
}

export function date(iso: string): string {
  return dates.format(new Date(iso))
}

/** "5 min ago" for what is recent, the date for the rest. */
export function ago(iso: string, nowMs = serverNow()): string {
  const minutes = Math.floor((nowMs - new Date(iso).getTime()) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`
  return date(iso)
}

/** "1 shot", "2,000 shots". */
export function counted(count: number, what: string): string {
  return `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`
}

/** The footage of a job: its name where the service sends one, else the end of its address. */
export function contentName(job: { content_name?: string; content_url: string }): string {
  if (job.content_name) return job.content_name
  const path = job.content_url.split(/[?#]/)[0] ?? ''
  const name = path.split('/').findLast(Boolean) ?? job.content_url
  try {
    return decodeURIComponent(name)
  } catch {
    // A percent sign of its own: "100%.mov".
    return name
  }
}

/** A job's state as screens spell it; the wire spells one of them the American way. */
export function jobState(status: string, isPartial = false): string {
  if (isPartial) return `partly ${status}`
  return status === 'canceled' ? 'cancelled' : status
}

/** Three where cents would round one of them, so that a column lines up and adds up to its sum. */
export function decimalsOf(amounts: readonly Micros[]): 2 | 3 {
  return amounts.every((micros) => micros % 10_000 === 0) ? 2 : 3
}

/** Adds dollar numbers of the wire as whole micro-dollars, since floats do not add exactly. */
export function sumMicros(amounts: readonly number[]): Micros {
  return amounts.reduce((sum, amount) => sum + shownMicros(amount), 0)
}

/** "25 fps", "29.97 DF": a name that says how it counts needs no unit. */
export function rateWithUnit(name: string): string {
  return name.endsWith('DF') ? name : `${name} fps`
}

/** 0:41, 11:48, 1:02:11. */
export function lengthText(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds))
  const two = (value: number): string => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/** 1 h 21 min 22 s, 41 s. */
export function totalText(seconds: number): string {
  const whole = Math.round(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const parts = [
    hours > 0 ? `${hours} h` : '',
    minutes > 0 ? `${minutes} min` : '',
    hours === 0 && whole % 60 > 0 ? `${whole % 60} s` : '',
  ].filter(Boolean)
  return parts.join(' ') || '0 s'
}
