/**
 * The typed client of the service, made from the contract. Screens that need it are loaded on
 * demand, so that the public pages do not carry the contract's schemas.
 */
import { createClient } from '../../client/create-client.ts'
import { api as endpoints } from '../../contract/api.ts'
import { CallError } from '../../contract/endpoint.ts'
import type { SpecifiedClient } from './answers.ts'
import { currentApiAddress } from './api-address.ts'
import {
  clearSession,
  currentSession,
  rememberTarget,
  standsForSession,
} from '../session/session.tsx'
import { withKey } from './idempotency-keys.ts'
import { noteServerTime } from '../session/server-clock.ts'
import { noteServiceAway } from '../session/service-state.ts'
import { openSignIn } from '../session/sign-in-prompt.ts'
import { showToast } from '../ui/toast.tsx'

export const api: SpecifiedClient = createClient(endpoints, {
  base: currentApiAddress(),
  token: () => currentSession().token,
  onUnauthenticated: askForLogin,
  withKey,
  attempt: async ({ signal }, send) => {
    try {
      return await send(signal)
    } catch (error) {
      if (error instanceof CallError && error.code === 'interrupted') noteServiceAway()
      throw error
    }
  },
  fetch: async (...request) => {
    const sentMs = Date.now()
    const response = await fetch(...request)
    noteServerTime(response.headers.get('date'), sentMs, Date.now())
    return response
  },
})

/**
 * Ends a session that has ended on the server, and asks for a new one. A call under way while its
 * token was exchanged says nothing about the session.
 */
export function askForLogin(refusedToken: string | null): void {
  if (!standsForSession(refusedToken)) return
  rememberTarget(location.pathname + location.search + location.hash)
  clearSession()
  openSignIn('login')
  const message = 'Log in again to pick up where you left off.'
  showToast({ type: 'info', title: 'Your session has ended', message })
}
