/** Shot changes with their type and score, and what each shot is like. */
import { toNumber } from '../../domain/time/rational.ts'
import type { FindingsOf, ShotChange } from '../../domain/findings/findings.ts'
import { spanOf } from '../time/clock.ts'
import type { FrameClock } from '../time/clock.ts'
import { classifyShots } from '../shots/classify.ts'
import type { FrameRange } from '../shots/classify.ts'
import type { Detection } from '../shots/detector.ts'
import { changeThreshold } from '../shots/settle.ts'
import type { Change } from '../shots/settle.ts'
import type { Extractor } from './extractor.ts'
import { NoParams } from './extractor.ts'

/**
 * Threshold on the displayed scale, on which a score is the share of such cuts that are true. The
 * rules score too low in the middle: of the cuts at about .5, 57 in 100 were true
 * (docs/decisions/0060).
 */
const shownThreshold = 0.57

export const shotsExtractor: Extractor<'shots', NoParams> = {
  id: 'shots',
  version: '17',
  params: NoParams,
  requires: ['video'],
  needs: ['changes'],
  async run(signals) {
    const { changes: detection, clock } = signals
    if (!detection) throw new Error('The pass gave no pictures.')
    const { shots, black, freeze } = classifyShots(detection, toNumber(clock.rate))
    const spans = (ranges: FrameRange[]) =>
      ranges.map((range) => spanOf(clock, range.start, range.end))
    const findings: FindingsOf<'shots'> = {
      changes: believedChanges(clock, detection),
      candidates: detection.changes.map((change) => describe(clock, change)),
      threshold: shownThreshold,
      shots: shots.map((shot, index) => ({
        ...spanOf(clock, shot.start, shot.end),
        index,
        transition: shot.transition,
        ...(shot.blend
          ? { transition_range: spanOf(clock, shot.blend.start, shot.blend.end) }
          : {}),
        motion: shot.motion,
        motion_level: shot.motionLevel,
        black: shot.black,
        frozen: shot.frozen,
      })),
      black: spans(black),
      freeze: spans(freeze),
      flashes: spans(detection.flashes),
    }
    return await Promise.resolve(findings)
  },
}

/** The changes that are believed, in the contract's words. */
export function believedChanges(clock: FrameClock, detection: Detection): ShotChange[] {
  const believed = detection.changes.filter((change) => change.score >= changeThreshold)
  return believed.map((change) => describe(clock, change))
}

function describe(clock: FrameClock, change: Change): ShotChange {
  const span = spanOf(clock, change.start, change.end)
  return { ...span, type: change.type, score: shownScore(change.score) }
}

/**
 * Maps a score to the displayed scale by shifting its odds as the threshold's are shifted; rounding
 * never lifts a score over the threshold.
 */
function shownScore(score: number): number {
  const real = score * shownThreshold
  const shown = Math.round((real / (real + (1 - score) * (1 - shownThreshold))) * 1e4) / 1e4
  return score < changeThreshold ? Math.min(shown, shownThreshold - 1e-4) : shown
}
