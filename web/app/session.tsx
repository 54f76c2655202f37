/**
 * The session: a token and a user, both kept in local storage. `loading` is true until they have
 * been read, which is also what the prerendered pages show.
 */
import { useSyncExternalStore } from 'react'
import type { User } from '../../contract/accounts.ts'
import { showToast } from '../ui/toast.tsx'

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

const unread: Session = { loading: true, token: null, user: null }
let session = unread
const listeners = new Set<() => void>()

export function useSession(): Session {
  return useSyncExternalStore(subscribe, currentSession, () => unread)
}

export function currentSession(): Session {
  if (session.loading) session = readSession()
  return session
}

/** Keeps the token before the user is known, as the OAuth callback needs it for its first call. */
export function storeToken(token: string): void {
  localStorage.setItem(tokenKey, token)
  change({ ...currentSession(), token })
}

export function storeUser(user: SessionUser): void {
  localStorage.setItem(userKey, JSON.stringify(user))
  if (user.id) localStorage.setItem(userIdKey, user.id)
  change({ ...currentSession(), user })
}

export function login(token: string, user: SessionUser): void {
  storeToken(token)
  storeUser(user)
  showToast({ type: 'success', title: 'Welcome!', message: 'Login successful' })
}

/** Forgets the session in this browser; the caller revokes it on the server. */
export function logout(): void {
  clearSession()
  sessionStorage.removeItem(unansweredKey)
  showToast({ type: 'success', title: 'Goodbye!', message: 'Logged out' })
}

export function clearSession(): void {
  for (const key of [tokenKey, userKey, userIdKey]) localStorage.removeItem(key)
  change({ loading: false, token: null, user: null })
}

/** Where to go after the next login: the guarded page that an anonymous visitor asked for. */
export function rememberTarget(path: string): void {
  sessionStorage.setItem(targetKey, path)
}

export function takeTarget(): string | null {
  const target = sessionStorage.getItem(targetKey)
  sessionStorage.removeItem(targetKey)
  return target?.startsWith('/') && !target.startsWith('//') ? target : null
}

/** A login or logout in another tab is one here too. */
export function watchSession(): void {
  addEventListener('storage', (event) => {
    if (event.key === tokenKey || event.key === userKey || event.key === null) change(readSession())
  })
}

function readSession(): Session {
  try {
    const user = localStorage.getItem(userKey)
    return {
      loading: false,
      token: localStorage.getItem(tokenKey),
      user: user ? (JSON.parse(user) as SessionUser) : null,
    }
  } catch {
    return { loading: false, token: null, user: null }
  }
}

function change(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
