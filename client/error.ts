/** Errors, as a program and as a person need them. */
import { CallError } from '../contract/endpoint.ts'
import type { Job } from '../contract/footage/jobs.ts'

/** The service refused, failed, or could not be reached (`status` 0, `code` network). */
export class CutIndexError extends CallError {
  /** The next step for a person. */
  advice: string
  /** Name it when you ask for help. */
  requestId: string | undefined

  constructor({ status, body, retryAfterSeconds }: CallError) {
    super(status, body, retryAfterSeconds)
    this.name = 'CutIndexError'
    this.advice = adviceByCode[this.code] ?? adviceByStatus(status)
    this.requestId = body.request_id
  }
}

/** A job ended without findings: it failed, which costs nothing, or was canceled. */
export class JobFailed extends Error {
  job: Job

  constructor(job: Job) {
    super(job.error?.message ?? `The job was ${job.status}.`)
    this.name = 'JobFailed'
    this.job = job
  }
}

/** The same error with its advice; anything else as it is. */
export function withAdvice(error: unknown): unknown {
  return error instanceof CallError && !(error instanceof CutIndexError)
    ? new CutIndexError(error)
    : error
}

const adviceByCode: Partial<Record<CallError['code'], string>> = {
  network: 'Check the address of the service too, then try again.',
  unauthenticated: 'Create a new key under Profile, Security, API keys, and use that.',
  forbidden: 'Use a key whose scopes allow this, or do it on the site.',
  insufficient_credit: 'Buy credits on the site, choose fewer extractors or a shorter range.',
  spend_limit: 'Raise the limit in the profile, or wait until the next month begins.',
  not_found: 'Check the id. It may belong to another account or have been deleted.',
  duplicate: 'Use the item that is in the library already.',
  in_flight: 'Still processing; retry in 1 s.',
  idempotency_mismatch: 'Use a new Idempotency-Key for a new request.',
  limit_reached: 'Raise the limit on the site, or wait until the next period begins.',
  unsupported_source: 'Give a direct address of a media file, or upload the file.',
  fetch_failed: 'Check that the address is public and answers with the file itself.',
  probe_failed: 'Check that the file plays; export it again if it does not.',
  too_large: 'Send a smaller file.',
  too_long: 'Choose a shorter range with in and out.',
  locked: 'Another request holds the upload; retry in 1 s.',
  rate_limited: 'Wait as long as retryAfterSeconds says, then try again.',
  storage_full: 'Try again later, or delete what you no longer need.',
}

/** Advice for errors whose message says everything. */
export const plainAdvice = 'Read the message, change the request and send it again.'

function adviceByStatus(status: number): string {
  if (status >= 500) return 'Try again in a moment. If it stays, tell us the request id.'
  return plainAdvice
}
