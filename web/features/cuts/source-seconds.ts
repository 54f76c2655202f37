/** Durations within a cut's clips, exact even at a variable frame rate. */
import type { CutSource } from '../../../contract/footage/cuts.ts'
import type { FrameSpan, SourceTiming } from '../../../domain/cuts/cut.ts'
import { sourceClock, sourceRate } from '../../../domain/cuts/cut-times.ts'
import { parseRational, subtract, toNumber } from '../../../domain/time/rational.ts'
import { audioRate } from '../../../domain/time/source-times.ts'

/** Duration of a frame range of a source; an unknown source is counted as sound. */
export function spanSeconds(source: SourceTiming | undefined, span: FrameSpan): number {
  if (!source) return (span.out - span.in) / toNumber(parseRational(audioRate)!)
  const clock = sourceClock(source)
  return toNumber(subtract(clock(span.out), clock(span.in)))
}

/** The frame that starts closest to `seconds` after `from`. */
export function frameAfter(
  source: SourceTiming & Pick<CutSource, 'frames'>,
  from: number,
  seconds: number,
): number {
  if (!source.frame_times) return from + Math.round(seconds * toNumber(sourceRate(source)))
  const clock = sourceClock(source)
  const wanted = toNumber(clock(from)) + seconds
  const at = (frame: number): number => toNumber(clock(frame))
  let [low, high] = [0, source.frames]
  while (low < high) {
    const middle = (low + high) >> 1
    if (at(middle) < wanted) low = middle + 1
    else high = middle
  }
  return low > 0 && wanted - at(low - 1) < at(low) - wanted ? low - 1 : low
}
