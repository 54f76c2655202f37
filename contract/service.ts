import * as z from 'zod'
import { defineEndpoints } from './define-endpoints.ts'
import { Done, Timestamp } from './fields.ts'

export const analyticsLimits = { maxEvents: 20, maxPathLength: 300 } as const

export const AnalyticsEvent = z
  .strictObject({
    name: z.enum(['page_view', 'login', 'purchase']),
    path: z.string().max(analyticsLimits.maxPathLength),
    details: z
      .strictObject({
        provider: z.string().max(100),
        package_type: z.string().max(100),
        amount_usd: z.number(),
      })
      .partial()
      .optional(),
  })
  .meta({ id: 'AnalyticsEvent' })
export type AnalyticsEvent = z.infer<typeof AnalyticsEvent>

export const serviceEndpoints = defineEndpoints('Service', 'anyone', {
  getHealth: {
    method: 'GET',
    path: '/health',
    summary: 'Whether the service is ready',
    reply: z.object({
      status: z.enum(['ok', 'degraded', 'down']),
      version: z.string(),
      checks: z.record(z.string(), z.string()),
    }),
    refusals: ['unavailable'],
  },
  getStatus: {
    method: 'GET',
    path: '/status',
    summary: 'How the parts of the service do',
    description: 'Data of the status page, read from the database every 15 seconds at most.',
    reply: z.object({
      status: z.enum(['ok', 'degraded']),
      checked_at: Timestamp,
      parts: z.array(
        z.object({ name: z.string(), state: z.enum(['ok', 'degraded']), note: z.string() }),
      ),
    }),
    refusals: ['unavailable'],
  },
  reportAnalytics: {
    method: 'POST',
    path: '/analytics',
    summary: 'Count page views and events, without persons',
    description:
      'Only counts for a day are kept: no cookie is read, no address and no account is stored.',
    body: z.strictObject({
      events: z.array(AnalyticsEvent).min(1).max(analyticsLimits.maxEvents),
    }),
    reply: Done,
    status: 202,
    example: { body: { events: [{ name: 'page_view', path: '/docs/developer' }] } },
  },
})
