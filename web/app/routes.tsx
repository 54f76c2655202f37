/**
 * Every URL and its screen. Screens are loaded on demand. The router runs in declarative mode: its
 * data mode would add 19 kB to every public page, and the data calls have their own cache.
 */
import { lazy } from 'react'
import type { ComponentType } from 'react'
import { matchPath } from 'react-router'
import { loadScript } from './later.tsx'
import { screen } from './screen.tsx'
import type { Screen } from './screen.tsx'

export interface Page {
  path: string
  Screen: Screen
  title: string
  /** For search engines and previews; the prerendered pages need one. */
  description?: string
}

const Dashboard = screen(() => import('../screens/dashboard.tsx'), 'Dashboard')
const Profile = screen(() => import('../screens/profile.tsx'), 'Profile')

export const publicPages: readonly Page[] = [
  {
    path: '/',
    Screen: screen(() => import('../screens/landing.tsx'), 'Landing'),
    title: 'CutIndex: frame-accurate footage analysis, paid by the second',
    description:
      'Shot changes, people talking, transcripts and ranked cut points for professional editors. EDL, FCPXML, XML, JSON and CSV out. $0.025 per second, $5 free each month.',
  },
  {
    path: '/terms',
    Screen: screen(() => import('../screens/docs/terms.tsx'), 'Terms'),
    title: 'Terms of Use',
    description: 'The agreement between you and CutIndex, in plain words.',
  },
  {
    path: '/privacy',
    Screen: screen(() => import('../screens/docs/privacy.tsx'), 'Privacy'),
    title: 'Privacy Policy',
    description: 'What CutIndex stores, why, for how long, and what you can ask for.',
  },
  {
    path: '/docs/developer',
    Screen: screen(() => import('../screens/docs/developer-docs.tsx'), 'DeveloperDocs'),
    title: 'Developer documentation',
    description:
      'Quick start, API keys, examples in curl, JavaScript and Python, errors, limits and idempotency.',
  },
  {
    path: '/docs/api',
    Screen: screen(() => import('../screens/docs/api-reference.tsx'), 'ApiReference'),
    title: 'API reference',
    description: 'Every call of the CutIndex API, from its OpenAPI description.',
  },
  {
    path: '/status',
    Screen: screen(() => import('../screens/status.tsx'), 'Status'),
    title: 'Status',
  },
  {
    path: '/unsubscribe',
    Screen: screen(() => import('../screens/returns/unsubscribe.tsx'), 'Unsubscribe'),
    title: 'E-mail settings',
  },
  {
    path: '/docs/editors',
    Screen: screen(() => import('../screens/docs/editor-docs.tsx'), 'EditorDocs'),
    title: 'Into your editing software',
    description:
      'Which export to take for Premiere, Resolve, Final Cut and Avid, how to import it, and how to relink.',
  },
  {
    path: '/shared/:token',
    Screen: screen(() => import('../screens/shared.tsx'), 'Shared'),
    title: 'Shared',
  },
  {
    path: '/oauth/callback',
    Screen: screen(() => import('../screens/returns/oauth-callback.tsx'), 'OauthCallback'),
    title: 'Completing login',
  },
]

/** These need a session; an anonymous visitor is sent to the landing page. */
export const guardedPages: readonly Page[] = [
  {
    path: '/oauth/authorize',
    Screen: screen(() => import('../screens/oauth-authorize.tsx'), 'OauthAuthorize'),
    title: 'Allow access',
  },
  { path: '/dashboard', Screen: Dashboard, title: 'Dashboard' },
  { path: '/dashboard.html', Screen: Dashboard, title: 'Dashboard' },
  { path: '/profile', Screen: Profile, title: 'Profile' },
  { path: '/profile.html', Screen: Profile, title: 'Profile' },
  {
    path: '/profile/payment-methods',
    Screen: screen(
      () => import('../screens/returns/payment-methods-return.tsx'),
      'PaymentMethodsReturn',
    ),
    title: 'Payment Methods',
  },
  { path: '/jobs', Screen: screen(() => import('../screens/jobs.tsx'), 'Jobs'), title: 'Jobs' },
  { path: '/jobs/:id', Screen: screen(() => import('../screens/clip.tsx'), 'Job'), title: 'Job' },
  {
    path: '/receipts/:id',
    Screen: screen(() => import('../screens/receipt.tsx'), 'Receipt'),
    title: 'Receipt',
  },
  {
    path: '/search',
    Screen: screen(() => import('../screens/search.tsx'), 'Search'),
    title: 'Search',
  },
  {
    path: '/library',
    Screen: screen(() => import('../screens/library.tsx'), 'Library'),
    title: 'Library',
  },
  {
    path: '/library/:id',
    Screen: screen(() => import('../screens/clip.tsx'), 'Clip'),
    title: 'Clip',
  },
  { path: '/cuts', Screen: screen(() => import('../screens/cuts.tsx'), 'Cuts'), title: 'Cuts' },
  { path: '/cuts/:id', Screen: screen(() => import('../screens/cut.tsx'), 'Cut'), title: 'Cut' },
  { path: '/syncs', Screen: screen(() => import('../screens/syncs.tsx'), 'Syncs'), title: 'Syncs' },
  {
    path: '/syncs/:id',
    Screen: screen(() => import('../screens/sync.tsx'), 'Sync'),
    title: 'Sync',
  },
  {
    path: '/payment/success',
    Screen: screen(() => import('../screens/returns/payment-success.tsx'), 'PaymentSuccess'),
    title: 'Payment successful',
  },
  {
    path: '/payment/cancel',
    Screen: screen(() => import('../screens/returns/payment-cancel.tsx'), 'PaymentCancel'),
    title: 'Payment cancelled',
  },
]

export const missingPage: Page = {
  path: '*',
  Screen: screen(() => import('../screens/not-found.tsx'), 'NotFound'),
  title: 'Page not found',
}

export const Guard: ComponentType = lazy(async () => ({
  default: (await loadScript(() => import('../screens/guarded.tsx'))).Guarded,
}))

export function pageAt(pathname: string): Page {
  const pages = [...publicPages, ...guardedPages]
  return pages.find((page) => matchPath(page.path, pathname)) ?? missingPage
}

export function documentTitle(page: Page): string {
  return page.title.startsWith('CutIndex') ? page.title : `${page.title} · CutIndex`
}
