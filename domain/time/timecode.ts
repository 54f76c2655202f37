/**
 * Frames, exact seconds and SMPTE timecode.
 *
 * A timecode is a name for a frame, not a time: it counts `nominal` frames to the second whatever
 * the real rate is (30 for 29.97). Drop frame skips the first names of each minute, except each
 * tenth, so that the names keep up with the clock; no frame is ever skipped. Names wrap at 24 h.
 */
import { divide, floor, multiply, parseRational, rational, round, toNumber } from './rational.ts'
import type { Rational } from './rational.ts'

export interface TimecodeFormat {
  /** Frames per second, exact. */
  rate: Rational
  /** Frames that the timecode counts to one second. */
  nominal: number
  dropFrame: boolean
  /** Frames that have a name of their own: where the timecode wraps. */
  framesPerDay: number
}

/** The rates an editing system offers, with the name each goes by. */
export const standardRates: readonly { label: string; rate: string; dropFrame: boolean }[] = [
  { label: '23.976', rate: '24000/1001', dropFrame: false },
  { label: '24', rate: '24/1', dropFrame: false },
  { label: '25', rate: '25/1', dropFrame: false },
  { label: '29.97 DF', rate: '30000/1001', dropFrame: true },
  { label: '29.97 NDF', rate: '30000/1001', dropFrame: false },
  { label: '30', rate: '30/1', dropFrame: false },
  { label: '50', rate: '50/1', dropFrame: false },
  { label: '59.94 DF', rate: '60000/1001', dropFrame: true },
  { label: '59.94 NDF', rate: '60000/1001', dropFrame: false },
  { label: '60', rate: '60/1', dropFrame: false },
]

const maximumRate = 1000n

/**
 * The timecode of a rate. Drop frame exists only at 29.97 and its multiples: asked for elsewhere it
 * is refused, so that no file ever claims it.
 */
export function timecodeFormat(rate: string | Rational, dropFrame: boolean): TimecodeFormat {
  const exact = typeof rate === 'string' ? requireRate(rate) : rate
  const nominal = Math.max(1, Number(round(exact)))
  if (dropFrame && !canDropFrame(exact)) {
    throw new RangeError(`There is no drop-frame timecode at ${rateLabel(exact)} frames a second`)
  }
  const droppedPerDay = dropFrame ? (nominal / 15) * 54 * 24 : 0
  return { rate: exact, nominal, dropFrame, framesPerDay: nominal * 86_400 - droppedPerDay }
}

/** Reads "30000/1001", "25" or a decimal; 23.976, 29.97 and the like mean the NTSC rate. */
export function parseRate(text: string): Rational | null {
  const value = parseRational(text)
  if (!value || value.num <= 0n || floor(value) >= maximumRate) return null
  if (!text.includes('.') || value.den === 1n) return value
  const ntsc = rational(ceiling(value) * 1000n, 1001n)
  const decimals = text.trim().split('.')[1]!.length
  const near = (Number(ntsc.num) / Number(ntsc.den)).toFixed(decimals) === text.trim()
  return near ? ntsc : value
}

/** "29.97", "23.976", "25": as short as an editor says it. */
export function rateLabel(rate: Rational): string {
  const value = Number(rate.num) / Number(rate.den)
  if (rate.den === 1n) return String(rate.num)
  return value.toFixed(isNtsc(rate) && rate.num % 24n !== 0n ? 2 : 3).replace(/0+$/, '')
}

/** A whole rate slowed by 1000/1001. */
export function isNtsc(rate: Rational): boolean {
  return multiply(rate, rational(1001, 1000)).den === 1n && rate.den !== 1n
}

export function canDropFrame(rate: Rational): boolean {
  return isNtsc(rate) && Number(round(rate)) % 30 === 0
}

/** The standard rate within half a percent of an odd (measured or variable) one, or itself. */
export function nearestStandardRate(rate: Rational): Rational {
  const value = Number(rate.num) / Number(rate.den)
  let best: { rate: Rational; distance: number } | null = null
  for (const standard of standardRates) {
    const candidate = parseRational(standard.rate)!
    const distance = Math.abs(Number(candidate.num) / Number(candidate.den) - value) / value
    if (distance <= 0.005 && (!best || distance < best.distance))
      best = { rate: candidate, distance }
  }
  return best ? best.rate : rate
}

/** A whole rate or its NTSC twin: what a timecode can count. */
export function isCounted(rate: Rational): boolean {
  return rate.den === 1n || isNtsc(rate)
}

/** The standard rate next to a measured one; the whole multiple of one that no timecode counts. */
export function countedRate(rate: Rational): Rational {
  const near = nearestStandardRate(rate)
  if (isCounted(near)) return near
  for (let times = 2; times <= 8; times++) {
    const multiple = multiply(near, rational(times))
    if (multiple.den === 1n) return multiple
  }
  return rational(round(near) > 0n ? round(near) : 1n)
}

/** True if both count the same frames to the second, as 23.976 and 24 do. */
export function countAlike(a: Rational, b: Rational): boolean {
  return round(a) === round(b) && Math.abs(toNumber(divide(a, b)) - 1) < 0.0011
}

/** The SMPTE name of a frame: `;` before the frames of drop frame, wrapped at 24 h. */
export function toTimecode(frame: number, format: TimecodeFormat): string {
  const { nominal, dropFrame, framesPerDay } = format
  if (!Number.isSafeInteger(frame)) throw new RangeError(`Not a frame: ${frame}`)
  const wrapped = ((frame % framesPerDay) + framesPerDay) % framesPerDay
  const name = dropFrame ? dropNumbers(wrapped, nominal) : wrapped
  const frames = name % nominal
  const seconds = (name - frames) / nominal
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  const shownFrames = nominal > 100 ? String(frames).padStart(3, '0') : two(frames)
  return `${two(hours)}:${two(minutes)}:${two(seconds % 60)}${dropFrame ? ';' : ':'}${shownFrames}`
}

const strict = /^(\d\d):(\d\d):(\d\d)[:;.,](\d{2,3})$/

/**
 * The frame that a SMPTE name means; null for a name that does not exist (25 frames at 25 fps, a
 * dropped number, 24 h or more). The separator before the frames does not matter: the format rules.
 */
export function parseTimecode(text: string, format: TimecodeFormat): number | null {
  const match = strict.exec(text)
  if (!match) return null
  const hours = Number(match[1])
  const minutes = Number(match[2])
  const seconds = Number(match[3])
  const frames = Number(match[4])
  if (hours > 23 || minutes > 59 || seconds > 59 || frames >= format.nominal) return null
  if (isDropped({ minutes, seconds, frames }, format)) return null
  return frameOf({ hours, minutes, seconds, frames }, format)
}

/**
 * Source timecodes come from cameras and muxers that write dropped numbers now and then: such a
 * name is taken as the next one that exists.
 */
export function parseSourceTimecode(text: string, format: TimecodeFormat): number | null {
  const exact = parseTimecode(text, format)
  if (exact !== null || !format.dropFrame) return exact
  const match = strict.exec(text)
  const frames = format.nominal / 15
  return match && Number(match[3]) === 0 && Number(match[4]) < frames
    ? parseTimecode(`${match[1]}:${match[2]}:00;${two(frames)}`, format)
    : null
}

/** The count of a frame's name: `nominal` to the second, dropped names included. */
export function numberOfFrame(frame: number, format: TimecodeFormat): number {
  return format.dropFrame ? dropNumbers(frame, format.nominal) : frame
}

/** The frame of such a number; a dropped one means the next that exists. */
export function frameOfNumber(number: number, format: TimecodeFormat): number {
  if (!format.dropFrame) return number
  const dropped = format.nominal / 15
  const minutes = Math.floor(number / (format.nominal * 60))
  const within = number % (format.nominal * 60)
  const existing = minutes % 10 !== 0 && within < dropped ? number - within + dropped : number
  return existing - dropped * (minutes - Math.floor(minutes / 10))
}

/** When a frame starts, in exact seconds after frame 0. */
export function frameTime(frame: number, rate: Rational): Rational {
  return divide(rational(frame), rate)
}

/** The frame on the screen at an exact time. */
export function frameAtTime(time: Rational, rate: Rational): number {
  return Number(floor(multiply(time, rate)))
}

/** The frame whose start lies nearest to an exact time. */
export function nearestFrame(time: Rational, rate: Rational): number {
  return Number(round(multiply(time, rate)))
}

function requireRate(text: string): Rational {
  const rate = parseRate(text)
  if (!rate) throw new RangeError(`Not a frame rate: ${text}`)
  return rate
}

/** A timecode as its numbers. */
export interface TimecodeParts {
  hours: number
  minutes: number
  seconds: number
  frames: number
}

function frameOf(parts: TimecodeParts, format: TimecodeFormat): number {
  const minutes = parts.hours * 60 + parts.minutes
  const number = (minutes * 60 + parts.seconds) * format.nominal + parts.frames
  if (!format.dropFrame) return number
  return number - (format.nominal / 15) * (minutes - Math.floor(minutes / 10))
}

function isDropped(parts: Omit<TimecodeParts, 'hours'>, format: TimecodeFormat): boolean {
  return (
    format.dropFrame &&
    parts.seconds === 0 &&
    parts.minutes % 10 !== 0 &&
    parts.frames < format.nominal / 15
  )
}

/** The count that the names show at a frame: the frame plus every number dropped before it. */
function dropNumbers(frame: number, nominal: number): number {
  const dropped = nominal / 15
  const perMinute = nominal * 60 - dropped
  const perTenMinutes = perMinute * 10 + dropped
  const tens = Math.floor(frame / perTenMinutes)
  const rest = frame % perTenMinutes
  // The first minute of ten is whole; the other nine lack their first numbers.
  const minutes = rest < nominal * 60 ? 0 : 1 + Math.floor((rest - nominal * 60) / perMinute)
  return frame + dropped * (tens * 9 + minutes)
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}

function ceiling(value: Rational): bigint {
  return -floor({ num: -value.num, den: value.den })
}
