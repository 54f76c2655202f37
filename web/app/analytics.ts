/**
 * Reports page views and events as `analytics` events of the window: a collector is plugged in by
 * listening to them, and without one nothing leaves the browser. No address that carries a token
 * ever gets here with it: the query is reduced to the keys that are known to be harmless.
 */
interface AnalyticsEvent {
  name: string
  path: string
  at: string
  details: Record<string, string | number>
}

const harmlessQueryKeys = ['utm_source', 'utm_medium', 'utm_campaign', 'package_type']

export function reportPageView(location: { pathname: string; search: string }): void {
  report('page_view', {}, harmlessPath(location))
}

export function reportLogin(provider: string): void {
  report('login', { provider })
}

export function reportPurchase(purchase: { packageType: string; amountUsd: number }): void {
  report('purchase', { package_type: purchase.packageType, amount_usd: purchase.amountUsd })
}

function report(
  name: string,
  details: AnalyticsEvent['details'],
  path: string = location.pathname,
): void {
  const detail: AnalyticsEvent = { name, path, at: new Date().toISOString(), details }
  dispatchEvent(new CustomEvent('analytics', { detail }))
}

function harmlessPath(location: { pathname: string; search: string }): string {
  const given = new URLSearchParams(location.search)
  const kept = new URLSearchParams()
  for (const key of harmlessQueryKeys) {
    const value = given.get(key)
    if (value !== null) kept.set(key, value)
  }
  return kept.size > 0 ? `${location.pathname}?${kept}` : location.pathname
}
