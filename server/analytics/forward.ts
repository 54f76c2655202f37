/**
 * Sends events to a collector elsewhere (ANALYTICS_URL) from the server, so that the collector
 * never sees a visitor's address or browser. Events that it does not take in time are lost, and the
 * log says so.
 */
import { fetch } from 'undici'
import type { AnalyticsEvent } from '../../contract/service.ts'
import type { Context } from '../ground/context.ts'

export interface CountedEvent {
  name: AnalyticsEvent['name']
  path: string
  detail: string
}

const timeoutMs = 5000

export async function forwardEvents(
  ctx: Context,
  url: string,
  events: readonly CountedEvent[],
): Promise<void> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ at: ctx.now().toISOString(), events }),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    })
    await response.body?.cancel()
    if (!response.ok) ctx.log.warn({ status: response.status }, 'analytics refused')
  } catch (error) {
    ctx.log.warn({ err: error }, 'analytics not sent')
  }
}
