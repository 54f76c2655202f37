import { refusalStatus } from '../../contract/refusal.ts'
import type { ErrorAnswer, RefusalCode } from '../../contract/refusal.ts'

/** Something the user must know. Thrown anywhere, answered in one place (http/route.ts). */
export class Refusal extends Error {
  code: RefusalCode
  details: Partial<
    Pick<
      ErrorAnswer,
      'required_usd' | 'available_usd' | 'content_id' | 'field' | 'saved' | 'missing_scope'
    >
  >
  retryAfterSeconds: number | undefined

  constructor(
    code: RefusalCode,
    message: string,
    details: Refusal['details'] & { retryAfterSeconds?: number } = {},
  ) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    const { retryAfterSeconds, ...fields } = details
    this.details = fields
    this.retryAfterSeconds = retryAfterSeconds
  }

  get status(): number {
    return refusalStatus[this.code]
  }
}

/** Refuses alike whether the object does not exist or belongs to somebody else. */
export function notFound(what: string): Refusal {
  return new Refusal('not_found', `${what} was not found.`)
}

/** Refuses a key without this scope; undefined: closed to every key that has scopes. */
export function missingScope(scope: string | undefined): Refusal {
  return new Refusal('forbidden', `This API key lacks the scope "${scope ?? 'none'}".`, {
    ...(scope ? { missing_scope: scope } : {}),
  })
}

/** A save from an older version than the saved one, which comes with the answer. */
export function savedMeanwhile(what: string, saved: ErrorAnswer['saved']): Refusal {
  const sentence = `Somebody saved ${what} in the meantime. Compare both and save again.`
  return new Refusal('conflict', sentence, { saved })
}

export function badCursor(): Refusal {
  return new Refusal('invalid', 'This cursor is not valid.', { field: 'cursor' })
}

/** A cursor that is the number of the last row of the page before. */
export function readRowCursor(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor)
  throw badCursor()
}
