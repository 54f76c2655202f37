/**
 * Reports page views and events to one pluggable sink. No address that carries a token ever gets
 * here with it: the query is reduced to the keys that are known to be harmless.
 */
export interface AnalyticsEvent {
  name: string
  path: string
  at: string
  details: Record<string, string | number>
}

export type AnalyticsSink = (event: AnalyticsEvent) => void

const harmlessQueryKeys = ['utm_source', 'utm_medium', 'utm_campaign', 'package_type']
const keptEvents = 200

/** The local sink: keeps the latest events in the page, where an operator or a test can read them. */
const localEvents: AnalyticsEvent[] = []
let sink: AnalyticsSink = (event) => {
  localEvents.push(event)
  if (localEvents.length > keptEvents) localEvents.shift()
  dispatchEvent(new CustomEvent('analytics', { detail: event }))
}

export function setAnalyticsSink(next: AnalyticsSink): void {
  sink = next
}

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
  sink({ name, path, at: new Date().toISOString(), details })
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
