import type { Context } from '../ground/context.ts'
import type { ClaimedJob } from './claim.ts'

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
  // Of a film that is taken apart, and of its parts.
  'parts-written',
  'parts-placed',
  'parts-judged-written',
  'parts-judged',
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

/** One run of a claimed job, under its fence. */
export interface Attempt {
  ctx: Context
  job: ClaimedJob
  workDir: string
  step: (step: Step, pid?: number) => Promise<void>
  /** Seconds to charge for, once the media was decoded. */
  measuredSeconds?: number
}
