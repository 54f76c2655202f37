import { Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import { timings } from '../../domain/money/catalogue.ts'
import { reportPageView } from '../app/analytics.ts'
import { Footer } from '../features/navigation/footer.tsx'
import { OfflineNotice } from '../features/navigation/offline-notice.tsx'
import { TopBar, isAppPath } from '../features/navigation/top-bar.tsx'
import { part } from '../app/later.tsx'
import { documentTitle, pageAt } from '../app/routes.tsx'
import { useSignInPrompt } from '../session/sign-in-prompt.ts'
import { Toasts } from '../ui/toast.tsx'
import { CrashBoundary } from './crash.tsx'

const SignInDialogs = part(() => import('../features/sign-in/sign-in-dialogs.tsx'), 'SignInDialogs')

/** The frame around every screen. */
export function Root({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  const prompt = useSignInPrompt()
  useDocumentTitle()
  usePageViews()
  useArrival()
  const inApp = isAppPath(pathname)
  // Whoever follows a shared link came for one thing.
  const isShared = pathname.startsWith('/shared/')
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-brand px-3 py-2 text-on-brand focus:translate-y-0"
      >
        Skip to content
      </a>
      {!isShared && <TopBar wide={inApp} />}
      <OfflineNotice />
      <main id="main" tabIndex={-1} className="flex grow flex-col outline-none">
        <CrashBoundary path={pathname}>{children}</CrashBoundary>
      </main>
      {!inApp && !isShared && <Footer />}
      <Suspense fallback={null}>{prompt && <SignInDialogs />}</Suspense>
      <Toasts durationMs={timings.toastMs} />
    </div>
  )
}

function useDocumentTitle(): void {
  const { pathname } = useLocation()
  // Before the screens' own effects: a screen with a better title has the last word.
  useLayoutEffect(() => {
    document.title = documentTitle(pageAt(pathname))
  }, [pathname])
}

function usePageViews(): void {
  const { pathname, search } = useLocation()
  useEffect(() => {
    reportPageView({ pathname, search })
  }, [pathname, search])
}

/**
 * Where the eye and the keyboard go on a new page: to the anchor, or to its start. Going back is
 * the browser's own business.
 */
function useArrival(): void {
  const location = useLocation()
  const type = useNavigationType()
  const shown = useRef(location.pathname)
  useEffect(() => {
    const { pathname, hash } = location
    const moved = shown.current !== pathname
    shown.current = pathname
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView()
    else if (moved && type !== NavigationType.Pop) scrollTo({ top: 0, behavior: 'instant' })
    if (moved) document.getElementById('main')?.focus({ preventScroll: true })
  }, [location, type])
}
