/** How frames lie along the timeline: what the ruler names, and what stays put while it zooms. */
import { frameOfNumber, numberOfFrame } from '../../contract/timecode.ts'
import type { TimecodeFormat } from '../../contract/timecode.ts'

export interface View {
  width: number
  /** First frame in view; may be a fraction. */
  startFrame: number
  pixelsPerFrame: number
}

/** Room for a timecode and a gap. */
export const labelPixels = 96

const wholeSeconds = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]

/**
 * Frames that the ruler names, from just before the view to its end: whole seconds as the timecode
 * counts them, or parts that divide a second evenly, so that each second is named alike.
 */
export function rulerMarks(
  reel: { frames: number; startFrame: number; format: TimecodeFormat },
  view: View,
): number[] {
  const { format } = reel
  const step = rulerStep(view.pixelsPerFrame, format.nominal)
  const from = reel.startFrame + Math.max(0, Math.floor(view.startFrame))
  const last = Math.min(reel.frames, view.startFrame + view.width / view.pixelsPerFrame)
  const marks: number[] = []
  for (let number = floorTo(numberOfFrame(from, format), step); ; number += step) {
    const frame = frameOfNumber(number, format) - reel.startFrame
    if (frame > last) return marks
    if (frame >= 0) marks.push(frame)
  }
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
  const most = Math.max(0, view.frames * input.to - view.width)
  return Math.min(most, Math.max(0, input.frame * input.to - at))
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
