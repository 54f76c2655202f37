/** The clock on which the items of a sync lie, in seconds and in timecode. */
import { parseRational, rational, toNumber } from '../../../domain/time/rational.ts'
import type { Rational } from '../../../domain/time/rational.ts'
import { firstFrameIn } from '../../../domain/time/source-timecode.ts'
import { audioRate } from '../../../domain/time/source-times.ts'
import type { Sync, SyncItem } from '../../../contract/footage/syncs.ts'
import {
  canDropFrame,
  countedRate,
  parseRate,
  timecodeFormat,
  toTimecode,
} from '../../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'

export interface Placements {
  sync: Sync
  /** Second of the group's clock at which an item begins; null: not placed. */
  offsetOf: (item: SyncItem) => number | null
  /** Seconds of the group's clock for each second of an item. */
  stretchOf: (item: SyncItem) => number
}

export function secondsOf(fraction: string | null): number | null {
  const exact = fraction === null ? null : parseRational(fraction)
  return exact ? toNumber(exact) : null
}

/** Frames a second of the first picture, on which everything is counted. */
export function rateOf(sync: Sync): number {
  return toNumber(exactRate(sync))
}

function exactRate(sync: Sync): Rational {
  const rate = parseRate(seenItem(sync)?.media.frame_rate ?? audioRate)
  return rate ? countedRate(rate) : rational(25)
}

function seenItem(sync: Sync): SyncItem | undefined {
  return sync.items.find(({ media }) => media.kind === 'video' && media.frame_rate)
}

/** +00:00:06:02.4, with tenths of a frame. */
export function offsetText(seconds: number, rate: number): string {
  const tenths = Math.round(Math.abs(seconds) * rate * 10)
  const sign = tenths === 0 ? '' : seconds < 0 ? '−' : '+'
  const format = timecodeFormat(String(Math.round(rate)), false)
  return `${sign}${toTimecode(Math.floor(tenths / 10), format)}.${tenths % 10}`
}

interface Span {
  start: number
  end: number
}

/** Where an item runs on the group's clock. */
export function spanOf(
  item: SyncItem,
  { offset, stretch }: { offset: number; stretch: number },
): Span {
  return { start: offset, end: offset + item.media.duration * stretch }
}

/** The seconds of an item that its proxy holds, which may be of a part of it; all without one. */
export function playedSpan({
  media,
  pictures: { proxy },
}: Pick<SyncItem, 'media' | 'pictures'>): Span {
  const rate = proxy && parseRate(proxy.frame_rate)
  if (!proxy || !rate) return { start: 0, end: media.duration }
  const perSecond = toNumber(rate)
  const start = proxy.start_frame / perSecond
  // Sound may go on behind the last frame of a whole clip.
  const isToEnd = proxy.start_frame + proxy.frames >= media.frames
  return { start, end: isToEnd ? media.duration : start + proxy.frames / perSecond }
}

/** Where placed and guessed items lie, with the stretches that all placed ones share. */
export function clockOf({ sync, offsetOf, stretchOf }: Placements, group: number) {
  const placed = sync.items.flatMap((item) => {
    const offset = offsetOf(item)
    return item.group === group && offset !== null
      ? [spanOf(item, { offset, stretch: stretchOf(item) })]
      : []
  })
  // Where nothing is placed, the clock is as long as the longest item.
  const lengths = placed.length === 0 ? sync.items.map(({ media }) => media.duration) : []
  const start = Math.min(0, ...placed.map((span) => span.start))
  const end = Math.max(1, ...placed.map((span) => span.end), ...lengths)
  return { start, end, common: commonSpan(placed) }
}

function commonSpan(spans: readonly Span[]): Span | null {
  if (spans.length === 0) return null
  const start = Math.max(...spans.map((span) => span.start))
  const end = Math.min(...spans.map((span) => span.end))
  return end > start ? { start, end } : null
}

/**
 * Second of the clock at which an item probably begins. It was measured against another item, so it
 * means nothing without a reference, nor against one of several that a person chose.
 */
export function guessOf(sync: Sync, item: SyncItem): number | null {
  const reference = sync.items.find((other) => other.reference)
  const isMeant = reference && (reference.method !== 'hand' || sync.items.length === 2)
  return isMeant ? secondsOf(item.found_offset) : null
}

/** Where an item can be put by hand. Without a reference the first one becomes it. */
export function placesFor(
  sync: Sync,
  item: SyncItem,
  at: number,
): { label: string; offset: number }[] {
  if (!sync.items.some((other) => other.reference)) {
    return [{ label: 'As the reference', offset: 0 }]
  }
  const rate = rateOf(sync)
  const timecode = secondsOf(item.timecode_offset)
  const place = (words: string, offset: number | null) =>
    offset === null ? [] : [{ label: `${words}, ${offsetText(offset, rate)}`, offset }]
  return [
    ...place('At the playhead', at),
    ...place('At the best guess', guessOf(sync, item)),
    ...place('By its timecode', timecode),
  ]
}

/** The reference first; each keeps the number of its angle. */
export function tracksOf(sync: Sync): { item: SyncItem; number: number }[] {
  return sync.items
    .map((item, index) => ({ item, number: index + 1 }))
    .toSorted((a, b) => Number(b.item.reference) - Number(a.item.reference))
}

/** The clock in timecode: that of the group's reference, or of the item that has one. */
export function rulerOf(
  placing: Placements,
  group: number,
  rate: number,
): { format: TimecodeFormat; startFrame: number } {
  const seen = seenItem(placing.sync)?.media
  const isFlagged = seen?.drop_frame ?? false
  const exact = exactRate(placing.sync)
  const format = timecodeFormat(exact, isFlagged && canDropFrame(exact))
  const { start } = clockOf(placing, group)
  const witness = tracksOf(placing.sync).find(
    ({ item }) => item.group === group && item.media.start_timecode,
  )?.item
  const offset = witness ? placing.offsetOf(witness) : null
  if (!witness || offset === null) return { format, startFrame: 0 }
  // Each clip counts in its own way; the ruler as the timeline that is exported.
  const known = firstFrameIn(witness.media, format)
  return { format, startFrame: Math.max(0, known + Math.round((start - offset) * rate)) }
}

/** A second of the group's clock as timecode. */
export function clockTimecode(
  placing: Placements,
  group: number,
  rate: number,
  second: number,
): string {
  const { format, startFrame } = rulerOf(placing, group, rate)
  const { start } = clockOf(placing, group)
  return toTimecode(startFrame + Math.max(0, Math.round((second - start) * rate)), format)
}

export function lengthText(seconds: number): string {
  const whole = Math.floor(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
