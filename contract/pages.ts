/** Every path that is a screen (section 2 of the specification, and what rules.md adds). */
export const pagePaths = [
  '/',
  '/oauth/callback',
  '/oauth/authorize',
  '/dashboard',
  '/dashboard.html',
  '/profile',
  '/profile.html',
  '/profile/payment-methods',
  '/jobs',
  '/jobs/:id',
  '/receipts/:id',
  '/search',
  '/library',
  '/library/:id',
  '/cuts',
  '/cuts/:id',
  '/syncs',
  '/syncs/:id',
  '/payment/success',
  '/payment/cancel',
  '/docs/developer',
  '/docs/api',
  '/docs/editors',
  '/shared/:token',
  '/terms',
  '/privacy',
  '/status',
  '/unsubscribe',
] as const

export function isPagePath(path: string): boolean {
  return pagePattern(path) !== undefined
}

/** The page that a path belongs to, without its ids: /jobs/:id. */
export function pagePattern(path: string): (typeof pagePaths)[number] | undefined {
  const clean = path.replace(/\/+$/, '') || '/'
  return pagePaths.find((page) => {
    const pattern = page.replace(/:\w+/g, '[^/]+').replaceAll('.', '\\.')
    return new RegExp(`^${pattern}$`).test(clean)
  })
}
