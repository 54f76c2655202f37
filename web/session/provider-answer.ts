/**
 * The sign-in provider's answer in the query of /oauth/callback. It is taken out of the address bar
 * before the router starts, so that no analytics, history entry or referrer ever sees the token. It
 * is kept in the tab until the login has ended, so that a reload in the middle goes on with it.
 */
import { readTab, writeTab } from '../dom/browser-storage.ts'

export interface ProviderAnswer {
  token: string
  provider: string
  email: string | null
  /** The token is the session's own already, not the one that stood in the address. */
  isExchanged?: boolean
  /** Whether this browser began the sign-in, where the service says so. */
  isBegunHere?: boolean
}

const answerKey = 'provider-answer'

export function liftProviderAnswer(): void {
  if (location.pathname !== '/oauth/callback' || !location.search) return
  const query = new URLSearchParams(location.search)
  const token = query.get('token')
  const provider = query.get('provider')
  if (token && provider) keepProviderAnswer({ token, provider, email: query.get('email') })
  else dropProviderAnswer()
  history.replaceState(history.state, '', location.pathname)
}

export function pendingProviderAnswer(): ProviderAnswer | null {
  const kept = readTab(answerKey)
  return kept ? (JSON.parse(kept) as ProviderAnswer) : null
}

export function keepProviderAnswer(answer: ProviderAnswer): void {
  writeTab(answerKey, JSON.stringify(answer))
}

export function dropProviderAnswer(): void {
  writeTab(answerKey, null)
}
