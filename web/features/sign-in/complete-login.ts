/**
 * Completes a login from the answer of a provider. The redirect's token is exchanged for a session
 * token at once, so that what stood in the address bar is worth nothing afterwards. The exchange is
 * an addition to the specification: where it fails, /user/me decides whether the token is good.
 */
import { api as endpoints } from '../../../contract/api.ts'
import { CallError, createClient } from '../../../contract/endpoint.ts'
import { currentApiAddress } from '../../app/api-address.ts'
import { reportLogin } from '../../app/analytics.ts'
import { keepProviderAnswer } from '../../app/provider-answer.ts'
import type { ProviderAnswer } from '../../app/provider-answer.ts'
import { clearSession, currentSession, storeToken, storeUser } from '../../app/session.tsx'
import type { SessionUser } from '../../app/session.tsx'

/** `kept`: the answer was refused, and the session that was there before goes on. */
export type LoginOutcome = 'welcome' | 'basic' | 'refused' | 'kept'

/** A page that is being left sees its own aborted calls as failures. The next page goes on. */
let isLeaving = false

export async function completeLogin(answer: ProviderAnswer): Promise<LoginOutcome> {
  addEventListener('beforeunload', () => {
    isLeaving = true
  })
  const before = currentSession()
  const isSignedIn = before.token !== null && before.user !== null
  // A live session stays where it is until the new one is known to be good.
  if (!isSignedIn) storeToken(answer.token)
  const token = answer.isExchanged ? answer.token : await exchange(answer)
  const user = await askForUser(token)
  if (user === 'refused') {
    if (isSignedIn) return 'kept'
    clearSession()
    return 'refused'
  }
  storeToken(token)
  storeUser(user ?? basicUser(answer.email))
  reportLogin(answer.provider)
  return user ? 'welcome' : 'basic'
}

async function exchange(answer: ProviderAnswer): Promise<string> {
  try {
    const { token } = await callsWith(answer.token).exchangeToken()
    keepProviderAnswer({ ...answer, token, isExchanged: true })
    return token
  } catch {
    await stopIfLeaving()
    return answer.token
  }
}

/** Null where the service did not say: only a 401 means that nobody is logged in. */
async function askForUser(token: string): Promise<SessionUser | 'refused' | null> {
  try {
    return await callsWith(token).getMe()
  } catch (error) {
    await stopIfLeaving()
    return error instanceof CallError && error.status === 401 ? 'refused' : null
  }
}

async function stopIfLeaving(): Promise<void> {
  if (isLeaving) await new Promise(() => undefined)
}

/** A client of its own: a refused token of the address does not end the session of this browser. */
function callsWith(token: string) {
  return createClient(endpoints, { base: currentApiAddress(), token: () => token })
}

/** What the query alone says about the user. */
function basicUser(email: string | null): SessionUser {
  return { email: email ?? '', username: email?.split('@')[0] ?? '' }
}
