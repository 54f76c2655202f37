/** Shot changes with their type and score, and what each shot is like. */
import { toNumber } from '../../contract/rational.ts'
import * as z from 'zod'
import type { FindingsOf, ShotChange } from '../../contract/findings.ts'
import { spanOf } from '../time/clock.ts'
import type { FrameClock } from '../time/clock.ts'
import { classifyShots } from '../shots/classify.ts'
import type { FrameRange } from '../shots/classify.ts'
import type { Detection } from '../shots/detector.ts'
import { changeThreshold } from '../shots/settle.ts'
import type { Change } from '../shots/settle.ts'
import type { Extractor } from './extractor.ts'

const Params = z.strictObject({})
type Params = z.infer<typeof Params>

export const shotsExtractor: Extractor<'shots', Params> = {
  id: 'shots',
  version: '13',
  params: Params,
  requires: ['picture'],
  needs: ['changes'],
  async run(signals) {
    const { changes: detection, clock } = signals
    if (!detection) throw new Error('The pass gave no pictures.')
    const { shots, black, freeze } = classifyShots(detection, toNumber(clock.rate))
    const spans = (ranges: FrameRange[]) =>
      ranges.map((range) => spanOf(clock, range.start, range.end))
    const candidates = describeChanges(clock, detection)
    const findings: FindingsOf<'shots'> = {
      changes: candidates.filter((change) => change.score >= changeThreshold),
      candidates,
      threshold: changeThreshold,
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

/** Every scored change in the contract's words. */
export function describeChanges(clock: FrameClock, detection: Detection): ShotChange[] {
  return detection.changes.map((change) => describe(clock, change))
}

function describe(clock: FrameClock, change: Change): ShotChange {
  const span = spanOf(clock, change.start, change.end)
  return { ...span, type: change.type, score: Math.round(change.score * 1e4) / 1e4 }
}
