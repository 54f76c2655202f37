/** Frames of a cut's clips in the clips' own timecode, as exports name them. */
import type { CutSource } from '../../../contract/footage/cuts.ts'
import { sourceClock } from '../../../domain/cuts/cut-times.ts'
import { sourceNames } from '../../../domain/time/source-timecode.ts'
import type { SourceNames } from '../../../domain/time/source-timecode.ts'
import { toTimecode } from '../../../domain/time/timecode.ts'

type Named = Pick<CutSource, 'content_id' | 'media' | 'frame_times'>

export function namesOfSource(source: Named): SourceNames {
  return sourceNames(source.media, source.frame_times && sourceClock(source))
}

export function sourceTime(source: Named, frame: number): string {
  const { format, startFrame, countTo } = namesOfSource(source)
  return toTimecode(startFrame + countTo(frame), format)
}
