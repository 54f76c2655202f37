/**
 * Finds one sound in another.
 *
 *  1. A few long windows of the shorter item are looked for everywhere in the longer one
 *     (`searchEverywhere`). Each gives its highest peaks; those that lie on one line support each
 *     other (`rankAnchors`).
 *  2. Around an anchor many short windows are compared, and their correlations are summed along
 *     every line through it (`sumAlongLines`): clocks that differ by some ppm shift the windows
 *     against each other, and chance does not follow a line. The height of the best line decides
 *     whether the two belong together.
 *  3. Along that line windows of the whole overlap give the drift, by a robust line through their
 *     peaks. Their sum gives the offset: the first strong peak, not the highest
 *     (`findDirectSound`), since an echo may be louder than the direct sound.
 *
 * A line says: a sample t of the second item sounds at `offset + t · stretch` of the first.
 */
import { correlateNear, searchEverywhere } from './correlate.ts'
import type { Stretch } from './correlate.ts'
import { findDirectSound } from './direct-sound.ts'
import { fitLine } from './fit-line.ts'
import { levelsPerSecond, soundRate } from './sound.ts'
import type { Sound } from './sound.ts'

export interface Match {
  /** Second of the first item at which the second begins. */
  offset: number
  /** How much slower the second clock is, in millionths; null where the overlap is too short. */
  driftPpm: number | null
  /** Height of the highest peak, in multiples of the noise. */
  height: number
  /** Height of the second peak as a share (0 to 1) of the highest. */
  next: number
  /** Heights around the offset as parts of the highest, `curveStep` apart. */
  curve: number[]
}

/**
 * A match must peak higher than unrelated sounds ever do (docs/decisions/0091-sync-by-sound.md).
 */
export const minPeakOverNoise = 8
/** Lower if a timecode narrows the search: fewer positions can match by chance. */
export const minPeakByTimecode = 6

const longWindow = 2 ** 16
const maxWindow = 2 ** 15
const minWindow = 0.8 * soundRate
/** Limits the weight of one window: a click of one room is like a click of any other. */
const maxOfWindow = 6
const maxDriftPpm = 150
/** How many long windows are looked for; more only where fewer gave no line. */
const rounds = [4, 8]
const anchorsTried = 5
/** A match so far above the noise needs no further search. */
const plainHeight = 12
const nearSamples = 600 * soundRate
const nearWindows = 24
const wholeWindows = 48
/** Peaks as far as this from a line belong to it, with their echoes. */
const lineReach = 0.03 * soundRate
const curveStep = 0.004
const curveReach = 0.2 * soundRate
/** Lags on either side that are looked at, so that the noise between the echoes is known. */
const noiseReach = 0.3 * soundRate
const minOverlapSamples = soundRate

interface Anchor {
  first: number
  second: number
  height: number
}

interface Line {
  offset: number
  stretch: number
  height: number
  /** How many samples of the second item it was drawn through. */
  span: number
}

export function matchSounds(
  first: Sound,
  second: Sound,
  options: { timecodeOffset?: number | undefined; signal?: AbortSignal | undefined } = {},
): Match {
  const { timecodeOffset, signal } = options
  const lines: Line[] = []
  if (timecodeOffset !== undefined) {
    const anchor = anchorAt(first, second, timecodeOffset * soundRate)
    // A timecode is right to a frame or two; its anchor may be that far off.
    if (anchor) lines.push(drawLine(first, second, anchor, 0.1 * soundRate))
  }
  for (const count of rounds) {
    if (lines.some(({ height }) => height >= plainHeight)) break
    const windows = spreadWindows(second, count)
    if (windows.length === 0) break
    const peaks = searchEverywhere(first, second, windows, signal)
    for (const anchor of rankAnchors(windows, peaks)) {
      signal?.throwIfAborted()
      if (lines.some((line) => isOn(line, anchor))) continue
      lines.push(drawLine(first, second, anchor, lineReach))
      if (lines.at(-1)!.height >= plainHeight) break
    }
    if (windows.length < count) break
  }
  lines.sort((a, b) => b.height - a.height)
  const [best, runnerUp] = lines
  if (!best) return { offset: 0, driftPpm: null, height: 0, next: 0, curve: [] }
  const exact = followLine(first, second, best)
  const other = runnerUp ? Math.min(1, runnerUp.height / best.height) : 0
  return { ...exact, next: Math.max(exact.next, other) }
}

/** Spreads long windows over an item; on a short one they overlap, to cover its ends too. */
function spreadWindows(sound: Sound, count: number): Stretch[] {
  const total = sound.samples
  const room = total - longWindow
  if (room <= 0 || total >= count * longWindow) {
    return pickWindows(sound, { start: 0, end: total }, count, longWindow)
  }
  const steps = Math.min(count, Math.ceil((2 * total) / longWindow) - 1) - 1
  return Array.from({ length: steps + 1 }, (_, index) => ({
    start: Math.floor((room * index) / Math.max(1, steps)),
    length: longWindow,
  }))
}

/** Stretches of equal length spread over a part of an item, each where its slot is loudest. */
function pickWindows(
  sound: Sound,
  part: { start: number; end: number },
  count: number,
  length: number,
): Stretch[] {
  const total = part.end - part.start
  if (total < minOverlapSamples) return []
  const size = Math.min(length, total)
  const slots = Math.max(1, Math.min(count, Math.floor(total / size)))
  const slot = total / slots
  return Array.from({ length: slots }, (_, index) => {
    const from = Math.floor(part.start + index * slot)
    const room = Math.max(0, Math.floor(slot - size))
    return { start: loudest(sound, { from, room, size }), length: Math.floor(size) }
  })
}

function loudest(
  { levels }: Sound,
  { from, room, size }: { from: number; room: number; size: number },
): number {
  const each = soundRate / levelsPerSecond
  let best = { start: from, sum: -1 }
  const step = Math.max(each, Math.floor(room / 16 / each) * each)
  for (let start = from; start <= from + room; start += step) {
    let sum = 0
    const end = Math.min(levels.length, Math.floor((start + size) / each))
    for (let at = Math.floor(start / each); at < end; at++) sum += Math.sqrt(levels[at]!)
    if (sum > best.sum * 1.02) best = { start, sum }
  }
  return best.start
}

/** Peaks that lie on a line with those of other windows come first. */
function rankAnchors(
  windows: readonly Stretch[],
  peaks: readonly { position: number; height: number }[][],
): Anchor[] {
  const all = windows.flatMap(({ start, length }, window) =>
    peaks[window]!.map(({ position, height }) => ({
      window,
      first: position + length / 2,
      second: start + length / 2,
      height,
    })),
  )
  const ranked = all.map((anchor) => {
    const supports = windows.map((_, window) => {
      if (window === anchor.window) return anchor.height ** 2
      const near = all.filter((other) => other.window === window && canFollow(anchor, other))
      return Math.max(0, ...near.map(({ height }) => height)) ** 2
    })
    const height = Math.sqrt(supports.reduce((sum, support) => sum + support, 0))
    return { anchor: { first: anchor.first, second: anchor.second, height: anchor.height }, height }
  })
  ranked.sort((a, b) => b.height - a.height || b.anchor.height - a.anchor.height)
  const kept: Anchor[] = []
  for (const { anchor } of ranked) {
    if (kept.length === anchorsTried) break
    if (!kept.some((other) => canFollow(other, anchor))) kept.push(anchor)
  }
  return kept
}

function canFollow(a: { first: number; second: number }, b: { first: number; second: number }) {
  const shift = Math.abs(b.first - a.first - (b.second - a.second))
  return shift <= (maxDriftPpm / 1e6) * Math.abs(b.second - a.second) + 0.03 * soundRate
}

function isOn(line: Line, anchor: Anchor): boolean {
  const off = Math.abs(line.offset + anchor.second * line.stretch - anchor.first)
  return line.height >= minPeakOverNoise && off < 0.3 * soundRate
}

/** The middle of the overlap that an offset would give. */
function anchorAt(first: Sound, second: Sound, offset: number): Anchor | null {
  const part = overlapOf(first, second, { offset, stretch: 1 })
  if (part.end - part.start < minOverlapSamples) return null
  const middle = (part.start + part.end) / 2
  return { first: offset + middle, second: middle, height: 0 }
}

/** The part of the second item, in its samples, that sounds while the first runs. */
function overlapOf(
  first: Sound,
  second: Sound,
  { offset, stretch }: { offset: number; stretch: number },
): { start: number; end: number } {
  const start = Math.max(0, Math.ceil(-offset / stretch))
  const end = Math.min(second.samples, Math.floor((first.samples - offset) / stretch))
  return { start, end: Math.max(start, end) }
}

interface Row {
  /** Sample of the second item, seen from the anchor. */
  from: number
  lags: Float64Array
}

/** The best line through an anchor, by windows within ten minutes of it. */
function drawLine(first: Sound, second: Sound, anchor: Anchor, reach: number): Line {
  const offset = anchor.first - anchor.second
  const all = overlapOf(first, second, { offset, stretch: 1 })
  const part = {
    start: Math.max(all.start, anchor.second - nearSamples),
    end: Math.min(all.end, anchor.second + nearSamples),
  }
  const windows = pickWindows(second, part, nearWindows, windowFor(part))
  const none = { offset, stretch: 1, height: 0, span: 0 }
  if (windows.length === 0) return none
  const furthest = Math.max(
    ...windows.map(({ start, length }) => Math.abs(start + length / 2 - anchor.second)),
  )
  const slack = Math.ceil(Math.max(noiseReach, reach + (furthest * maxDriftPpm) / 1e6))
  const rows = windows.flatMap((window) => {
    const position = offset + window.start
    const lags = correlateNear(first, second, { window, position, reach: slack, stretch: 1 })
    return lags ? [{ from: window.start + window.length / 2 - anchor.second, lags }] : []
  })
  const best = sumAlongLines(rows, { reach, furthest, maxPpm: maxDriftPpm })
  const stretch = 1 + best.ppm / 1e6
  return {
    offset: anchor.first + best.lag - anchor.second * stretch,
    stretch,
    height: best.height,
    span: furthest * 2,
  }
}

/** Six windows at least, where the overlap is long enough: one alone proves nothing. */
function windowFor(part: { start: number; end: number }): number {
  return Math.max(minWindow, Math.min(maxWindow, Math.floor((part.end - part.start) / 6)))
}

/** The highest sum of correlations along a line, over its slope and its place. */
function sumAlongLines(
  rows: readonly Row[],
  { reach, furthest, maxPpm }: { reach: number; furthest: number; maxPpm: number },
): { ppm: number; lag: number; height: number } {
  const best = { ppm: 0, lag: 0, height: 0 }
  if (rows.length === 0) return best
  const stepPpm = furthest > 0 ? Math.min(maxPpm, 0.75e6 / furthest) : maxPpm
  const steps = Math.floor(maxPpm / stepPpm)
  const wide = Math.floor(reach)
  const limit = (lag: number): number => Math.max(-maxOfWindow, Math.min(maxOfWindow, lag))
  const limited = rows.map(({ from, lags }) => ({ from, lags: lags.map(limit) }))
  for (let step = -steps; step <= steps; step++) {
    const ppm = step * stepPpm
    const sums = sumRows(limited, wide, ppm)
    for (let at = 0; at < sums.length; at++) {
      const height = Math.abs(sums[at]!)
      if (height > best.height) Object.assign(best, { ppm, lag: at - wide, height })
    }
  }
  best.height /= Math.sqrt(rows.length)
  return best
}

function sumRows(rows: readonly Row[], wide: number, ppm: number): Float64Array {
  const sums = new Float64Array(2 * wide + 1)
  for (const { from, lags } of rows) {
    const shift = ((lags.length - 1) >> 1) - wide + Math.round((from * ppm) / 1e6)
    for (let at = 0; at < sums.length; at++) sums[at]! += lags[at + shift] ?? 0
  }
  return sums
}

/** Drift and offset by windows of the whole overlap around a line that is nearly right. */
function followLine(first: Sound, second: Sound, line: Line): Match {
  const part = overlapOf(first, second, line)
  const windows = pickWindows(second, part, wholeWindows, windowFor(part))
  const middle = (part.start + part.end) / 2
  const furthest = Math.max(
    1,
    ...windows.map(({ start, length }) => Math.abs(start + length / 2 - middle)),
  )
  // The slope was found to a sample or two at the ends of the span that it was drawn through.
  const maxPpm = line.span > 0 ? 4e6 / line.span : 1
  const slack = Math.ceil(curveReach + (furthest * maxPpm) / 1e6)
  const rows = windows.flatMap((window) => {
    const position = line.offset + window.start * line.stretch
    const lags = correlateNear(first, second, {
      window,
      position,
      reach: slack,
      stretch: line.stretch,
    })
    return lags ? [{ from: window.start + window.length / 2 - middle, lags }] : []
  })
  const drawn = sumAlongLines(rows, { reach: lineReach, furthest, maxPpm })
  const fitted = fitLine(rows.flatMap((row) => peakNear(row, drawn)))
  const ppm = fitted ? fitted.slope * 1e6 : drawn.ppm
  const sums = sumRows(rows, curveReach, ppm).map((sum) => Math.abs(sum) / Math.sqrt(rows.length))
  const top = highest(sums, curveReach - lineReach, curveReach + lineReach) - curveReach
  // The fitted line is exact below a sample, where it followed the highest peak.
  const exact = fitted && Math.abs(fitted.at - top) < 2 ? fitted.at : top
  const stretch = line.stretch * (1 + ppm / 1e6)
  // No line beyond the limit was tried, so the steepest of them may be far from the true one.
  const driftPpm = (stretch - 1) * 1e6
  const highestAt = line.offset + middle * line.stretch + exact - middle * stretch
  const heightAt = (lag: number): number => {
    const at = curveReach + Math.round(exact) + lag
    return Math.max(...sums.subarray(Math.max(0, at - 2), at + 3))
  }
  const aligned = { offset: highestAt, stretch, ...part }
  const direct = findDirectSound(first, second, aligned, heightAt)
  const offset = highestAt + direct
  return {
    offset: offset / soundRate,
    driftPpm: fitted?.isSure && Math.abs(driftPpm) <= maxDriftPpm ? driftPpm : null,
    height: line.height,
    next: nextOf(sums, curveReach + Math.round(exact)),
    curve: curveOf(sums),
  }
}

/** The peak of one window next to the line, between samples. */
function peakNear(row: Row, line: { ppm: number; lag: number }): { x: number; y: number }[] {
  const middle = (row.lags.length - 1) >> 1
  const expected = middle + Math.round(line.lag + (row.from * line.ppm) / 1e6)
  const near = 8
  const top = highest(row.lags.map(Math.abs), expected - near, expected + near)
  const height = Math.abs(row.lags[top] ?? 0)
  if (height < 4.5) return []
  const [before, after] = [Math.abs(row.lags[top - 1] ?? 0), Math.abs(row.lags[top + 1] ?? 0)]
  const bend = before - 2 * height + after
  const part = bend < 0 ? (0.5 * (before - after)) / bend : 0
  return [{ x: row.from, y: top - middle + part }]
}

function highest(values: Float64Array, from: number, to: number): number {
  let top = Math.max(0, Math.round(from))
  for (let at = top; at <= Math.min(values.length - 1, Math.round(to)); at++) {
    if (values[at]! > values[top]!) top = at
  }
  return top
}

/** The highest peak that is no echo of the best one, as a part of it. */
function nextOf(sums: Float64Array, top: number): number {
  const away = 0.06 * soundRate
  const others = sums.filter((_, at) => Math.abs(at - top) > away)
  return Math.min(1, others.reduce((max, sum) => Math.max(max, sum), 0) / (sums[top] ?? 1))
}

function curveOf(sums: Float64Array): number[] {
  const each = curveStep * soundRate
  const top = Math.max(1e-9, ...sums)
  return Array.from({ length: Math.floor(sums.length / each) }, (_, index) => {
    const part = sums.subarray(index * each, (index + 1) * each)
    return Math.round((Math.max(...part) / top) * 1000) / 1000
  })
}
