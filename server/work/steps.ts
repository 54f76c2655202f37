import type { Context } from '../ground/context.ts'
import type { Claim, ClaimedJob } from './claim.ts'

/** Named points of an attempt; the proof of `prove:jobs` kills the process at each of them. */
export const steps = [
  'claimed',
  'fetched',
  'running',
  'analysis-started',
  'progress-kept',
  'result-arrived',
  'files-announced',
  'files-stored',
  'result-written',
  'result-kept',
  'analysis-over',
  'end-begun',
  'end-written',
  'ended',
  'cleaned',
  // Only films and their parts reach the following steps.
  'parts-written',
  'parts-placed',
  'frames-analysed-written',
  'frames-analysed',
  'part-claimed',
  'part-fetched',
  'part-started',
  'part-measured',
  'part-stored',
  'part-written',
  'part-ended',
  'part-cleaned',
] as const
export type Step = (typeof steps)[number]

/** One run of a claim, under its fence. */
export interface Attempt {
  ctx: Context
  claim: Claim
  job: ClaimedJob
  workDir: string
  /** The worker stops, or the claim is no longer its own. */
  signal: AbortSignal
  step: (step: Step, pid?: number) => Promise<void>
  /** Seconds to charge for, once the media was decoded. */
  measuredSeconds?: number
}
