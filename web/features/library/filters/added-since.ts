/** Keeps "Added today" as a number of days, so that a saved filter means it every day. */
import { date } from '../../../app/format.ts'

const addedChoices = [
  ['1', 'Added today'],
  ['7', 'Added this week'],
  ['30', 'Added in 30 days'],
] as const

/** The moment from which clips are shown; older addresses name it themselves. */
export function addedFrom(value: string, now: Date): string | null {
  if (!addedChoices.some(([days]) => days === value)) return isMoment(value) ? value : null
  const day = new Date(now)
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - Number(value) + 1)
  return day.toISOString()
}

/** The choices, with the one of an older address. */
export function addedOptions(value: string): (readonly [string, string])[] {
  const isKnown = value === '' || addedChoices.some(([days]) => days === value)
  return isKnown || !isMoment(value)
    ? [...addedChoices]
    : [...addedChoices, [value, `Since ${date(value)}`]]
}

function isMoment(value: string): boolean {
  return !Number.isNaN(Date.parse(value))
}
