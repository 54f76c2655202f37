/**
 * Completes a login from the answer of a provider. The redirect's token is exchanged for a session
 * token at once, so that what stood in the address bar is worth nothing afterwards.
 */
import { api, isOutage } from '../../app/api.ts'
import { reportLogin } from '../../app/analytics.ts'
import type { ProviderAnswer } from '../../app/provider-answer.ts'
import { clearSession, currentSession, login, storeToken } from '../../app/session.tsx'
import type { SessionUser } from '../../app/session.tsx'

export type LoginOutcome = 'welcome' | 'basic' | 'refused'

export async function completeLogin(answer: ProviderAnswer): Promise<LoginOutcome> {
  storeToken(answer.token)
  try {
    const { token } = await api.exchangeToken()
    storeToken(token)
    login(token, await api.getMe())
    reportLogin(answer.provider)
    return 'welcome'
  } catch (error) {
    if (!isOutage(error)) {
      clearSession()
      return 'refused'
    }
    login(currentSession().token ?? answer.token, basicUser(answer.email))
    reportLogin(answer.provider)
    return 'basic'
  }
}

/** What the query alone tells about the user, while the service cannot be asked. */
function basicUser(email: string | null): SessionUser {
  return { email: email ?? '', username: email?.split('@')[0] ?? '' }
}
