import * as z from 'zod'
import { defineEndpoints } from './endpoint.ts'

export const serviceEndpoints = defineEndpoints({
  getHealth: {
    method: 'GET',
    path: '/health',
    tag: 'Service',
    summary: 'Whether the service is ready',
    auth: 'anyone',
    reply: z.object({
      status: z.enum(['ok', 'degraded', 'down']),
      version: z.string(),
      checks: z.record(z.string(), z.string()),
    }),
    refusals: ['unavailable'],
  },
})
