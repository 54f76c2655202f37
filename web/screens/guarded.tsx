import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router'
import { createQueryClient } from '../app/query-client.ts'
import { UploadBar } from '../features/content/upload-bar.tsx'
import { finishExchange } from '../features/sign-in/complete-login.ts'
import { rememberTarget, useSession } from '../app/session.tsx'
import { openSignIn } from '../app/sign-in-prompt.ts'

/** How long an answer is used without asking again. */
const freshMs = 10_000

/** Around every screen that needs a session: the cache of data calls, and the way out. */
export function Guarded() {
  const { loading, token } = useSession()
  const [wasSignedIn] = useState(token !== null)
  const [queries] = useState(() => createQueryClient(freshMs))
  useEffect(() => {
    // What was asked with a token that was not exchanged yet is asked again.
    void finishExchange().then((isDone) => (isDone ? queries.invalidateQueries() : undefined))
  }, [queries])
  if (loading) return null
  if (!token) return wasSignedIn ? <Navigate to="/" replace /> : <SendToLogin />
  return (
    <QueryClientProvider client={queries}>
      <Outlet />
      <UploadBar />
    </QueryClientProvider>
  )
}

/** Leads to `/`, opens the login modal there, and remembers where the visitor wanted to go. */
function SendToLogin() {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    rememberTarget(pathname + search + hash)
    openSignIn('login')
    void navigate('/', { replace: true })
  }, [pathname, search, hash, navigate])
  return null
}
