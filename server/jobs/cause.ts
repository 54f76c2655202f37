import type { RefusalCode } from '../../contract/refusal.ts'

/** Why an extractor or a job failed or was skipped, as the user reads it. */
export interface Cause {
  code: RefusalCode
  message: string
}
