/**
 * The session: a token and a user, both kept in local storage. `loading` is true until they have
 * been read, which is also what the prerendered pages show.
 */
import { useSyncExternalStore } from 'react'
import type { User } from '../app/answers.ts'
import { localKeys, readTab, writeLocal, writeTab } from '../dom/browser-storage.ts'
import { showToast } from '../ui/toast.tsx'
import { createSignal } from '../dom/signal.ts'

export type SessionUser = Pick<User, 'email' | 'username'> & Partial<User>

export interface Session {
  loading: boolean
  token: string | null
  user: SessionUser | null
}

const tokenKey = 'token'
const userKey = 'user'
const userIdKey = 'user_id'
const targetKey = 'after-login'
/** Where idempotency-keys.ts keeps the requests that were not answered. */
export const unansweredKey = 'unanswered-requests'
/** Where features keep what is written but not sent yet; it goes with whoever wrote it. */
export const unsentPrefix = 'unsent-'
/** Where upload-file.ts keeps the uploads that can be resumed. */
export const openUploadsKey = 'open-uploads'

const unread: Session = { loading: true, token: null, user: null }
let session = unread
const { announce, subscribe } = createSignal()

export function useSession(): Session {
  return useSyncExternalStore(subscribe, currentSession, () => unread)
}

/** Follows the token in local storage: where somebody has deleted it, nobody is signed in. */
export function currentSession(): Session {
  if (session.loading) session = readSession()
  else if (readToken() !== session.token) {
    session = readSession()
    // This may be asked while a screen is drawn, which is no time to draw others.
    queueMicrotask(announce)
  }
  return session
}

/** Keeps the token before the user is known, as the OAuth callback needs it for its first call. */
export function storeToken(token: string): void {
  writeLocal(tokenKey, token)
  change({ ...currentSession(), token })
}

let tokenInExchange: string | null = null

/**
 * Replaces the stored token, unless it has changed meanwhile. The server ends the old one before
 * the new one is here; until then its refusal says nothing about the session.
 */
export async function replaceToken(token: string, exchange: () => Promise<string>): Promise<void> {
  tokenInExchange = token
  try {
    const next = await exchange()
    if (currentSession().token === token) storeToken(next)
  } finally {
    tokenInExchange = null
  }
}

/** Whether this token alone stands for the session: it is stored, and none is on its way. */
export function standsForSession(token: string | null): boolean {
  return token !== null && token === currentSession().token && token !== tokenInExchange
}

export function storeUser(user: SessionUser): void {
  writeLocal(userKey, JSON.stringify(user))
  if (user.id) writeLocal(userIdKey, user.id)
  change({ ...currentSession(), user })
}

/** Forgets the session in this browser; the caller revokes it on the server. */
export function logout(): void {
  clearSession()
  writeTab(unansweredKey, null)
  for (const key of localKeys()) if (key.startsWith(unsentPrefix)) writeLocal(key, null)
  writeLocal(openUploadsKey, null)
  showToast({ type: 'success', title: 'Goodbye!', message: 'Logged out' })
}

export function clearSession(): void {
  for (const key of [tokenKey, userKey, userIdKey]) writeLocal(key, null)
  change({ loading: false, token: null, user: null })
}

/** The specification's own pages: whoever logs in on one of them comes to the dashboard. */
const specifiedPages: readonly string[] = [
  '/',
  '/oauth/callback',
  '/dashboard',
  '/dashboard.html',
  '/profile',
  '/profile.html',
  '/profile/payment-methods',
  '/payment/success',
  '/payment/cancel',
  '/docs/developer',
  '/terms',
  '/privacy',
]

/** Where to go after the next login, for pages that the specification does not know. */
export function rememberTarget(path: string): void {
  if (isRemembered(path)) writeTab(targetKey, path)
  else writeTab(targetKey, null)
}

export function takeTarget(): string | null {
  const target = readTab(targetKey)
  writeTab(targetKey, null)
  return target && isRemembered(target) ? target : null
}

function isRemembered(path: string): boolean {
  const address = new URL(path, location.origin)
  return address.origin === location.origin && !specifiedPages.includes(address.pathname)
}

/** A login or logout in another tab is one here too. */
export function watchSession(): void {
  addEventListener('storage', (event) => {
    if (event.key !== tokenKey && event.key !== userKey && event.key !== null) return
    const wasSignedIn = session.loading || session.user !== null
    change(readSession())
    if (wasSignedIn || session.user === null) return
    showToast({ type: 'success', title: 'Welcome!', message: 'Login successful' })
  })
}

/** A user without a token is left over from a session that has ended. */
function readSession(): Session {
  try {
    const token = localStorage.getItem(tokenKey)
    const user = token && localStorage.getItem(userKey)
    return { loading: false, token, user: user ? (JSON.parse(user) as SessionUser) : null }
  } catch {
    return { loading: false, token: null, user: null }
  }
}

/** Without storage the session lasts as long as the page. */
function readToken(): string | null {
  try {
    return localStorage.getItem(tokenKey)
  } catch {
    return session.token
  }
}

function change(next: Session): void {
  session = next
  announce()
}
