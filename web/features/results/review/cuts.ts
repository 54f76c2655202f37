/** Shots as the threshold cuts them, by the same rule as the exports, and marks to jump to. */
import type { FindingsOf, Media } from '../../../../domain/findings/findings.ts'
import { analysedFrames, recutChanges, shotFrames } from '../../../../domain/findings/recut.ts'

export interface ShotRange {
  index: number
  startFrame: number
  endFrame: number
  transition: string
  /** The frames that blend, where it does not begin with a cut; its first frame is their middle. */
  blend: { startFrame: number; endFrame: number } | null
}

export function cutShots(
  detected: FindingsOf<'shots'> | undefined,
  media: Media,
  threshold: number | null,
): ShotRange[] {
  if (!detected) return []
  const changes = recutChanges(detected, { threshold: threshold ?? undefined }, (frame) => {
    throw new RangeError(`No frame was added by hand: ${frame}`)
  })
  return shotFrames(changes, analysedFrames(detected, media.frames)).map(({ change, ...shot }) => ({
    index: shot.index,
    startFrame: shot.start_frame,
    endFrame: shot.end_frame,
    transition: shot.transition,
    blend:
      change && change.type !== 'cut'
        ? { startFrame: change.start_frame, endFrame: change.end_frame }
        : null,
  }))
}

/** The nearest mark before or after a frame. */
export function neighbour(
  marks: readonly number[],
  frame: number,
  direction: 1 | -1,
): number | null {
  const sorted = [...marks].sort((a, b) => (a - b) * direction)
  return sorted.find((mark) => (mark - frame) * direction > 0) ?? null
}
