/** Changes between shots added, removed, moved and retyped. */
import type { Corrections } from '../../../../domain/findings/corrections.ts'
import type { FindingsOf, ShotChange } from '../../../../domain/findings/findings.ts'
import { editFrame } from '../../../../domain/findings/recut.ts'

export type ChangeType = ShotChange['type']
type Shots = FindingsOf<'shots'>

export interface ChangeRange {
  startFrame: number
  endFrame: number
  type: ChangeType
}

/** How long a change becomes that was a cut. */
const gradualFrames = 12

export function splitShot(corrections: Corrections, detected: Shots, frame: number): Corrections {
  return withChange(corrections, detected, { startFrame: frame, endFrame: frame, type: 'cut' })
}

/** The shots on both sides become one. */
export function removeChange(
  corrections: Corrections,
  detected: Shots,
  { startFrame }: Pick<ChangeRange, 'startFrame'>,
): Corrections {
  const { removed, added } = corrections.shots
  const others = added.filter((item) => item.start_frame !== startFrame)
  const isFound = detected.candidates.some((item) => item.start_frame === startFrame)
  return {
    ...corrections,
    shots: {
      removed: isFound && !removed.includes(startFrame) ? [...removed, startFrame] : removed,
      added: others,
    },
  }
}

/** Moves where two shots meet; a gradual change keeps its length. */
export function moveChange(
  corrections: Corrections,
  detected: Shots,
  { change, frame, frames }: { change: ChangeRange; frame: number; frames: number },
): Corrections {
  const length = change.endFrame - change.startFrame
  const startFrame = Math.max(1, frame - (length >> 1))
  const endFrame = Math.min(frames - 1, startFrame + length)
  const without = removeChange(corrections, detected, change)
  return withChange(without, detected, { ...change, startFrame, endFrame })
}

export function retypeChange(
  corrections: Corrections,
  detected: Shots,
  { change, type, frames }: { change: ChangeRange; type: ChangeType; frames: number },
): Corrections {
  const without = removeChange(corrections, detected, change)
  const middle = editFrame({ start_frame: change.startFrame, end_frame: change.endFrame })
  if (type === 'cut') {
    return withChange(without, detected, { startFrame: middle, endFrame: middle, type })
  }
  const isCut = change.endFrame === change.startFrame
  const half = gradualFrames / 2
  const range = isCut
    ? { startFrame: Math.max(1, middle - half), endFrame: Math.min(frames - 1, middle + half) }
    : change
  return withChange(without, detected, { ...range, type })
}

/** Between these frames the changes are again as they were found. */
export function revertChanges(
  corrections: Corrections,
  { startFrame, endFrame }: { startFrame: number; endFrame: number },
): Corrections {
  const { removed, added } = corrections.shots
  const isOutside = (frame: number): boolean => frame <= startFrame || frame >= endFrame
  return {
    ...corrections,
    shots: {
      removed: removed.filter(isOutside),
      added: added.filter((item) => isOutside(item.start_frame)),
    },
  }
}

function withChange(
  corrections: Corrections,
  detected: Shots,
  { startFrame, endFrame, type }: ChangeRange,
): Corrections {
  const { removed, added } = corrections.shots
  const same = detected.changes.find(
    (item) => item.start_frame === startFrame && item.end_frame === endFrame && item.type === type,
  )
  const others = added.filter((item) => item.start_frame !== startFrame)
  return {
    ...corrections,
    shots: {
      removed: same ? removed.filter((frame) => frame !== startFrame) : removed,
      added: same
        ? others
        : [...others, { start_frame: startFrame, end_frame: endFrame, type }].toSorted(
            (a, b) => a.start_frame - b.start_frame,
          ),
    },
  }
}
