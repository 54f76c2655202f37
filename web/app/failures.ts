/**
 * Shows failed calls, in one way: a mutation names its words in `meta.failure` (query-client.ts),
 * everything else calls `showFailure`. The service's own sentence comes first, because it says what
 * to do next.
 */
import { CallError } from '../../contract/endpoint.ts'
import { showToast } from '../ui/toast.tsx'

export interface FailureWords {
  title?: string
  /** Shown where the service gave no reason, as when it could not be reached. */
  fallback?: string
  /** Shows the fallback in any case: the specification fixes the text. */
  isFixed?: boolean
}

const checkConnection = 'Please check your connection and try again.'

export function showFailure(error: unknown, words: FailureWords = {}): void {
  // The prompt to log in (app/api.ts) has said so already.
  if (error instanceof CallError && error.code === 'unauthenticated') return
  const { title = 'Error', fallback = checkConnection, isFixed = false } = words
  const message = isFixed ? fallback : messageOf(error, fallback)
  showToast({ type: 'error', title, message })
}

/** Returns the service's reason for a failure, or the fallback where it gave none. */
export function messageOf(error: unknown, fallback: string = checkConnection): string {
  if (!(error instanceof CallError) || error.code === 'network') return fallback
  return error.body.message ?? error.body.error ?? fallback
}

/**
 * Whether the service does not have a call at all. Ours says `not_found` of an object that is not
 * there; a server without our additions has no such word for an address that it does not know.
 */
export function isMissingCall(error: unknown): boolean {
  if (!(error instanceof CallError)) return false
  return [404, 405, 501].includes(error.status) && error.body.code === undefined
}

/** Whether the service could not be asked or failed itself, as opposed to having refused. */
export function isOutage(error: unknown): boolean {
  return error instanceof CallError && (error.code === 'network' || error.status >= 500)
}

/** Whether asking again would not help: too many calls pass, and so does a service that is away. */
export function isFinalRefusal(error: unknown): boolean {
  if (!(error instanceof CallError)) return false
  return error.status >= 400 && error.status < 500 && error.status !== 429
}
