/**
 * The sign-in provider's answer in the query of /oauth/callback. It is taken out of the address bar
 * before the router starts, so that no analytics, history entry or referrer ever sees the token.
 */
export interface ProviderAnswer {
  token: string
  provider: string
  email: string | null
}

let held: ProviderAnswer | null = null

export function liftProviderAnswer(): void {
  if (location.pathname !== '/oauth/callback') return
  const query = new URLSearchParams(location.search)
  const token = query.get('token')
  const provider = query.get('provider')
  if (token && provider) held = { token, provider, email: query.get('email') }
  if (location.search) history.replaceState(history.state, '', location.pathname)
}

/** Gives the answer once. */
export function takeProviderAnswer(): ProviderAnswer | null {
  const answer = held
  held = null
  return answer
}
