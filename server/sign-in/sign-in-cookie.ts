/**
 * Which browser began a sign-in. Each sign-in has a cookie of its own with a fresh value, so that
 * two tabs can sign in at the same time and a cookie that somebody else set is never taken over.
 * Under https the name's prefix keeps other hosts of the domain from setting one at all.
 */
import { randomBytes } from 'node:crypto'
import type { Config } from '../ground/config.ts'
import type { Exchange } from '../ground/verb.ts'
import { hashToken } from './token.ts'

type SetOn = Pick<Exchange, 'request' | 'reply'>

/** More sign-ins than these are not under way in one browser; the cookies of older ones go. */
const maxCookies = 5

/** Sets the cookie of the sign-in with this state and gives its hash. */
export function setSignInCookie(
  config: Config,
  { request, reply }: SetOn,
  signIn: { state: string; lifeMs: number },
): Buffer {
  const value = randomBytes(32).toString('base64url')
  const options = cookieOptions(config)
  for (const [name] of signInCookies(config, request).slice(maxCookies - 1)) {
    reply.clearCookie(name, options)
  }
  reply.setCookie(cookieName(config, signIn.state), value, {
    ...options,
    maxAge: signIn.lifeMs / 1000,
  })
  return hashToken(value)
}

export function signInCookieHash(
  config: Config,
  request: Exchange['request'],
  state: string,
): Buffer {
  return hashToken(request.cookies[cookieName(config, state)] ?? '')
}

/** Clears and names the cookie with this hash; null where the browser has none. */
export function takeSignInCookie(
  config: Config,
  { request, reply }: SetOn,
  sha256: Buffer,
): string | null {
  const own = signInCookies(config, request).find(([, value]) => hashToken(value).equals(sha256))
  if (!own) return null
  reply.clearCookie(own[0], cookieOptions(config))
  return own[0]
}

function signInCookies(config: Config, request: Exchange['request']): [string, string][] {
  return Object.entries(request.cookies).flatMap(([name, value]) =>
    name.startsWith(prefix(config)) && value !== undefined ? [[name, value]] : [],
  )
}

function cookieName(config: Config, state: string): string {
  return `${prefix(config)}_${hashToken(state).toString('hex').slice(0, 16)}`
}

function prefix(config: Config): string {
  return isSecure(config) ? '__Host-ci_sign_in' : 'ci_sign_in'
}

function cookieOptions(config: Config) {
  const secure = isSecure(config)
  // The prefix demands the path of the whole host.
  return { path: secure ? '/' : '/v1/auth', httpOnly: true, sameSite: 'lax' as const, secure }
}

function isSecure(config: Config): boolean {
  return config.publicUrl.startsWith('https:')
}
