/** The passage that is being marked, before it becomes a select. */
export interface Marks {
  inFrame: number | null
  /** The first frame that no longer belongs. */
  outFrame: number | null
}

export const noMarks: Marks = { inFrame: null, outFrame: null }

/** The marked range as the timeline shows it: up to the clip's edge where one end is open. */
export function markedRange(
  { inFrame, outFrame }: Marks,
  frames: number,
): { start: number; end: number } | null {
  if (inFrame === null && outFrame === null) return null
  return { start: inFrame ?? 0, end: outFrame ?? frames }
}

/** An out point at or before the new in point belongs to another passage. */
export function markIn(marks: Marks, frame: number): Marks {
  const { outFrame } = marks
  return { inFrame: frame, outFrame: outFrame !== null && outFrame <= frame ? null : outFrame }
}

/**
 * The frame on the screen is the last one, except on a cut to land on: that frame is the next
 * shot's already, and the passage ends before it.
 */
export function markOut(marks: Marks, frame: number, snapFrames: readonly number[]): Marks {
  const { inFrame } = marks
  const endsBefore = frame > 0 && frame !== inFrame && snapFrames.includes(frame)
  const outFrame = endsBefore ? frame : frame + 1
  return { inFrame: inFrame !== null && inFrame >= outFrame ? null : inFrame, outFrame }
}
