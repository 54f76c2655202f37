/** How frames lie along the timeline: what the ruler names, and what stays put while it zooms. */
import { frameOfNumber, numberOfFrame } from '../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../domain/time/timecode.ts'

export interface View {
  width: number
  /** First frame in view; may be a fraction. */
  startFrame: number
  pixelsPerFrame: number
}

/** Frames, and how their timecode counts them: one by one, unless it says otherwise. */
interface Counted {
  frames: number
  startFrame: number
  format: TimecodeFormat
  countTo?: (frame: number) => number
  frameAt?: (count: number) => number
}

/** Room for a timecode and a gap. */
export const labelPixels = 96
/** Room for the second in which drop frame omits two names; with less, labels would overlap. */
const minRoom = 0.9 * labelPixels

const wholeSeconds = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]

/**
 * Frames that the ruler names, from just before the view to its end: whole seconds as the timecode
 * counts them, or parts that divide a second evenly, so that each second is named alike.
 */
export function rulerMarks(reel: Counted, view: View): number[] {
  const { format, countTo = same, frameAt = same } = reel
  const pace = reel.frames / Math.max(1, countTo(reel.frames))
  const step = rulerStep(view.pixelsPerFrame * pace, format.nominal)
  const from = reel.startFrame + countTo(Math.max(0, Math.floor(view.startFrame)))
  const last = Math.min(reel.frames, view.startFrame + view.width / view.pixelsPerFrame)
  const countOf = (number: number): number => frameOfNumber(number, format) - reel.startFrame
  const marks: number[] = []
  for (let number = floorTo(numberOfFrame(from, format), step); ; number += step) {
    const count = countOf(number)
    if (count < 0) continue
    const frame = frameAt(count)
    if (frame > last || count > countTo(reel.frames)) return marks
    // Where frames last longer than on average, names lie closer: every second one stays, or fewer.
    const room = (frameAt(countOf(number + step)) - frame) * view.pixelsPerFrame
    const isKept = room >= minRoom || (number / step) % Math.ceil(labelPixels / room) === 0
    if (isKept && frame !== marks.at(-1)) marks.push(frame)
  }
}

function same(frame: number): number {
  return frame
}

/** Timecode numbers from one label to the next: the fewest that leave each its room. */
export function rulerStep(pixelsPerFrame: number, nominal: number): number {
  const parts = Array.from({ length: nominal }, (_, index) => index + 1)
  const steps = [
    ...parts.filter((part) => part < nominal && nominal % part === 0),
    ...wholeSeconds.map((seconds) => seconds * nominal),
  ]
  return steps.find((step) => step * pixelsPerFrame >= labelPixels) ?? 3600 * nominal
}

/**
 * How far the view is scrolled after a zoom that leaves a frame where it is on the screen; one that
 * was out of sight comes to the middle.
 */
export function zoomedLeft(
  view: { left: number; width: number; frames: number },
  input: { frame: number; from: number; to: number },
): number {
  const before = input.frame * input.from - view.left
  const at = before >= 0 && before <= view.width ? before : view.width / 2
  const max = Math.max(0, view.frames * input.to - view.width)
  return Math.min(max, Math.max(0, input.frame * input.to - at))
}

/** The mark closest to a frame, if one is within reach; else the frame itself. */
export function nearest(marks: readonly number[], frame: number, reachFrames: number): number {
  let best = frame
  let bestGap = Math.max(0, reachFrames)
  for (const mark of marks) {
    const gap = Math.abs(mark - frame)
    if (gap > bestGap || gap === 0) continue
    best = mark
    bestGap = gap
  }
  return marks.includes(frame) ? frame : best
}

function floorTo(value: number, step: number): number {
  return Math.floor(value / step) * step
}
