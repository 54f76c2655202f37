/**
 * Reports page views and events to `POST /v1/analytics`, which counts them by the day without
 * persons: no cookie, no token, and of the query only keys that are known to be harmless. They are
 * also events of the window, for scripts of the page's owner.
 */
import { currentApiAddress } from './api-address.ts'

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
  send(detail)
}

const maxWaiting = 20
const maxPathLength = 300
const pauseMs = 2000

let waiting: AnalyticsEvent[] = []
let timer: ReturnType<typeof setTimeout> | undefined
/** The service does not have the call: nothing more is sent from this page. */
let isRefused = false

/** Sends in batches, after the page has what it needs, and at the latest when it is left. */
function send(event: AnalyticsEvent): void {
  if (isRefused || waiting.length === maxWaiting) return
  waiting.push(event)
  timer ??= setTimeout(flush, pauseMs)
  addEventListener('pagehide', flush, { once: true })
}

function flush(): void {
  clearTimeout(timer)
  timer = undefined
  if (waiting.length === 0) return
  const events = waiting.map(({ name, path, details }) => ({
    name,
    path: path.slice(0, maxPathLength),
    details,
  }))
  waiting = []
  void fetch(`${currentApiAddress()}/v1/analytics`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ events }),
    credentials: 'omit',
    keepalive: true,
  }).then(
    ({ status }) => {
      if (status === 404 || status === 405) isRefused = true
      return undefined
    },
    // Nobody who is offline misses a count.
    () => undefined,
  )
}

function harmlessPath(location: { pathname: string; search: string }): string {
  const query = new URLSearchParams(location.search)
  const kept = new URLSearchParams()
  for (const key of harmlessQueryKeys) {
    const value = query.get(key)
    if (value !== null) kept.set(key, value)
  }
  // A shared link's address is its key.
  const path = location.pathname.replace(/^\/shared\/.+/, '/shared/:token')
  return kept.size > 0 ? `${path}?${kept}` : path
}
