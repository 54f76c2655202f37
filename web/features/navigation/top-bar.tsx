import { part } from '../../app/later.tsx'
import { Moon, Sun } from 'lucide-react'
import { Suspense } from 'react'
import { Link, NavLink, useLocation, useNavigate } from 'react-router'
import { useSession } from '../../session/session.tsx'
import { openSignIn } from '../../session/sign-in-prompt.ts'
import { setTheme, useTheme } from '../../dom/theme.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Wordmark } from './wordmark.tsx'

const PagesMenu = part(() => import('./pages-menu.tsx'), 'PagesMenu')
const UserMenu = part(() => import('./user-menu.tsx'), 'UserMenu')

const publicLinks = [
  { to: '/#pricing', label: 'Pricing' },
  { to: '/#calculator', label: 'Calculator' },
  { to: '/docs/developer', label: 'Developer Docs' },
]
const appLinks = [
  { to: '/dashboard', label: 'Dashboard' },
  { to: '/library', label: 'Library' },
  { to: '/cuts', label: 'Cuts' },
  { to: '/profile', label: 'Profile' },
  { to: '/docs/api', label: 'API Docs' },
]

export function TopBar({ wide = false }: { wide?: boolean }) {
  const { pathname } = useLocation()
  const { loading, token } = useSession()
  // The API docs are one of the app's own links: whoever follows it keeps the others.
  const inApp = token !== null && (isAppPath(pathname) || pathname.startsWith('/docs/'))
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-page">
      <div
        className={classes(
          'flex min-h-12 flex-wrap items-center gap-x-4 gap-y-0',
          wide ? 'px-4' : 'measure',
          inApp && 'max-sm:gap-x-1 max-sm:px-2',
        )}
      >
        {inApp && (
          <Suspense fallback={<span className="size-7 sm:hidden" />}>
            <PagesMenu links={appLinks} />
          </Suspense>
        )}
        <Wordmark isShort={inApp} />
        <nav
          aria-label="Main"
          className={classes(
            'scroll-bare flex overflow-x-auto',
            inApp
              ? 'max-sm:hidden'
              : 'order-last -ml-2 basis-full sm:order-none sm:ml-0 sm:basis-auto',
          )}
        >
          {(inApp ? appLinks : publicLinks).map((link) => (
            <BarLink key={link.to} {...link} />
          ))}
        </nav>
        {/* Guarded screens put their search and activity here (screens/guarded.tsx). */}
        <div id="app-tools" className="ml-auto flex grow items-center justify-end gap-1.5" />
        <div className="flex h-12 items-center gap-1.5">
          <ThemeToggle />
          {token ? (
            <Suspense fallback={<span className="size-7" />}>
              <UserMenu />
            </Suspense>
          ) : (
            <div
              // Until the stored session has been read, nobody who has one is asked to log in.
              className={classes(
                'flex items-center gap-1.5',
                loading && 'in-data-session:invisible',
              )}
            >
              <SignInButtons />
            </div>
          )}
        </div>
      </div>
    </header>
  )
}

export function isAppPath(pathname: string): boolean {
  return /^\/(dashboard|library|cuts|syncs|profile|jobs|search|receipts)(\.html|\/|$)/.test(
    pathname,
  )
}

function BarLink({ to, label }: { to: string; label: string }) {
  const shape =
    'flex h-8 items-center rounded-md px-2 text-sm whitespace-nowrap text-ink-2 hover:text-ink pointer-coarse:h-11'
  if (to.includes('#')) {
    return (
      <Link to={to} className={shape}>
        {label}
      </Link>
    )
  }
  return (
    <NavLink
      to={to}
      className={({ isActive }) => classes(shape, isActive && 'font-medium text-ink')}
    >
      {label}
    </NavLink>
  )
}

/** On the landing page the buttons open modals; elsewhere they lead where the modals are. */
function SignInButtons() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const onLanding = pathname === '/'
  return (
    <>
      <Button
        look="quiet"
        onClick={() => (onLanding ? openSignIn('login') : void navigate('/dashboard'))}
      >
        Login
      </Button>
      <Button
        look="primary"
        onClick={() => {
          openSignIn('signup')
          if (!onLanding) void navigate('/')
        }}
      >
        Sign Up
      </Button>
    </>
  )
}

function ThemeToggle() {
  const dark = useTheme() === 'dark'
  return (
    <IconButton
      label={dark ? 'Switch to light theme' : 'Switch to dark theme'}
      onClick={() => setTheme(dark ? 'light' : 'dark')}
    >
      {dark ? <Sun size={15} aria-hidden /> : <Moon size={15} aria-hidden />}
    </IconButton>
  )
}
