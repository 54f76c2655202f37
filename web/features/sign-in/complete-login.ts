/**
 * Completes a login from the answer of a provider. The redirect's token is exchanged for a session
 * token at once, so that what stood in the address bar is worth nothing afterwards. The exchange is
 * an addition to the specification: where it fails, /user/me decides whether the token is good.
 *
 * A session that is there stays until the new one is known to be good, and it is replaced only in
 * the browser that began the sign-in: a link from somebody else moves nobody into another account.
 */
import { api as endpoints } from '../../../contract/api.ts'
import { CallError } from '../../../contract/endpoint.ts'
import { createClient } from '../../../client/create-client.ts'
import { isMissingCall, isOutage } from '../../app/failures.ts'
import { currentApiAddress } from '../../app/api-address.ts'
import { reportLogin } from '../../app/analytics.ts'
import {
  dropProviderAnswer,
  keepProviderAnswer,
  pendingProviderAnswer,
} from '../../session/provider-answer.ts'
import type { ProviderAnswer } from '../../session/provider-answer.ts'
import {
  clearSession,
  currentSession,
  replaceToken,
  storeToken,
  storeUser,
} from '../../session/session.tsx'
import type { SessionUser } from '../../session/session.tsx'

/** `kept`: the session that was there before goes on. */
export type LoginOutcome = 'welcome' | 'basic' | 'refused' | 'kept'

/** A page that is being left sees its own aborted calls as failures. The next page goes on. */
let isLeaving = false

export async function completeLogin(answer: ProviderAnswer): Promise<LoginOutcome> {
  addEventListener('beforeunload', () => {
    isLeaving = true
  })
  const { token, user } = currentSession()
  const hasSession = token !== null && token !== answer.token && user !== null
  if (!hasSession) storeToken(answer.token)
  const exchanged = answer.isExchanged ? answer : await exchange(answer)
  const isForeign = exchanged.isBegunHere === false
  // A stored session may have ended on the server long ago: then nobody is signed in.
  const isSignedIn = hasSession && (!isForeign || (await askForUser(token)) !== 'refused')
  if (isSignedIn && isForeign) {
    dropProviderAnswer()
    await callsWith(exchanged.token)
      .logout()
      .catch(() => undefined)
    return 'kept'
  }
  return enter(exchanged, isSignedIn)
}

async function enter(answer: ProviderAnswer, isSignedIn: boolean): Promise<LoginOutcome> {
  const user = await askForUser(answer.token)
  // A token that is not exchanged yet stays for `finishExchange`.
  if (answer.isExchanged !== false) dropProviderAnswer()
  if (user === 'refused') {
    dropProviderAnswer()
    if (isSignedIn) return 'kept'
    clearSession()
    return 'refused'
  }
  storeToken(answer.token)
  storeUser(user ?? basicUser(answer.email))
  reportLogin(answer.provider)
  return user ? 'welcome' : 'basic'
}

async function exchange(answer: ProviderAnswer): Promise<ProviderAnswer> {
  try {
    const { token, begun_here: isBegunHere } = await callsWith(answer.token).exchangeToken()
    const exchanged = { ...answer, token, isBegunHere, isExchanged: true }
    keepProviderAnswer(exchanged)
    return exchanged
  } catch (error) {
    if (isLeaving) await new Promise(() => undefined)
    // A server without the exchange has one token for both, and nothing to say about its origin.
    if (isMissingCall(error)) return { ...answer, isExchanged: true }
    return { ...answer, isExchanged: false, isBegunHere: false }
  }
}

const exchangePausesMs = [1000, 2000, 5000, 10_000, 30_000, 60_000, 60_000, 60_000]

/** Exchanges a login's token once the service is back; true when its calls must be repeated. */
export async function finishExchange(): Promise<boolean> {
  for (const pauseMs of exchangePausesMs) {
    const answer = pendingProviderAnswer()
    if (!answer || answer.isExchanged || answer.token !== currentSession().token) return false
    try {
      await replaceToken(answer.token, async () => {
        const { token } = await callsWith(answer.token).exchangeToken()
        return token
      })
      dropProviderAnswer()
      return true
    } catch (error) {
      if (!isOutage(error)) {
        dropProviderAnswer()
        return true
      }
    }
    await new Promise((resolve) => {
      setTimeout(resolve, pauseMs)
    })
  }
  return false
}

/**
 * Reads the user; null if the service did not say, as only a 401 means that nobody is logged in.
 */
async function askForUser(token: string): Promise<SessionUser | 'refused' | null> {
  try {
    return await callsWith(token).getMe()
  } catch (error) {
    if (isLeaving) await new Promise(() => undefined)
    return error instanceof CallError && error.code === 'unauthenticated' ? 'refused' : null
  }
}

/** A client of its own: a refused token of the address does not end the session of this browser. */
function callsWith(token: string) {
  return createClient(endpoints, { base: currentApiAddress(), token: () => token })
}

/** The user as far as the query names them. */
function basicUser(email: string | null): SessionUser {
  return { email: email ?? '', username: email?.split('@')[0] ?? '' }
}
