/**
 * The typed client of the service, made from the contract. Screens that need it are loaded on
 * demand, so that the public pages do not carry the contract's schemas.
 */
import { CallError } from '../../contract/endpoint.ts'
import { createClient } from '../../client/create-client.ts'
import { api as endpoints } from '../../contract/api.ts'
import type { SpecifiedClient } from './answers.ts'
import { currentApiAddress } from './api-address.ts'
import { clearSession, currentSession, rememberTarget } from './session.tsx'
import { withKey } from './idempotency-keys.ts'
import { openSignIn } from './sign-in-prompt.ts'
import { showToast } from '../ui/toast.tsx'

export const api: SpecifiedClient = createClient(endpoints, {
  base: currentApiAddress(),
  token: () => currentSession().token,
  onUnauthenticated: askForLogin,
  withKey,
})

/** The session has ended on the server: ends it here too, and asks for a new one. */
function askForLogin(): void {
  if (!currentSession().token) return
  rememberTarget(location.pathname + location.search + location.hash)
  clearSession()
  openSignIn('login')
  const message = 'Log in again to pick up where you left off.'
  showToast({ type: 'info', title: 'Your session has ended', message })
}

/** What the service said about a failure, or the given sentence where it said nothing. */
export function messageOf(error: unknown, otherwise: string): string {
  if (!(error instanceof CallError) || error.status === 0) return otherwise
  return error.body.message ?? error.body.error ?? otherwise
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
  return error instanceof CallError && (error.status === 0 || error.status >= 500)
}
