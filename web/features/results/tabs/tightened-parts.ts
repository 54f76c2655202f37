import type { Review } from '../../../../contract/footage/review.ts'
import type { Span } from '../../../../domain/findings/findings.ts'
import { tightenedRanges } from '../../../../domain/findings/tighten.ts'
import { toTimecode } from '../../../../domain/time/timecode.ts'
import type { Reel } from '../viewer/reel.ts'
import type { Passage } from '../viewer/playhead.ts'

export type Tighten = NonNullable<Review['tighten']>

export interface TightenedParts {
  /** In frames of the clip. */
  parts: Passage[]
  /** How long all of them are, and the whole clip, as timecodes. */
  length: string
  whole: string
}

/** The parts that an export holds: cut on its grid, and played by the clip's own frames. */
export function tightenedParts(
  detected: { removals: readonly Span[]; words: readonly Span[] | undefined },
  { grid, format, frames, frameAt }: Reel,
  { handle_frames: handleFrames, min_part_frames: minPartFrames }: Tighten,
): TightenedParts {
  const kept = tightenedRanges(detected, grid, { handleFrames, minPartFrames })
  const count = kept.reduce((sum, { start, end }) => sum + end - start, 0)
  return {
    parts: kept.map(({ start, end }) => ({
      startFrame: frameAt(start),
      endFrame: end < grid.frames ? frameAt(end) : frames,
    })),
    length: toTimecode(count, format),
    whole: toTimecode(grid.frames, format),
  }
}
