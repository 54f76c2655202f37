/** Parses the text that an editor types into a timecode field. */
import type { SourceNames } from './source-timecode.ts'
import { frameOfNumber } from './timecode.ts'
import type { TimecodeParts } from './timecode.ts'

export interface TypedContext {
  /** Position of the playhead, for `+10` and `-1:00`. */
  currentFrame: number
  /** Number of frames of the clip. */
  frames: number
}

/**
 * Parses typed text as a frame of the media (0 = first): `1:02:03.04`, digits filled from the right
 * (`1234` = 12 seconds 34), an empty group for zero (`5.` = 5 seconds), `+10` and `-1.00` from the
 * playhead, `300f` for plain frames. Too many frames or seconds carry over. A short entry that lies
 * before the start timecode counts from the start, a whole one that the clip reaches after midnight
 * belongs to the next day. Null: not a timecode. Outside of the media the answer is below 0 or
 * above `frames`; the caller refuses it or keeps it inside.
 */
export function typedFrame(text: string, names: SourceNames, context: TypedContext): number | null {
  const trimmed = text.trim()
  const sign = /^[+-]/.exec(trimmed)?.[0]
  const typed = typedParts(sign ? trimmed.slice(1).trim() : trimmed)
  if (!typed) return null
  const { nominal } = names.format
  const number = typed.frames + nominal * (typed.seconds + 60 * (typed.minutes + 60 * typed.hours))
  // One hour later in drop frame is one hour of names: the dropped numbers count in neither.
  const count = typed.groups > 1 ? frameOfNumber(number, names.format) : number
  const by = sign === '-' ? -count : count
  if (typed.groups === 0 || (sign && typed.groups === 1)) {
    return sign ? context.currentFrame + by : count
  }
  if (sign) return frameOfCount(names.countTo(context.currentFrame) + by, names, context)
  return frameOfCount(countFromStart(count, typed.groups, names, context), names, context)
}

/** A name as a count from frame 0. */
function countFromStart(
  name: number,
  groups: number,
  { format, startFrame, countTo }: SourceNames,
  { frames }: TypedContext,
): number {
  if (name >= startFrame) return name - startFrame
  if (groups < 4) return name
  const nextDay = name + format.framesPerDay - startFrame
  return nextDay <= countTo(frames) ? nextDay : name - startFrame
}

/** Several frames may have one name: the current one is not left for another of them. */
function frameOfCount(
  count: number,
  { countTo, frameAt }: SourceNames,
  { currentFrame, frames }: TypedContext,
): number {
  if (count < 0) return count
  if (count === countTo(currentFrame)) return currentFrame
  const last = countTo(frames)
  return count > last ? frames + count - last : frameAt(count)
}

/** `groups`: how many fields were typed; 0 means plain frames. */
function typedParts(text: string): (TimecodeParts & { groups: number }) | null {
  const plain = /^(\d{1,9})\s*f(?:r|rames?)?$/i.exec(text)
  if (plain) return { hours: 0, minutes: 0, seconds: 0, frames: Number(plain[1]), groups: 0 }
  if (/^\d{9,}$/.test(text)) return null
  const groups = /^\d+$/.test(text)
    ? (text.padStart(text.length + (text.length % 2), '0').match(/\d\d/g) ?? [])
    : text.split(/[:;.,\s]/)
  if (groups.length > 4 || !groups.every((group) => /^\d{0,9}$/.test(group))) return null
  if (groups.every((group) => group === '')) return null
  const [frames = 0, seconds = 0, minutes = 0, hours = 0] = groups.map(Number).reverse()
  return { hours, minutes, seconds, frames, groups: groups.length }
}
