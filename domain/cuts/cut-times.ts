/**
 * Where the ranges of a cut lie on its timeline. The screen, the player and every export use this,
 * so that they agree on each frame.
 *
 * A range becomes one event for each span between removed words. An event is as long as
 * its source frames last, to the nearest frame of the cut and at least one; at the source's own
 * rate that is frame for frame.
 */
import type { CutRange, CutTimeline, FrameSize, FrameSpan, SourceTiming } from './cut.ts'
import type { Media } from '../findings/findings.ts'
import { uprightSize } from './frame-size.ts'
import {
  compare,
  divide,
  floor,
  multiply,
  parseRational,
  rational,
  round,
  subtract,
} from '../time/rational.ts'
import type { Rational } from '../time/rational.ts'
import { audioRate } from '../time/source-times.ts'
import {
  canDropFrame,
  frameAtTime,
  parseRate,
  parseTimecode,
  timecodeFormat,
} from '../time/timecode.ts'
import type { TimecodeFormat } from '../time/timecode.ts'

export interface CutEvent {
  rangeId: string
  /** Index of the range in the cut's list. */
  rangeIndex: number
  contentId: string
  /** Frames of the source. */
  in: number
  out: number
  /** Frames of the cut, from its first. */
  recordIn: number
  recordOut: number
}

export function cutFormat(cut: Pick<CutTimeline, 'frame_rate' | 'drop_frame'>): TimecodeFormat {
  const rate = parseRate(cut.frame_rate) ?? rational(25)
  return timecodeFormat(rate, cut.drop_frame && canDropFrame(rate))
}

/** The timecode of the cut's first frame, as a frame number. */
export function cutStart(
  cut: Pick<CutTimeline, 'frame_rate' | 'drop_frame' | 'start_timecode'>,
): number {
  return parseTimecode(cut.start_timecode, cutFormat(cut)) ?? 0
}

/** The cut's own size, or that of the first clip that it shows; null where it shows none. */
export function cutSize(
  cut: Pick<CutTimeline, 'frame_size' | 'ranges'>,
  sources: readonly Pick<SourceTiming, 'content_id' | 'media'>[],
): FrameSize | null {
  if (cut.frame_size) return cut.frame_size
  const known = new Map(sources.map(({ content_id: id, media }) => [id, media]))
  for (const range of cut.ranges) {
    const media = range.disabled ? undefined : known.get(range.content_id)
    const size = media?.kind === 'video' ? uprightSize(media) : null
    if (size) return size
  }
  return null
}

/** The rate that a source counts its frames at; media without a picture has 25. */
export function sourceRate({ media }: Pick<SourceTiming, 'media'>): Rational {
  return parseRational(media.frame_rate ?? audioRate)!
}

/** Number of frames of a source in which a range can lie. */
export function sourceFrames(media: Media): number {
  if (media.kind === 'video') return media.frames
  const duration = parseRational(media.duration_time) ?? rational(0)
  return Math.max(1, frameAtTime(duration, parseRational(audioRate)!))
}

/** When each frame of a source starts, in exact seconds after its first. */
export function sourceClock(source: SourceTiming): SourceClock {
  const rate = sourceRate(source)
  const known = source.frame_times
  const time =
    !known || known.length < 2
      ? (frame: number) => divide(rational(frame), rate)
      : (frame: number) => between(known, frame)
  return Object.assign(time, { end: time(sourceFrames(source.media)) })
}

export interface SourceClock {
  (frame: number): Rational
  /** When its last frame ends. */
  end: Rational
}

/** The kept spans of a range, in order of time. */
export function keptSpans(range: Pick<CutRange, 'in' | 'out' | 'removed'>): FrameSpan[] {
  const kept: FrameSpan[] = []
  let from = range.in
  for (const span of range.removed.toSorted((a, b) => a.in - b.in)) {
    if (span.in > from) kept.push({ in: from, out: Math.min(span.in, range.out) })
    from = Math.max(from, span.out)
    if (from >= range.out) break
  }
  if (from < range.out) kept.push({ in: from, out: range.out })
  return kept
}

/** All events of the enabled ranges, one after another without a gap. */
export function cutEvents(
  cut: Pick<CutTimeline, 'frame_rate' | 'ranges'>,
  sources: readonly SourceTiming[],
): CutEvent[] {
  const rate = parseRate(cut.frame_rate) ?? rational(25)
  const clocks = new Map(sources.map((source) => [source.content_id, sourceClock(source)]))
  const events: CutEvent[] = []
  let record = 0
  for (const [rangeIndex, range] of cut.ranges.entries()) {
    const clock = clocks.get(range.content_id)
    if (range.disabled || !clock) continue
    for (const span of keptSpans(range)) {
      const recordIn = record
      record += spanFrames(rate, clock, span)
      const { id: rangeId, content_id: contentId } = range
      events.push({ rangeId, rangeIndex, contentId, ...span, recordIn, recordOut: record })
    }
  }
  return events
}

/** Frames of the cut, without its disabled ranges and removed words. */
export function cutFrames(
  cut: Pick<CutTimeline, 'frame_rate' | 'ranges'>,
  sources: readonly SourceTiming[],
): number {
  return cutEvents(cut, sources).at(-1)?.recordOut ?? 0
}

/** The event that shows a frame of the cut; none after its end. */
export function eventAt(events: readonly CutEvent[], frame: number): CutEvent | undefined {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((events[middle]?.recordOut ?? 0) > frame) high = middle
    else low = middle + 1
  }
  const event = events[low]
  return event && event.recordIn <= frame ? event : undefined
}

/** The source frame on the screen at a frame of the cut. */
export function sourceFrameAt(
  event: CutEvent,
  place: { frame: number; rate: Rational; source: SourceTiming },
): number {
  const clock = sourceClock(place.source)
  const start = clock(event.in)
  const since = divide(rational(place.frame - event.recordIn), place.rate)
  const at = rational(start.num * since.den + since.num * start.den, start.den * since.den)
  let [low, high] = [event.in, Math.max(event.in, event.out - 1)]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (compare(clock(middle), at) <= 0) low = middle
    else high = middle - 1
  }
  return low
}

interface TimedCut {
  cut: Pick<CutTimeline, 'frame_rate' | 'ranges'>
  sources: readonly SourceTiming[]
}

/**
 * A function that tells where a frame of one version plays in another: the same source frame, in
 * the same range if that still shows it. Null where it is no longer in the cut. Both versions are
 * laid out once, so that a thousand comments cost little more than one.
 */
export function followFrames(from: TimedCut, to: TimedCut): (frame: number) => number | null {
  const oldEvents = cutEvents(from.cut, from.sources)
  const oldSources = new Map(from.sources.map((source) => [source.content_id, source]))
  const oldRate = parseRate(from.cut.frame_rate) ?? rational(25)
  const newEvents = Map.groupBy(cutEvents(to.cut, to.sources), (event) => event.contentId)
  const clocks = new Map(to.sources.map((source) => [source.content_id, sourceClock(source)]))
  const rate = parseRate(to.cut.frame_rate) ?? rational(25)
  return (frame) => {
    const event = eventAt(oldEvents, frame)
    const source = event && oldSources.get(event.contentId)
    const clock = event && clocks.get(event.contentId)
    if (!event || !source || !clock) return null
    const shown = sourceFrameAt(event, { frame, rate: oldRate, source })
    const events = (newEvents.get(event.contentId) ?? []).filter(
      (event) => event.in <= shown && shown < event.out,
    )
    const own = events.find(({ rangeId }) => rangeId === event.rangeId) ?? events[0]
    if (!own) return null
    const since = multiply(subtract(clock(shown), clock(own.in)), rate)
    return Math.min(own.recordOut - 1, own.recordIn + Number(round(since)))
  }
}

/** Duration of a span of the source in frames of a rate. */
export function spanFrames(rate: Rational, clock: SourceClock, span: FrameSpan): number {
  const length = multiply(subtract(clock(span.out), clock(span.in)), rate)
  const left = multiply(subtract(clock.end, clock(span.in)), rate)
  // An editing system refuses a clip that outlasts its file by a part of a frame.
  return Math.max(1, Math.min(Number(round(length)), Number(floor(left))))
}

/** In a straight line between two known times, and on at the last known pace. */
function between(known: readonly (readonly [number, string])[], frame: number): Rational {
  let [low, high] = [0, known.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (known[middle]![0] >= frame) high = middle
    else low = middle + 1
  }
  const after = Math.max(1, low)
  const [fromFrame, fromText] = known[after - 1]!
  const [toFrame, toText] = known[after]!
  const [from, to] = [parseRational(fromText)!, parseRational(toText)!]
  const num =
    from.num * to.den * BigInt(toFrame - frame) + to.num * from.den * BigInt(frame - fromFrame)
  return rational(num, from.den * to.den * BigInt(toFrame - fromFrame))
}
