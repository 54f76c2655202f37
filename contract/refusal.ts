/** The closed list of error codes with their HTTP status. Every error answer has this shape. */
import * as z from 'zod'

export const refusalStatus = {
  malformed: 400,
  invalid_signature: 400,
  unauthenticated: 401,
  insufficient_credit: 402,
  spend_limit: 402,
  card_declined: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  duplicate: 409,
  in_flight: 409,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_type: 415,
  range_not_satisfiable: 416,
  invalid: 422,
  idempotency_mismatch: 422,
  // Not 409, which the specification’s clients read as a duplicate.
  limit_reached: 422,
  unsupported_source: 422,
  fetch_failed: 422,
  probe_failed: 422,
  no_audio: 422,
  no_video: 422,
  too_long: 422,
  extractor_failed: 422,
  timeout: 422,
  canceled: 422,
  // The word of resumable uploads for "ask again later".
  locked: 423,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  interrupted: 503,
  storage_full: 507,
} as const

export type RefusalCode = keyof typeof refusalStatus
export const refusalCodes = Object.keys(refusalStatus) as [RefusalCode, ...RefusalCode[]]

export const ErrorAnswer = z
  .object({
    message: z.string().meta({ description: 'The cause, and what to do next.' }),
    error: z.string().meta({ description: 'The same sentence as `message`.' }),
    code: z.enum(refusalCodes),
    request_id: z.string().optional(),
    required_usd: z.number().optional(),
    available_usd: z.number().optional(),
    saved: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'The saved state, where a save came from an older version.' }),
    missing_scope: z.string().optional().meta({ description: 'The scope that the API key lacks.' }),
    content_id: z
      .string()
      .optional()
      .meta({ description: 'Of a duplicate: the item that is in the library already.' }),
    field: z.string().optional().meta({ description: 'The field that was refused.' }),
  })
  .meta({ id: 'Error' })
export type ErrorAnswer = z.infer<typeof ErrorAnswer>
