import { QueryClientProvider } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { Fragment, useEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Link, Navigate, Outlet, useLocation, useNavigate } from 'react-router'
import { createQueryClient } from '../app/query-client.ts'
import { UploadBar } from '../features/content/upload-bar.tsx'
import { ActivityButton } from '../features/jobs/activity.tsx'
import { isAppPath } from '../features/navigation/top-bar.tsx'
import { SearchBox } from '../features/search/search-box.tsx'
import { finishExchange } from '../features/sign-in/complete-login.ts'
import { useShortcuts } from '../keys/shortcuts.tsx'
import { rememberTarget, useSession } from '../session/session.tsx'
import { openSignIn } from '../session/sign-in-prompt.ts'
import { buttonClass } from '../ui/button.tsx'

/** How long an answer is used without asking again. */
const freshMs = 10_000

/** Around every screen that needs a session: the cache of data calls, and the way out. */
export function Guarded() {
  const { loading, token, user } = useSession()
  const [wasSignedIn] = useState(token !== null)
  const { queries, number } = useOwnQueries(user?.email ?? null)
  useEffect(() => {
    // Asks again for answers that a token got before it was exchanged.
    void finishExchange().then((isDone) => (isDone ? queries.invalidateQueries() : undefined))
  }, [queries])
  if (loading) return null
  if (!token) return wasSignedIn ? <Navigate to="/" replace /> : <SendToLogin />
  return (
    <QueryClientProvider client={queries}>
      <Fragment key={number}>
        <AppTools />
        <Outlet />
        <UploadBar />
      </Fragment>
    </QueryClientProvider>
  )
}

/** Answers that one account got are not shown to another that logs in on the same page. */
function useOwnQueries(email: string | null) {
  const [own, setOwn] = useState(() => ({ email, number: 0, queries: createQueryClient(freshMs) }))
  if (email === null || email === own.email) return own
  const isOther = own.email !== null
  const next = isOther
    ? { email, number: own.number + 1, queries: createQueryClient(freshMs) }
    : { ...own, email }
  setOwn(next)
  return next
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

/** In the bar of every screen of the app: the search, and what is on. */
function AppTools() {
  const { pathname } = useLocation()
  const [bar] = useState(() => document.getElementById('app-tools'))
  const field = useRef<HTMLInputElement>(null)
  const shortcuts = useMemo(
    () => [{ keys: ['Ctrl+k'], label: 'Search', run: () => field.current?.select() }],
    [],
  )
  useShortcuts(shortcuts)
  if (!bar || !isAppPath(pathname)) return null
  return createPortal(
    <>
      {/* The search's own page has the same field, with more room. */}
      {pathname !== '/search' && (
        <>
          <div className="mx-auto hidden w-110 min-w-0 shrink lg:block">
            <SearchBox isInBar field={field} />
          </div>
          <Link
            to="/search"
            aria-label="Search"
            title="Search"
            className={`${buttonClass('quiet')} lg:hidden`}
          >
            <Search size={15} aria-hidden />
          </Link>
        </>
      )}
      <ActivityButton />
    </>,
    bar,
  )
}
